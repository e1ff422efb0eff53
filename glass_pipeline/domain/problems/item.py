"""Holds what every source reader shares: the item it hands on, its one error, and the reading of one field.

Never knows the columns of a particular source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glass_pipeline.domain.errors import BadInput

Row = Mapping[str, Any]
"""One row of a source, as parsed from JSON or parquet."""

LEVEL = re.compile(r"(?:Level\s*)?([0-9]{1,2})")
FINAL_MARK = "####"


class SourceError(BadInput):
    """A source is not what it should be; one sentence says what was found, where, and the remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceItem:
    """One row of a source under the common names, before its answer and complexity are checked."""

    base_id: str
    text: str
    answer: Any
    """As the source gives it: a string or a JSON number."""
    gold_solution: str | None = None
    category: str = "math"
    level: int | None = None
    gold_steps: int | None = None


def required_text(row: Row, *names: str) -> str:
    """Return the first of several spellings of a column that must hold text.

    Raises:
        SourceError: no such column, not a string, blank, or text that cannot be written as UTF-8.
    """
    value = next((row[name] for name in names if row.get(name) is not None), None)
    if value is None:
        raise SourceError(f"no {names[0]!r} among its fields {sorted(map(str, row))[:12]}; add it")
    if not isinstance(value, str):
        raise SourceError(f"{names[0]!r} is {_brief(value)}, not a string; put the text in quotation marks")
    if not value.strip():
        raise SourceError(f"{names[0]!r} is blank; fill it in or remove the row")
    if not _is_unicode(value):
        raise SourceError(f"{names[0]!r} holds half of a surrogate pair; re-export the file as UTF-8")
    return value


def required_answer(row: Row, *names: str) -> Any:
    """Return the first of several spellings of the answer column, of any JSON type but null.

    Raises:
        SourceError: no such column, or a blank one.
    """
    value = next((row[name] for name in names if row.get(name) is not None), None)
    if value is None or (isinstance(value, str) and not value.strip()):
        raise SourceError(f"no {names[0]!r} among its fields {sorted(map(str, row))[:12]}; add it")
    return value


def optional_text(row: Row, *names: str) -> str | None:
    """Return the first of several spellings of a column that may be absent or blank."""
    if not any(row.get(name) not in (None, "") for name in names):
        return None
    return required_text(row, *names)


def optional_level(value: Any) -> int | None:
    """Return the level of ``3``, ``"3"`` or ``"Level 3"``; None for anything else (MATH has ``Level ?``)."""
    if isinstance(value, bool):
        return None
    found = LEVEL.fullmatch(str(value).strip()) if value is not None else None
    return int(found.group(1)) if found else None


def row_number(row: Row, position: int) -> int:
    """Return the row's number in the official file: its ``idx`` where it has one, else its position here."""
    number = row.get("idx")
    return number if isinstance(number, int) and not isinstance(number, bool) and number >= 0 else position


def count_steps(solution: str) -> int:
    """Count the non-empty lines of a gold solution before ``####`` (methods §1.8)."""
    return sum(1 for line in solution.split(FINAL_MARK)[0].splitlines() if line.strip())


def _brief(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
