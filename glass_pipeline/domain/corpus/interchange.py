"""Holds the interchange format of labelled pairs: JSON lines to and from a frame (methods §3.2).

Never opens a file; a reader passes its lines and its name. What a line holds is never trusted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NoReturn

import polars as pl

from glass_pipeline.domain.corpus.file_names import family_of, stamp_dose
from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.schemas import LABELED_PAIRS

SOLVED_FROM = 0.5
"""Share of correct base samples from which a run without a stated verdict counts as solved (methods §1.4)."""
MOST_SAMPLES = 1000
"""Largest count that a line may state, and of samples that a stated share is read as."""

REQUIRED: dict[str, type | tuple[type, ...]] = {
    "base_id": str,
    "twin_id": str,
    "operator": str,
    "category": str,
    "complexity": str,
    "complexity_score": (int, float),
    "base_text": str,
    "twin_text": str,
    "delta_per_model": dict,
    "delta_mean": (int, float),
    "d_obs": (int, float),
    "d_wc": (int, float),
    "y_base_mean": (int, float),
}
OPTIONAL: dict[str, type | tuple[type, ...]] = {
    "declared_complexity": (int, float),
    "family": str,
    "file_dose": int,
    "inject_size": int,
    "generator": str,
    "run_id": str,
    "y_base_run": int,
    "n_base_correct": int,
    "n_base": int,
    "y_twin": int,
    "twin_samples_correct": int,
    "audit": dict,
    "gold_steps": int,
    "source_distractor_ids": list,
}
"""Fields that a line may lack; null counts as lacking."""


class InterchangeError(BadInput):
    """A line is not a labelled pair; says file, line, field and remedy."""


def export_lines(pairs: pl.DataFrame) -> Iterator[str]:
    """Write labelled pairs as JSON, one line a pair, sorted by base and twin.

    Args:
        pairs: ``schemas.LABELED_PAIRS`` of one dose and solver.
    """
    columns = [name for name in LABELED_PAIRS.schema if name not in {"solver", "delta", "audit", "text_hash"}]
    for row in pairs.sort("base_id", "twin_id").iter_rows(named=True):
        line = {name: row[name] for name in columns}
        line["delta_per_model"] = {row["solver"]: float(row["delta"])}
        line["delta_mean"] = float(row["delta"])
        line["audit"] = json.loads(row["audit"])
        yield json.dumps(line, ensure_ascii=False, allow_nan=False)


def import_lines(lines: Iterable[str], *, name: str, solver: str | None = None) -> pl.DataFrame:
    """Read the lines of one interchange file.

    What a line lacks is worked out: family and injection size from the operator, the file's dose from its
    name, y_base_run from delta, else from ``y_base_mean >= 0.5``; n_base is the smallest number of samples
    that gives ``y_base_mean``; C is ``gold_steps``, else the complexity score.

    Args:
        lines: JSON texts; empty lines are skipped.
        name: Name of the file, without its folder.
        solver: Model of ``delta_per_model`` to read; None takes the only one.

    Returns:
        ``schemas.LABELED_PAIRS``; d_obs and d_wc stay as the file states them.

    Raises:
        InterchangeError: a line is not JSON, lacks a field, has one of another type, states a delta that is
            not -1, 0 or 1, or contradicts itself.

    Source: methods §1.4, §3.2, §3.3.
    """
    rows = []
    for number, text in enumerate(lines, start=1):
        if text.strip():
            rows.append(_row(_parse(text, name, number), name, number, solver))
    return LABELED_PAIRS.frame(rows)


def jobs_of(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return one row a job of imported pairs: ``base_id, category, declared_complexity``.

    It stands in for ``schemas.BASE_PROBLEMS`` where a file is all there is.
    """
    return pairs.select("base_id", "category", "declared_complexity").unique("base_id", keep="first").sort("base_id")


def base_runs_of(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return one row a job and dose run of imported pairs, in the columns of base labels that count.

    Columns: ``dose, solver, base_id, run_id, y_base, n_samples, n_correct``. It stands in for the base
    labels where a file is all there is; bases without pairs are unknown to it.
    """
    return (
        pairs.select(
            "solver",
            "base_id",
            "run_id",
            dose="file_dose",
            y_base="y_base_run",
            n_samples="n_base",
            n_correct="n_base_correct",
        )
        .unique(["solver", "base_id", "dose"], keep="first")
        .sort("base_id", "dose")
    )


def _parse(text: str, name: str, number: int) -> dict[str, Any]:
    def refuse(constant: str) -> NoReturn:
        raise ValueError(f"{constant} is not a number")

    try:
        record = json.loads(text, parse_constant=refuse)
        # Refuses what JSON can spell and a table cannot hold: 1e999 and half a surrogate pair.
        json.dumps(record, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise InterchangeError(f"{name}, line {number}: not JSON ({error}); write one object a line.") from None
    if not isinstance(record, dict):
        raise InterchangeError(f"{name}, line {number}: {type(record).__name__} found; write one object a line.")
    for field, kind in (REQUIRED | OPTIONAL).items():
        value = record.get(field)
        if value is None and field in REQUIRED:
            raise InterchangeError(f"{name}, line {number}: field {field!r} is missing; the format requires it.")
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise InterchangeError(f"{name}, line {number}: {field!r} holds a {type(value).__name__}; correct it.")
    return {field: value for field, value in record.items() if value is not None}


def _row(line: Mapping[str, Any], name: str, number: int, solver: str | None) -> dict[str, Any]:
    place = f"{name}, line {number}"
    model, delta = _delta(line, place, solver)
    try:
        stamp = stamp_dose(name, line["operator"], file_dose=line.get("file_dose"))
    except ValueError as error:
        raise InterchangeError(f"line {number}: {error}") from None
    share = float(line["y_base_mean"])
    _check_ranges(line, place)
    y_base = line.get("y_base_run", _base_verdict(delta, share))
    y_twin = line.get("y_twin", y_base - delta)
    if y_base - y_twin != delta or {y_base, y_twin} - {0, 1}:
        raise InterchangeError(f"{place}: delta {delta} is not y_base_run {y_base} minus y_twin {y_twin}; correct it.")
    n_base = line.get("n_base", Fraction(share).limit_denominator(MOST_SAMPLES).denominator)
    stated = {field: line[field] for field in LABELED_PAIRS.schema if field in line}
    return {
        "family": family_of(line["operator"]),
        "generator": "unknown",
        "run_id": f"m{stamp.file_dose}",
        "n_base_correct": round(share * n_base),
        "twin_samples_correct": y_twin,
        "gold_steps": None,
        "source_distractor_ids": [],
        "declared_complexity": float(line.get("gold_steps", line["complexity_score"])),
        **stated,
        **{field: float(line[field]) for field in ("complexity_score", "d_obs", "d_wc")},
        "solver": model,
        "text_hash": text_hash(line["twin_text"]),
        "delta": delta,
        "n_base": n_base,
        "y_base_mean": share,
        "file_dose": stamp.file_dose,
        "inject_size": stamp.inject_size,
        "y_base_run": y_base,
        "y_twin": y_twin,
        "audit": json.dumps(line.get("audit", {})),
    }


def _check_ranges(line: Mapping[str, Any], place: str) -> None:
    for field in ("y_base_mean", "complexity_score"):
        if not 0 <= line[field] <= 1:
            raise InterchangeError(f"{place}: {field} is {line[field]}; it lies in [0, 1].")
    for field, kind in OPTIONAL.items():
        if kind is int and not 0 <= line.get(field, 0) <= MOST_SAMPLES:
            raise InterchangeError(f"{place}: {field} is {line[field]}; it lies between 0 and {MOST_SAMPLES}.")
    if line.get("n_base_correct", 0) > line.get("n_base", 0) or line.get("n_base") == 0:
        raise InterchangeError(f"{place}: n_base_correct is not among n_base samples; state both.")
    if not all(isinstance(source, str) for source in line.get("source_distractor_ids", ())):
        raise InterchangeError(f"{place}: source_distractor_ids holds something else than texts; correct it.")


def _delta(line: Mapping[str, Any], place: str, solver: str | None) -> tuple[str, int]:
    """Return the solver and its delta; a delta that is no verdict must not become a break (methods §1.4)."""
    deltas = line["delta_per_model"]
    if solver is None and len(deltas) != 1:
        raise InterchangeError(f"{place}: delta_per_model names {len(deltas)} models; say which solver to read.")
    model = next(iter(deltas)) if solver is None else solver
    if model not in deltas:
        raise InterchangeError(f"{place}: delta_per_model has no {model!r}; it names {', '.join(sorted(deltas))}.")
    delta = deltas[model]
    if isinstance(delta, bool) or not isinstance(delta, int | float) or delta not in (-1, 0, 1):
        raise InterchangeError(
            f"{place}: delta {delta!r} of {model!r} is not -1, 0 or 1; continuous scores have no break event."
        )
    return model, int(delta)


def _base_verdict(delta: int, share: float) -> int:
    """Return whether the run solved its base: delta says so unless it is 0."""
    if delta:
        return int(delta == 1)
    return int(share >= SOLVED_FROM)
