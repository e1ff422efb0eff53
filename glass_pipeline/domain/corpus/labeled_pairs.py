"""Holds the labelled pair: one row joins base, twin, audit and both answers of one solver in one dose run.

Never solves, grades or audits, and never decides which pairs count (see ``estimands``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from glass_pipeline.domain.schemas import LABELED_PAIRS

MEDIUM_FROM, HARD_FROM = 1 / 3, 2 / 3
"""Thirds of the complexity score, by which a row is called easy, medium or hard."""

TEXTS = pl.List(pl.String())


class MissingLabels(NamedTuple):
    """Pairs of a mix that cannot be made, by the cell that is missing; one without both counts as no base."""

    base: int
    twin: int


def build_labeled_pairs(
    problems: pl.DataFrame,
    audit: pl.DataFrame,
    mix: pl.DataFrame,
    base_labels: pl.DataFrame,
    solver_labels: pl.DataFrame,
) -> pl.DataFrame:
    """Join one dose run of one solver into labelled pairs.

    delta = Y_run(J) - Y(T); d_obs and d_wc are its mean and maximum over exactly the pairs of the job in
    this file. A pair whose base or twin has no label (a missing cell) is left out; ``count_missing`` says
    how many.

    Args:
        problems: ``schemas.BASE_PROBLEMS``.
        audit: ``schemas.NOOP_AUDIT`` of any doses.
        mix: ``schemas.MULTIOP_MIX`` of the dose.
        base_labels: ``schemas.BASE_LABELS`` of the dose and solver.
        solver_labels: ``schemas.SOLVER_LABELS`` of the dose and solver.

    Returns:
        ``schemas.LABELED_PAIRS``.

    Raises:
        ValueError: the labels are of more than one dose and solver.

    Source: methods §1.3, §3.2.
    """
    _one_run(base_labels, solver_labels)
    pairs = (
        mix.rename({"text": "twin_text", "dose": "file_dose"})
        .join(solver_labels.select(*TWIN_LABEL), on=["base_id", "twin_id"], how="inner")
        .join(base_labels.select(*BASE_LABEL), on="base_id", how="inner")
        .join(problems.select(*PROBLEM), on="base_id", how="inner")
        .join(_audit_flags(audit), on="twin_id", how="left")
        .with_columns(
            delta=pl.col("y_base_run") - pl.col("y_twin"),
            complexity=complexity_band(pl.col("complexity_score")),
            audit=pl.col("audit").fill_null("{}"),
            source_distractor_ids=pl.col("edit").map_elements(distractor_ids, return_dtype=TEXTS),
        )
    )
    return LABELED_PAIRS.check(with_job_contrasts(pairs).select(list(LABELED_PAIRS.schema)))


def count_missing(mix: pl.DataFrame, base_labels: pl.DataFrame, solver_labels: pl.DataFrame) -> MissingLabels:
    """Count the pairs of a mix that have no label of the base, or else none of the twin."""
    with_base = mix.join(base_labels, on="base_id", how="semi")
    without_twin = with_base.join(solver_labels, on=["base_id", "twin_id"], how="anti")
    return MissingLabels(base=mix.height - with_base.height, twin=without_twin.height)


def with_job_contrasts(pairs: pl.DataFrame) -> pl.DataFrame:
    """Write d_obs, the mean delta, and d_wc, the largest, over the pairs of each job that stand in the frame.

    Source: methods §1.3, §3.1 step 6.
    """
    return pairs.with_columns(
        d_obs=pl.col("delta").mean().over("base_id"),
        d_wc=pl.col("delta").max().over("base_id").cast(pl.Float64()),
    )


def complexity_band(score: pl.Expr) -> pl.Expr:
    """Return easy, medium or hard for each third of the complexity score."""
    easy = pl.when(score < MEDIUM_FROM).then(pl.lit("easy"))
    return easy.when(score < HARD_FROM).then(pl.lit("medium")).otherwise(pl.lit("hard"))


def distractor_ids(edit: str) -> list[str]:
    """Return the problems that an edit's inserted sentences come from, in the order of insertion.

    Args:
        edit: JSON of ``schemas.TWINS.edit``; surface edits insert nothing.
    """
    record: Any = json.loads(edit)
    inserted: Sequence[Any] = record.get("inserted", ()) if isinstance(record, dict) else ()
    return [str(sentence["source_id"]) for sentence in inserted if "source_id" in sentence]


TWIN_LABEL = ("solver", "base_id", "twin_id", "y_twin", pl.col("n_correct").alias("twin_samples_correct"))
BASE_LABEL = (
    "base_id",
    "run_id",
    pl.col("y_base").alias("y_base_run"),
    pl.col("n_correct").alias("n_base_correct"),
    pl.col("n_samples").alias("n_base"),
    (pl.col("n_correct") / pl.col("n_samples")).alias("y_base_mean"),
)
PROBLEM = (
    "base_id",
    "category",
    "complexity_score",
    "declared_complexity",
    "gold_steps",
    pl.col("text").alias("base_text"),
)


def _one_run(base_labels: pl.DataFrame, solver_labels: pl.DataFrame) -> None:
    runs = pl.concat([frame.select("dose", "solver") for frame in (base_labels, solver_labels)]).unique()
    if runs.height > 1:
        raise ValueError(
            f"labeled_pairs: labels of {runs.height} dose runs found, {sorted(runs.rows())}; pass one dose and solver."
        )


def _audit_flags(audit: pl.DataFrame) -> pl.DataFrame:
    """Return one JSON of audit flags a twin, in the fields of methods §3.2."""
    flags = [
        json.dumps(
            {
                "llm": dict(zip(row["adjudicators"], row["verdicts"], strict=True)),
                "entity": row["entity_collision"],
                "gold_number": row["gold_number"],
                "multi_question": row["multi_question"],
                "unit": row["unit_compatible"],
            }
        )
        for row in audit.iter_rows(named=True)
    ]
    return audit.select("twin_id", audit=pl.Series("audit", flags, dtype=pl.String()))
