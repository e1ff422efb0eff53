"""Holds how labelled pairs are made of what a file states: what it lacks is worked out, what contradicts is refused.

Never knows in which format the file was written (see ``interchange`` and ``released``).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import polars as pl

from glass_pipeline.domain.corpus.deltas import VERDICTS, no_verdict
from glass_pipeline.domain.corpus.fields import FIELDS, FILLED, MOST_SAMPLES, InterchangeError, Stated
from glass_pipeline.domain.corpus.file_names import OPERATOR_SUFFIX, FileNameError, stamp_dose
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.schemas import LABELED_PAIRS

SOLVED_FROM = 0.5
"""Share of correct base samples from which a run without a stated verdict counts as solved (methods §1.4)."""
SUITE_IN_ID = r"^(gsmic_adv|math_adv)-"
"""Ids of the published suites begin with their suite."""

Row = dict[str, Any]


def complete(stated: Stated) -> pl.DataFrame:
    """Make labelled pairs of what a file states.

    Family and injection size come from the operator, the dose from the file's name, the row or the operator;
    y_base_run from delta, else from ``y_base_mean >= 0.5``; n_base is the smallest number of samples that
    gives ``y_base_mean``; C is ``gold_steps``, else the complexity score. d_obs and d_wc stay as stated.

    Args:
        stated: Pairs of one file and solver, of any doses.

    Returns:
        ``schemas.LABELED_PAIRS``, dose by dose.

    Raises:
        InterchangeError: a value is missing or out of range, a delta is not -1, 0 or 1, a pair contradicts
            itself or another one, or pairs of two suites are mixed.

    Source: methods §1.4, §3.2, §3.3.
    """
    _check_values(stated)
    _check_suite(stated)
    rows = _with_doses(stated)
    _check_against_each_other(stated, rows)
    rows = _with_verdicts(rows)
    _refuse(stated, rows, ~_agrees(), _disagreement)
    hashes = pl.Series("text_hash", [text_hash(text) for text in rows["twin_text"]], dtype=pl.String())
    pairs = (
        _with_samples(rows)
        .with_columns(
            hashes,
            family=pl.coalesce("family", pl.col("operator").str.replace(OPERATOR_SUFFIX.pattern, "")),
            generator=pl.col("generator").fill_null("unknown"),
            run_id=pl.coalesce("run_id", pl.format("m{}", "file_dose")),
            declared_complexity=pl.coalesce(
                "declared_complexity", pl.col("gold_steps").cast(pl.Float64()), "complexity_score"
            ),
            audit=pl.col("audit").fill_null("{}"),
            source_distractor_ids=pl.col("source_distractor_ids").fill_null(pl.lit([], dtype=pl.List(pl.String()))),
        )
        .select(list(LABELED_PAIRS.schema))
    )
    parts = pairs.sort("file_dose").partition_by("file_dose", maintain_order=True)
    return pl.concat([LABELED_PAIRS.check(part) for part in parts] or [LABELED_PAIRS.frame([])])


def _check_values(stated: Stated) -> None:
    _refuse(
        stated,
        stated.rows,
        pl.col("delta").is_null() | ~pl.col("delta").is_in(VERDICTS),
        lambda row: no_verdict(row["delta"], row["solver"]),
    )
    for field in FIELDS:
        value, name = pl.col(field.name), field.name
        if field.is_required:
            _refuse(stated, stated.rows, value.is_null(), _says(f"field {name!r} is missing; the format requires it."))
        if name in FILLED:
            _refuse(stated, stated.rows, value.str.strip_chars() == "", _says(f"{name!r} is blank; fill it in."))
        if field.dtype == pl.Float64():
            _refuse(stated, stated.rows, ~value.is_finite(), _is(name, "it is a finite number."))
        if field.is_count:
            _refuse(
                stated,
                stated.rows,
                ~value.is_between(0, MOST_SAMPLES),
                _is(name, f"it lies between 0 and {MOST_SAMPLES}."),
            )
    for name in ("y_base_mean", "complexity_score"):
        _refuse(stated, stated.rows, ~pl.col(name).is_between(0, 1), _is(name, "it lies in [0, 1]."))
    _refuse(
        stated,
        stated.rows,
        (pl.col("n_base_correct").fill_null(0) > pl.col("n_base").fill_null(0)) | (pl.col("n_base") == 0),
        _says("n_base_correct is not among n_base samples; state both."),
    )


def suites_in_ids(base_ids: pl.Series) -> list[str | None]:
    """Return the published suites that ids begin with, None for ids of any other suite."""
    return base_ids.str.extract(SUITE_IN_ID).unique(maintain_order=True).to_list()


def _check_suite(stated: Stated) -> None:
    base_ids = stated.rows["base_id"]
    if len(suites_in_ids(base_ids)) > 1:
        suites = base_ids.str.extract(SUITE_IN_ID)
        other = stated.rows.row(int(suites.ne_missing(suites[0]).arg_max() or 0), named=True)
        raise InterchangeError(
            f"{stated.place(other['line'])}: base_id {other['base_id']!r} is of another suite than "
            f"{base_ids[0]!r} in {stated.unit} {stated.rows['line'][0]}; import one suite at a time."
        )


def _with_doses(stated: Stated) -> pl.DataFrame:
    keys = ("operator", "file_dose", "inject_size")
    kinds = stated.rows.group_by(keys, maintain_order=True).agg(pl.col("line").min())
    doses, sizes = [], []
    for operator, file_dose, size, line in kinds.iter_rows():
        try:
            stamp = stamp_dose(stated.name, operator, file_dose=file_dose, inject_size=size)
        except FileNameError as error:
            sentence = str(error).removeprefix(f"{stated.name}: ")
            raise InterchangeError(f"{stated.place(line)}: {sentence}") from None
        doses.append(stamp.file_dose)
        sizes.append(stamp.inject_size)
    stamps = kinds.select(keys).with_columns(
        pl.Series("stamped_dose", doses, dtype=pl.Int64()), pl.Series("stamped_size", sizes, dtype=pl.Int64())
    )
    joined = stated.rows.join(stamps, on=list(keys), how="left", nulls_equal=True, maintain_order="left")
    return joined.with_columns(file_dose="stamped_dose", inject_size="stamped_size")


def _check_against_each_other(stated: Stated, rows: pl.DataFrame) -> None:
    """Refuse a pair that stands twice in a dose, and a base of two texts or golds."""
    key = ["file_dose", "base_id", "twin_id"]
    twice = rows.filter(rows.select(key).is_duplicated())
    if twice.height:
        first = twice.row(0, named=True)
        again = twice.filter(*(pl.col(name) == first[name] for name in key)).row(1, named=True)
        raise InterchangeError(
            f"{stated.place(again['line'])}: twin_id {again['twin_id']!r} of base {again['base_id']!r} stands already "
            f"in {stated.unit} {first['line']}; give each pair its own."
        )
    for name in ("base_text", "gold"):
        differing = rows.drop_nulls(name).filter(pl.col(name) != pl.col(name).first().over("base_id"))
        _refuse(stated, differing, pl.lit(True), _differs(name, stated.unit))


def _with_verdicts(rows: pl.DataFrame) -> pl.DataFrame:
    """Add whether base and twin were solved: delta says so unless it is 0, then the share does."""
    solved = pl.when(pl.col("delta") == 0).then(pl.col("y_base_mean") >= SOLVED_FROM).otherwise(pl.col("delta") == 1)
    known = rows.with_columns(
        pl.col("delta").cast(pl.Int64()), y_base_run=pl.coalesce("y_base_run", solved.cast(pl.Int64()))
    )
    return known.with_columns(y_twin=pl.coalesce("y_twin", pl.col("y_base_run") - pl.col("delta")))


def _agrees() -> pl.Expr:
    are_verdicts = pl.col("y_base_run").is_in([0, 1]) & pl.col("y_twin").is_in([0, 1])
    return are_verdicts & (pl.col("y_base_run") - pl.col("y_twin") == pl.col("delta"))


def _disagreement(row: Row) -> str:
    return f"delta {row['delta']} is not y_base_run {row['y_base_run']} minus y_twin {row['y_twin']}; correct it."


def _with_samples(rows: pl.DataFrame) -> pl.DataFrame:
    shares = rows["y_base_mean"].unique()
    fewest = [Fraction(share).limit_denominator(MOST_SAMPLES).denominator for share in shares]
    samples = pl.DataFrame({"y_base_mean": shares, "fewest": pl.Series(fewest, dtype=pl.Int64())})
    counted = rows.join(samples, on="y_base_mean", how="left", maintain_order="left").with_columns(
        n_base=pl.coalesce("n_base", "fewest")
    )
    correct = (pl.col("y_base_mean") * pl.col("n_base")).round().cast(pl.Int64())
    return counted.with_columns(
        n_base_correct=pl.coalesce("n_base_correct", correct),
        twin_samples_correct=pl.coalesce("twin_samples_correct", "y_twin"),
    )


def _refuse(stated: Stated, rows: pl.DataFrame, bad: pl.Expr, sentence: Callable[[Row], str]) -> None:
    """Raise for the first row of which ``bad`` holds; a null is not bad."""
    found = rows.filter(bad).head(1)
    if found.height:
        row = found.row(0, named=True)
        raise InterchangeError(f"{stated.place(row['line'])}: {sentence(row)}")


def _says(sentence: str) -> Callable[[Row], str]:
    return lambda _: sentence


def _is(name: str, rule: str) -> Callable[[Row], str]:
    return lambda row: f"{name} is {row[name]}; {rule}"


def _differs(name: str, unit: str) -> Callable[[Row], str]:
    return lambda row: f"{name} of {row['base_id']!r} is not that of an earlier {unit}; one base has one {name}."
