"""Holds the reading of GSM8K rows: question, and an answer that ends with ``#### n``.

Never reads a file, and never judges whether the published gold is right.
"""

from __future__ import annotations

from glass_pipeline.domain.problems.item import (
    FINAL_MARK,
    Row,
    SourceError,
    SourceItem,
    count_steps,
    required_text,
    row_number,
)


def read_row(row: Row, position: int, split: str) -> SourceItem:
    """Turn one row of GSM8K into an item.

    Args:
        row: ``question`` and ``answer``; ``idx``, if there, is the row number in the official file.
        position: Index of the row in what was read, from 0.
        split: ``train`` or ``test``; part of the id.

    Raises:
        SourceError: a field is missing, or the answer lacks ``####``.

    Source: openai/grade-school-math; gold steps as in methods §1.8.
    """
    solution = required_text(row, "answer")
    if FINAL_MARK not in solution:
        raise SourceError("'answer' has no '#### n' at its end; use the official file, or a suite of source jsonl")
    return SourceItem(
        base_id=f"gsm8k-{split}-{row_number(row, position)}",
        text=required_text(row, "question"),
        answer=solution.rsplit(FINAL_MARK, 1)[1].strip(),
        gold_solution=solution,
        gold_steps=count_steps(solution),
    )
