from __future__ import annotations

import random
from fractions import Fraction

import pytest

from glass_pipeline.domain.problems.glassmini.words import Noun
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet


@pytest.fixture
def sheet() -> Worksheet:
    """A sheet of one step, which writes digits only."""
    return Worksheet(random.Random(1), "test", 1)


def test_lines_are_written_as_in_gsm8k(sheet: Worksheet) -> None:
    """A worked line shows the calculation, its annotation and its result; money has its sign before the result."""
    sheet.times(3, Fraction(5, 2), "The pens cost ${}.")
    sheet.over(15, 2, "Each takes {} hours.")
    sheet.percent(25, 80, "{} of them swim.")
    sheet.ask(20, "How many?")

    assert sheet.solution.split("\n") == [
        "The pens cost 3*2.5=$<<3*2.5=7.5>>7.5.",
        "Each takes 15/2=<<15/2=7.5>>7.5 hours.",
        "80*25/100=<<80*25/100=20>>20 of them swim.",
        "#### 20",
    ]


def test_a_person_is_introduced_by_name(sheet: Worksheet) -> None:
    """Until a sentence has named the lead, no pronoun stands for them, however often one is asked for."""
    assert [sheet.who(), sheet.who()] == [sheet.lead.name] * 2


def test_counts_agree_with_nouns(sheet: Worksheet) -> None:
    """One takes the singular, thousands a comma."""
    assert [sheet.many(n, Noun("box", "boxes")) for n in (1, 2, 1200)] == ["1 box", "2 boxes", "1,200 boxes"]
