"""Holds the step from rows with named columns to ``Results``: which column is what, and how a score is read.

Never fills in a value that a row lacks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from glass_pipeline.domain.comparison.results import ComparisonError, Results

Row = Mapping[str, Any]
VALUE_NAMES = ("correct", "score", "value")
WORDS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Names of the columns; a dot reaches into a nested object, e.g. ``metadata.topic``.

    Left at None, ``value`` is the one of correct, score and value that is there, and the optional columns are read
    where a column of their own name is there.
    """

    id: str | None = None
    value: str | None = None
    seed: str | None = None
    cluster: str | None = None
    stratum: str | None = None
    decoding: str | None = None
    digest: str | None = None


def results_of(name: str, rows: Sequence[Row], columns: Columns) -> Results:
    """Turn rows into results.

    Args:
        name: How messages call the file.
        rows: One an observation.
        columns: What is where.

    Raises:
        ComparisonError: there is no row, a named column is missing in one, or a value is no finite number.
    """
    if not rows:
        raise ComparisonError(f"{name} holds no result; pass a file with at least two items.")
    value = columns.value or _value_name(name, rows[0])
    ids = _texts(name, rows, columns.id or "id")
    return Results(
        name=name,
        measure=value,
        ids=ids,
        values=np.array([_score(name, item, value, field(row, value)) for item, row in zip(ids, rows, strict=True)]),
        seeds=_optional(name, rows, columns.seed, "seed"),
        decodings=_optional(name, rows, columns.decoding, "decoding"),
        clusters=_optional(name, rows, columns.cluster, "cluster"),
        strata=_optional(name, rows, columns.stratum, "stratum"),
        digests=_optional(name, rows, columns.digest, None),
    )


def field(row: Row, path: str) -> Any:
    """Return a column of a row, None where it is missing; the whole name first, then dot by dot."""
    if path in row:
        return row[path]
    found: Any = row
    for step in path.split("."):
        if not isinstance(found, Mapping) or step not in found:
            return None
        found = found[step]
    return found


def _value_name(name: str, row: Row) -> str:
    present = [each for each in VALUE_NAMES if each in row]
    if len(present) == 1:
        return present[0]
    if present:
        raise ComparisonError(f"{name} has the columns {' and '.join(present)}; say which is meant with --value.")
    raise ComparisonError(
        f"{name} has none of the columns {', '.join(VALUE_NAMES)}, only {', '.join(list(row)[:12])}; name the score "
        "with --value."
    )


def _optional(name: str, rows: Sequence[Row], path: str | None, usual: str | None) -> tuple[str, ...] | None:
    if path is not None:
        return _texts(name, rows, path)
    return _texts(name, rows, usual) if usual is not None and field(rows[0], usual) is not None else None


def _texts(name: str, rows: Sequence[Row], path: str) -> tuple[str, ...]:
    return tuple(_text(name, number, path, field(row, path)) for number, row in enumerate(rows, start=1))


def _text(name: str, number: int, path: str, found: Any) -> str:
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, str | int) and found != "":
        return str(found)
    raise ComparisonError(
        f"{name}, row {number}: column {path!r} is {_shown(found)}; every row needs a text or a whole number there."
    )


def _score(name: str, item: str, path: str, found: Any) -> float:
    score = math.nan
    if isinstance(found, bool | int | float):
        score = _as_float(found)
    elif isinstance(found, str):
        word = found.strip().lower()
        score = WORDS[word] if word in WORDS else _as_float(word)
    if math.isfinite(score):
        return score
    raise ComparisonError(
        f"{name}, item {item!r}: {path} is {_shown(found)}; give every item a finite number, true or false (a failed "
        "item is 0, not missing)."
    )


def _as_float(found: str | float) -> float:
    try:
        return float(found)
    except (ValueError, OverflowError):
        return math.nan


def _shown(found: Any) -> str:
    return "missing" if found is None else repr(found)[:40]
