"""Holds the one door from raw rows to problems: a source's reader, then the checks that hold for all of them.

Never knows a column name, and never reads a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from glass_pipeline.domain.problems import gsm8k, jsonl, math, svamp
from glass_pipeline.domain.problems.complexity import Complexity, declare_complexity
from glass_pipeline.domain.problems.gold import canonical_gold
from glass_pipeline.domain.problems.item import Row, SourceError, SourceItem
from glass_pipeline.domain.records import AnswerType, Problem


class Source(NamedTuple):
    """How the rows of one source are read, and what the source declares of itself."""

    read_row: Callable[[Row, int, str], SourceItem]
    answer_type: AnswerType
    complexity: Complexity | None
    """None: the best that every row has (gold steps, then level, then the heuristic)."""
    licence: str


def parse_problems(
    source: str,
    rows: Sequence[Row],
    *,
    split: str,
    revision: str,
    answer_type: AnswerType | None = None,
    complexity: Complexity | None = None,
) -> list[Problem]:
    """Turn the rows of a source into problems, in the order of the rows.

    Args:
        source: A key of ``SOURCES``.
        rows: Rows as parsed from JSON or parquet, in the order of the file.
        split: Part of the ids of sources that number their rows.
        revision: Commit of the data set, or sha256 of the local file.
        answer_type: None for the source's own.
        complexity: Declared complexity C; None for the source's own (methods §1.8).

    Returns:
        One problem a row, with the gold in canonical form.

    Raises:
        SourceError: unknown source, no rows, a row that cannot be read (counted from 1), or an id used twice.
    """
    if source not in SOURCES:
        raise SourceError(f"No reader for source {source!r}; there are {', '.join(SOURCES)}.")
    if not rows:
        raise SourceError(f"{source}/{split} has no rows; give it a file with one problem a line.")
    reader = SOURCES[source]
    items = list(_items(reader, rows, split))
    _refuse_repeated_ids(items)
    declared = complexity or reader.complexity or best_complexity(items)
    problems = []
    for position, item in enumerate(items):
        try:
            problems.append(_problem(item, answer_type or reader.answer_type, declared, revision, reader.licence))
        except SourceError as error:
            raise _in_row(position, error) from None
    return problems


def best_complexity(items: Sequence[SourceItem]) -> Complexity:
    """Return the strongest complexity that every item has: gold steps, then level, then the heuristic."""
    if all(item.gold_steps is not None for item in items):
        return "gold_steps"
    return "level" if all(item.level is not None for item in items) else "heuristic"


def _items(reader: Source, rows: Sequence[Row], split: str) -> Iterator[SourceItem]:
    for position, row in enumerate(rows):
        try:
            yield reader.read_row(row, position, split)
        except SourceError as error:
            raise _in_row(position, error) from None


def _refuse_repeated_ids(items: Sequence[SourceItem]) -> None:
    first_row: dict[str, int] = {}
    for number, item in enumerate(items, start=1):
        if item.base_id in first_row:
            earlier = first_row[item.base_id]
            raise SourceError(f"rows {earlier} and {number} share the id {item.base_id!r}; give each its own.")
        first_row[item.base_id] = number


def _problem(item: SourceItem, answer_type: AnswerType, complexity: Complexity, revision: str, licence: str) -> Problem:
    declared = declare_complexity(item, complexity)
    return Problem(
        base_id=item.base_id,
        text=item.text,
        gold=canonical_gold(item.answer, answer_type),
        answer_type=answer_type,
        gold_solution=item.gold_solution,
        category=item.category,
        level=item.level,
        gold_steps=item.gold_steps,
        declared_complexity=declared.value,
        complexity_score=declared.score,
        revision=revision,
        licence=licence,
    )


def _in_row(position: int, error: SourceError) -> SourceError:
    return SourceError(f"row {position + 1}: {error}.")


SOURCES: Mapping[str, Source] = {
    "gsm8k": Source(gsm8k.read_row, "numeric", "gold_steps", "MIT"),
    "math": Source(math.read_row, "math", "level", "MIT"),
    "svamp": Source(svamp.read_row, "numeric", "gold_steps", "MIT"),
    "jsonl": Source(jsonl.read_row, "numeric", None, "as the file's owner states"),
}
