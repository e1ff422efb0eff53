"""Holds the interchange format of labelled pairs: JSON lines to and from a frame (methods §3.2).

Never opens a file; a reader passes its lines and its name. What a line holds is never trusted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn

import polars as pl

from glass_pipeline.domain.corpus.completion import complete
from glass_pipeline.domain.corpus.deltas import read_delta
from glass_pipeline.domain.corpus.fields import (
    COUNT,
    FIELDS,
    MOST_SAMPLES,
    NUMBER,
    RECORD,
    STATED,
    TEXT_OR_NUMBER,
    TEXTS,
    Field,
    InterchangeError,
    Stated,
)

__all__ = ["InterchangeError", "base_runs_of", "export_lines", "import_lines", "jobs_of", "state_lines"]

NOT_WRITTEN = frozenset({"solver", "delta", "audit", "text_hash"})
"""Columns that a line holds in another form, or that a reader works out."""


def export_lines(pairs: pl.DataFrame) -> Iterator[str]:
    """Write labelled pairs as JSON, one line a pair, sorted by base and twin.

    Args:
        pairs: ``schemas.LABELED_PAIRS`` of one dose and solver; with a column ``gold``, that is written too.
    """
    columns = [name for name in pairs.columns if name not in NOT_WRITTEN]
    for row in pairs.sort("base_id", "twin_id").iter_rows(named=True):
        line = {name: row[name] for name in columns}
        line["delta_per_model"] = {row["solver"]: float(row["delta"])}
        line["delta_mean"] = float(row["delta"])
        line["audit"] = json.loads(row["audit"])
        yield json.dumps(line, ensure_ascii=False, allow_nan=False)


def import_lines(lines: Iterable[str], *, name: str, solver: str | None = None) -> pl.DataFrame:
    """Read the lines of one interchange file; ``completion.complete`` says how the rest is worked out.

    Args:
        lines: JSON texts; empty lines are skipped.
        name: Name of the file, without its folder.
        solver: Model of ``delta_per_model`` to read; None takes the only one.

    Returns:
        ``schemas.LABELED_PAIRS``.

    Raises:
        InterchangeError: a line is not JSON, lacks a field, has one of another type, states a delta that is
            not -1, 0 or 1, or contradicts itself or another line.

    Source: methods §1.4, §3.2, §3.3.
    """
    return complete(state_lines(lines, name=name, solver=solver))


def state_lines(lines: Iterable[str], *, name: str, solver: str | None = None) -> Stated:
    """Return what the lines of one file state of one solver.

    Raises:
        InterchangeError: a line is not a JSON object, lacks a field, or has one of another type.
    """
    columns: dict[str, list[Any]] = {column: [] for column in STATED}
    readers = [(field, CONVERSIONS.get(field.kinds), columns[field.name].append) for field in FIELDS]
    for number, text in enumerate(lines, start=1):
        if not text or text.isspace():
            continue
        place = f"{name}, line {number}"
        record = _parse(text, place)
        for field, convert, append in readers:
            value = record.get(field.name)
            if type(value) in field.kinds:
                append(value if convert is None else _converted(convert, value, field, place))
            elif value is None and not field.is_required:
                append(None)
            else:
                _refuse_value(field, value, place)
        model, delta = read_delta(record.get("delta_per_model"), place, solver)
        for column, value in (("line", number), ("solver", model), ("delta", delta)):
            columns[column].append(value)
    return Stated(name, "line", pl.DataFrame(columns, schema=STATED))


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
        .unique(["solver", "base_id", "dose"], keep="first", maintain_order=True)
        .sort("base_id", "dose")
    )


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _parse(text: str, place: str) -> dict[str, Any]:
    try:
        record = DECODER.decode(text.strip())
        if "\\u" in text:
            # An escape can spell half a surrogate pair, which no table can hold.
            json.dumps(record, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise InterchangeError(f"{place}: not JSON ({error}); write one object a line.") from None
    if not isinstance(record, dict):
        raise InterchangeError(f"{place}: {type(record).__name__} found; write one object a line.")
    return record


def _converted(convert: Callable[[Any], Any], value: Any, field: Field, place: str) -> Any:
    try:
        return convert(value)
    except ValueError as error:
        raise InterchangeError(f"{place}: {field.name} {error}.") from None


def _refuse_value(field: Field, value: Any, place: str) -> NoReturn:
    if value is None:
        raise InterchangeError(f"{place}: field {field.name!r} is missing; the format requires it.")
    raise InterchangeError(f"{place}: {field.name!r} holds a {type(value).__name__}; correct it.")


def _finite(value: float) -> float:
    if not -LARGEST_NUMBER <= value <= LARGEST_NUMBER:
        raise ValueError("is no finite number")
    return float(value)


def _count(value: int) -> int:
    if not 0 <= value <= MOST_SAMPLES:
        raise ValueError(f"is {value}; it lies between 0 and {MOST_SAMPLES}")
    return value


def _record(value: dict[str, Any]) -> str:
    return json.dumps(value, allow_nan=False)


def _texts(value: list[Any]) -> list[str]:
    if not all(isinstance(each, str) for each in value):
        raise ValueError("holds something else than texts; correct it")
    return value


LARGEST_NUMBER = 1e300
CONVERSIONS: Mapping[frozenset[type], Callable[[Any], Any]] = {
    NUMBER: _finite,
    COUNT: _count,
    RECORD: _record,
    TEXTS: _texts,
    TEXT_OR_NUMBER: str,
}
"""How a value of each kind becomes one of its column; texts stay as they are."""
