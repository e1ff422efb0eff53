r"""Holds the reading of MATH rows: problem, solution with its last ``\boxed{}``, level and subject.

Never normalises LaTeX (see ``domain.grading``).
"""

from __future__ import annotations

import re

from glass_pipeline.domain.problems.item import (
    Row,
    SourceError,
    SourceItem,
    optional_level,
    optional_text,
    required_text,
    row_number,
)

BOX = re.compile(r"\\(?:boxed|fbox)(?![a-zA-Z])\s*(?P<brace>\{)?")
BARE = re.compile(r"[^\s$]{1,200}")
BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def read_row(row: Row, position: int, split: str) -> SourceItem:
    r"""Turn one row of MATH into an item.

    Args:
        row: ``problem``, ``solution``, ``level`` and ``subject`` (``type`` in the hub's mirror); ``answer``
            if the file has it, else the last ``\boxed{}`` of the solution.
        position: Index of the row in what was read, from 0.
        split: ``train`` or ``test``; part of the id.

    Raises:
        SourceError: a field is missing, or neither an answer nor a box is there.

    Source: hendrycks/math.
    """
    solution = required_text(row, "solution")
    answer = optional_text(row, "answer") or last_boxed(solution)
    if answer is None:
        raise SourceError(r"neither an 'answer' nor a balanced \boxed{} in 'solution'; add one of them")
    return SourceItem(
        base_id=f"math-{split}-{row_number(row, position)}",
        text=required_text(row, "problem"),
        answer=answer,
        gold_solution=solution,
        category=required_text(row, "subject", "type"),
        level=optional_level(row.get("level")),
    )


def last_boxed(solution: str) -> str | None:
    r"""Return what stands in the last balanced ``\boxed{…}``, ``\fbox{…}`` or ``\boxed 5``, if any."""
    closing = _closing_braces(solution)
    contents = (_box_content(solution, box, closing) for box in reversed(list(BOX.finditer(solution))))
    return next((content for content in contents if content), None)


def _box_content(solution: str, box: re.Match[str], closing: dict[int, int]) -> str | None:
    if box["brace"]:
        end = closing.get(box.start("brace"))
        return None if end is None else solution[box.end() : end].strip()
    bare = BARE.match(solution, box.end())
    return bare.group() if bare else None


def _closing_braces(text: str) -> dict[int, int]:
    """Map the place of each brace that is closed to where it is; one pass, whatever the text."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for token in BRACE.finditer(text):
        if token.group() == "{":
            opened.append(token.start())
        elif token.group() == "}" and opened:
            closing[opened.pop()] = token.start()
    return closing
