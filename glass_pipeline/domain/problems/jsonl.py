"""Holds the reading of a user's own rows: id, question and answer, and what else they care to give.

Never guesses a missing field.
"""

from __future__ import annotations

from typing import Any

from glass_pipeline.domain.problems.item import (
    Row,
    SourceError,
    SourceItem,
    count_steps,
    optional_level,
    optional_text,
    required_answer,
    required_text,
)


def read_row(row: Row, position: int, split: str) -> SourceItem:
    """Turn one row of a user's file into an item.

    Args:
        row: ``id``, ``question``, ``answer``; optional ``category``, ``level``, ``steps`` and ``solution``.
            Without ``steps``, the steps are the lines of the solution.
        position: Unused: the user's ids are kept.
        split: Unused: the user's ids are kept.

    Raises:
        SourceError: a required field is missing or blank, or an optional one is of the wrong kind.
    """
    solution = optional_text(row, "solution")
    return SourceItem(
        base_id=_identifier(row),
        text=required_text(row, "question"),
        answer=required_answer(row, "answer"),
        gold_solution=solution,
        category=optional_text(row, "category") or "math",
        level=_level(row.get("level")),
        gold_steps=_steps(row.get("steps"), solution),
    )


def _identifier(row: Row) -> str:
    number = row.get("id")
    if isinstance(number, int) and not isinstance(number, bool):
        return str(number)
    return required_text(row, "id").strip()


def _level(value: Any) -> int | None:
    level = optional_level(value)
    if level is None and value is not None:
        raise SourceError(f"'level' is {str(value)[:60]!r}; write a whole number such as 3, or leave it out")
    return level


def _steps(value: Any, solution: str | None) -> int | None:
    if value is None:
        return None if solution is None else count_steps(solution)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise SourceError(f"'steps' is {str(value)[:60]!r}; write a whole number such as 2, or leave it out")
    return value
