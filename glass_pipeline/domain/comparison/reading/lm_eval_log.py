"""Holds the reading of lm-evaluation-harness ``--log_samples`` files.

Never picks one of several metrics or filters: the user says which, as ``metric`` or ``metric,filter``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from glass_pipeline.domain.comparison.reading.rows import Columns
from glass_pipeline.domain.comparison.results import ComparisonError

Row = dict[str, Any]
FIXED = frozenset({"doc_id", "doc_hash", "prompt_hash", "target_hash", "target"})
"""Keys that no metric has; older files do not list their metrics."""


def is_lm_eval(rows: Sequence[Row]) -> bool:
    """Say whether rows come from the harness."""
    return bool(rows) and "doc_id" in rows[0] and "doc" in rows[0] and "arguments" in rows[0]


def lm_eval_rows(name: str, rows: Sequence[Row], columns: Columns) -> tuple[list[Row], Columns]:
    """Keep the rows of one filter, in the order of ``doc_id``, and name their columns.

    Several processes log in the order they finish, so the order of lines carries nothing; ``doc_hash`` shows
    whether two logs mean the same document.

    Args:
        name: How messages call the file.
        rows: Logged samples.
        columns: As asked for; ``value`` is a metric, or metric and filter with a comma between, as in the harness.

    Raises:
        ComparisonError: several metrics or filters are there and none is named, or the named one is not there.
    """
    metric, _, wanted = (columns.value or "").partition(",")
    filters = list(dict.fromkeys(str(row["filter"]) for row in rows if "filter" in row))
    chosen = _only(name, filters, wanted, "filters", f"--value {metric or 'METRIC'},") if filters else ""
    kept = [row for row in rows if not filters or str(row.get("filter")) == chosen]
    metrics = _metrics(kept[0])
    value = _only(name, metrics, metric, "metrics", "--value ")
    renamed = replace(
        columns,
        id=columns.id or "doc_id",
        value=value,
        digest="doc_hash" if "doc_hash" in kept[0] else None,
    )
    return sorted(kept, key=_document), renamed


def _metrics(row: Row) -> list[str]:
    listed = row.get("metrics")
    if isinstance(listed, list):
        return [str(each) for each in listed]
    return [key for key, value in row.items() if key not in FIXED and isinstance(value, Real)]


def _only(name: str, present: list[str], wanted: str, word: str, option: str) -> str:
    if wanted in present:
        return wanted
    if not wanted and len(present) == 1:
        return present[0]
    found = ", ".join(present) or "none"
    asked = f"no {wanted!r}" if wanted else f"{len(present)}"
    raise ComparisonError(f"{name}: {asked} among the {word} ({found}); choose one with {option}NAME.")


def _document(row: Row) -> tuple[int, str]:
    number = row["doc_id"] if isinstance(row.get("doc_id"), int) else 0
    return number, str(row.get("doc_id"))
