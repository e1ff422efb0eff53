"""The sheet as CSV: safe in a spreadsheet, read back whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace

import pytest

from glass_pipeline.domain.audit.review_csv import ReviewError, read_csv, to_csv
from glass_pipeline.domain.audit.review_sample import ReviewPair

GOOD = "twin_id,verdict,note,text_hash\ntwin-0001,no_op,fine,hash-1\ntwin-0002,,,hash-2\n"


@pytest.fixture
def pairs(make_pair: Callable[..., ReviewPair]) -> list[ReviewPair]:
    """Return two audited pairs."""
    return [make_pair(1), make_pair(2)]


def test_a_written_sheet_is_read_back(pairs: list[ReviewPair]) -> None:
    """Filled in by hand, the sheet gives what was said, and pairs without a verdict were not reviewed."""
    rows = list(csv.DictReader(io.StringIO(to_csv(pairs))))
    rows[1] |= {"verdict": "Contradiction", "note": 'a "quote", and\na line'}
    filled = io.StringIO()
    writer = csv.DictWriter(filled, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)

    assert read_csv(filled.getvalue(), pairs, "review.csv") == {"twin-0002": "contradiction"}


def test_no_text_becomes_a_formula(pairs: list[ReviewPair]) -> None:
    """A text that a spreadsheet would run is quoted; what the audit said is not in the sheet."""
    odd = replace(pairs[0], base_text='=HYPERLINK("x")', twin_text="@SUM(1)", gold="-7", outcome="gold_number")

    row = next(csv.DictReader(io.StringIO(to_csv([odd]))))

    assert (row["base_text"], row["twin_text"], row["gold"]) == ('\'=HYPERLINK("x")', "'@SUM(1)", "'-7")
    assert "gold_number" not in row.values()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_spreadsheets_write_csv_in_several_ways(pairs: list[ReviewPair], delimiter: str, mark: str, end: str) -> None:
    """Semicolons, tabs, a byte order mark and other line ends are read all the same."""
    text = mark + GOOD.replace(",", delimiter).replace("\n", end)

    assert read_csv(text, pairs, "review.csv") == {"twin-0001": "no_op"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("verdict", "finding"), "review.csv, line 1: no column 'verdict'"),
        (("no_op", "fine"), "review.csv, line 2: verdict: 'fine' is none of no_op, contradiction, unsure"),
        (("twin-0002", "twin-0009"), "review.csv, line 3: twin_id 'twin-0009' is not in this audit"),
        (("twin-0002", "twin-0001"), "review.csv, line 3: twin_id 'twin-0001' is on line 2 already"),
        (("hash-2", "hash-x"), "review.csv, line 3: text_hash: 'twin-0002' has changed since"),
        (("no_op", ""), "review.csv: no line has a verdict"),
        (("fine,hash-1", '"fine,hash-1'), "review.csv, line 3: text_hash"),
    ],
    ids=["column", "verdict", "stranger", "twice", "changed", "empty", "open quote"],
)
def test_a_broken_sheet_imports_nothing(pairs: list[ReviewPair], change: tuple[str, str], message: str) -> None:
    """One sentence names file, line and field."""
    with pytest.raises(ReviewError, match=message):
        read_csv(GOOD.replace(*change), pairs, "review.csv")


def test_an_endless_field_is_refused(pairs: list[ReviewPair]) -> None:
    """Sizes are not trusted."""
    with pytest.raises(ReviewError, match="not CSV"):
        read_csv(GOOD.replace("fine", "x" * 2_000_000), pairs, "review.csv")
