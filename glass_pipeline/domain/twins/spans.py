"""Holds how recorded spans of a text are put in and taken out again.

Never trusts a record: one that does not fit its text is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Replacement(NamedTuple):
    """Put ``new`` where ``old`` stands, ``start`` characters into the text before the edit."""

    start: int
    old: str
    new: str


class MisfitError(ValueError):
    """The record of an edit does not fit the text that it is said to have made."""


def replace_spans(text: str, replacements: Sequence[Replacement]) -> tuple[str, list[list[Any]]]:
    """Replace disjoint spans.

    Args:
        text: The text before the edit.
        replacements: In ascending order of ``start``, not overlapping.

    Returns:
        The new text, and a JSON-able record [[start in the new text, old, new], …] for ``restore_spans``.
    """
    pieces: list[str] = []
    record: list[list[Any]] = []
    read = written = 0
    for start, old, new in replacements:
        pieces += [text[read:start], new]
        written += start - read
        record.append([written, old, new])
        written += len(new)
        read = start + len(old)
    return "".join(pieces) + text[read:], record


def restore_spans(text: str, record: Any) -> str:
    """Take back ``replace_spans``.

    Raises:
        MisfitError: a recorded span does not hold its new text.
    """
    pieces: list[str] = []
    read = 0
    for entry in _entries(record):
        start, old, new = entry
        if start < read or text[start : start + len(new)] != new:
            raise MisfitError(f"The text holds no {new!r} at character {start}, which its edit records.")
        pieces += [text[read:start], old]
        read = start + len(new)
    return "".join(pieces) + text[read:]


def _entries(record: Any) -> list[Replacement]:
    if not isinstance(record, list):
        raise MisfitError(f"An edit records its spans as a list, not as {type(record).__name__}.")
    for entry in record:
        if not _is_span(entry):
            raise MisfitError(f"A recorded span is [start, old, new], not {entry!r}.")
    return [Replacement(*entry) for entry in record]


def _is_span(entry: Any) -> bool:
    # A pattern match says the same in a line and takes four times as long, on the busiest path of the audit.
    if type(entry) is not list or len(entry) != 3:
        return False
    start, old, new = entry
    return type(start) is int and start >= 0 and type(old) is str and type(new) is str
