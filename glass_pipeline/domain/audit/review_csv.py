"""Holds the sheet of a review as CSV: written for a spreadsheet, and read back whole or not at all.

Never lets a text of a benchmark become a formula, and never reads more of a row than who it is and what was said.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from glass_pipeline.domain.audit.review import SAYINGS, Said
from glass_pipeline.domain.audit.review_sample import ReviewPair
from glass_pipeline.domain.errors import BadInput

NEEDED = ("twin_id", "text_hash", "verdict")
COLUMNS = ("twin_id", "verdict", "note", "base_text", "twin_text", "gold", "family", "text_hash")
"""What the reviewer is to write comes early; what the audit said is left out, so that it does not lead them."""
FORMULA_OPENERS = tuple("=+-@\t\r")


class ReviewError(BadInput):
    """A reviewed sheet cannot be read; one sentence names file, line and field."""


def to_csv(sample: Sequence[ReviewPair]) -> str:
    """Return the sheet of a sample, its verdicts empty."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(COLUMNS)
    for pair in sample:
        texts = (pair.base_text, pair.twin_text, pair.gold)
        writer.writerow([pair.twin_id, "", "", *map(_no_formula, texts), pair.family, pair.text_hash])
    return written.getvalue()


def read_csv(text: str, pairs: Sequence[ReviewPair], file_name: str) -> dict[str, Said]:
    """Return what a reviewer said, by twin id; a row without a verdict was not reviewed.

    Args:
        text: A sheet as ``to_csv`` writes it, or any CSV with its first columns; comma, semicolon or tab.
        pairs: All pairs of the audit that the sheet was drawn from.
        file_name: For messages.

    Raises:
        ReviewError: a column is missing, a verdict is unknown, a pair is unknown, was changed since, or comes twice.
    """
    known = {pair.twin_id: pair for pair in pairs}
    said: dict[str, Said] = {}
    seen: dict[str, int] = {}
    for line, row in _rows(text, file_name):
        twin_id = row["twin_id"]
        if twin_id in seen:
            raise ReviewError(f"{file_name}, line {line}: twin_id {twin_id!r} is on line {seen[twin_id]} already.")
        seen[twin_id] = line
        if twin_id not in known:
            raise ReviewError(
                f"{file_name}, line {line}: twin_id {twin_id!r} is not in this audit; name the suite it was drawn from."
            )
        if row["text_hash"] != known[twin_id].text_hash:
            raise ReviewError(
                f"{file_name}, line {line}: text_hash: {twin_id!r} has changed since the sheet was drawn; draw anew."
            )
        verdict = _said(row["verdict"], f"{file_name}, line {line}")
        if verdict is not None:
            said[twin_id] = verdict
    if not said:
        raise ReviewError(f"{file_name}: no line has a verdict; write {', '.join(SAYINGS)} into that column.")
    return said


def _rows(text: str, file_name: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    header = text.removeprefix("\ufeff").partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter)
    try:
        missing = [name for name in NEEDED if name not in (reader.fieldnames or ())]
        if missing:
            raise ReviewError(f"{file_name}, line 1: no column {missing[0]!r}; a sheet has {', '.join(NEEDED)}.")
        for row in reader:
            yield reader.line_num, {name: (row[name] or "").strip() for name in NEEDED}
    except csv.Error as error:
        raise ReviewError(f"{file_name}, line {reader.line_num}: not CSV ({error}).") from None


def _said(verdict: str, where: str) -> Said | None:
    plain = verdict.lower().replace("-", "_").replace(" ", "_")
    if not plain:
        return None
    for saying in SAYINGS:
        if plain == saying:
            return saying
    raise ReviewError(
        f"{where}: verdict: {verdict[:40]!r} is none of {', '.join(SAYINGS)}; leave it empty if not reviewed."
    )


def _no_formula(text: str) -> str:
    """Return a text that a spreadsheet takes for text."""
    return f"'{text}" if text.startswith(FORMULA_OPENERS) else text
