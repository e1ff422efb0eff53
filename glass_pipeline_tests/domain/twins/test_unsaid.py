"""What a sentence leaves unsaid: each kind is told from the complete sentence beside it."""

from __future__ import annotations

import time

import pytest

from glass_pipeline.domain.twins.unsaid import leaves_unsaid

UNSAID = {
    "40% like tea.": "bare share",
    "Two-thirds are ripe.": "bare share",
    "3 vans that hold 9 guests, and 2 carts that hold 4 guests.": "bare share",
    "While Bo saw 5 fewer owls than Ann, and 2 more crows than Ann.": "contrast",
    "Unfortunately, Bo lost a glove.": "contrast",
    "Inside, there are 20 caps.": "contrast",
    "Due to a leak, Bo has a dry pond.": "contrast",
    "Ann buys 4 of each, but she has no car.": "pointing word",
    "Bo pays 10 percent of that, and Cy pays $3.": "pointing word",
    "Bo walked twice that distance.": "pointing word",
    "Bo does it in 6 steps.": "pointing word",
    "A hand mill can grind one in 9 seconds.": "pointing word",
    "An alternative route takes 9 minutes.": "pointing word",
    "Ann's was two yards wide.": "bare owner",
    "Bo caught 13 pieces.": "bare count",
    "Bo has 28 and Cy has two caps.": "bare count",
    "Bo drank 3 mugs.": "bare count",
    "Bo collects 4 dozen less than Ann.": "bare count",
    "Bo has 3 fewer.": "half a comparison",
    "Bo has three times as many pens.": "half a comparison",
    "Bo has three times as many pens in a box and Cy has 5 less pens than Bo.": "half a comparison",
    "Bo wrote a poem that was double in length.": "half a comparison",
    "On Friday, 9 fewer guests came.": "half a comparison",
    "Bo's crate is larger.": "half a comparison",
    "Bo paid the same.": "half a comparison",
}
COMPLETE = [
    "Ann owns 40% of a farm.",
    "Two years ago Bo was 5 years older than Ann.",
    "While hiking, Ann saw 3 owls.",
    "Inside the hut there are 20 caps.",
    "Ann buys fries that cost $4.",
    "Ann has only one in red.",
    "Ann's pond is two yards wide.",
    "Bo caught 13 pieces of cake.",
    "Bo has $28 and Cy has two caps.",
    "Bo has 3 fewer pens than Cy.",
    "Bo has three times as many pens as Cy.",
    "Bo has half as many pens and one more cap than Cy.",
    "Bo bakes 30 rolls and Cy bakes twice as many.",
    "Bo blinked 12 times.",
    "Bo is older than Cy.",
    "At the same time, Bo sings.",
    "Bo paid the same price as Cy.",
]


@pytest.mark.parametrize(("sentence", "missing"), UNSAID.items())
def test_what_is_missing_is_named(sentence: str, missing: str) -> None:
    """A sentence that an earlier one has to complete is told by what it lacks."""
    assert leaves_unsaid(sentence) == missing


@pytest.mark.parametrize("sentence", COMPLETE)
def test_a_complete_sentence_lacks_nothing(sentence: str) -> None:
    """A sentence that says all it means is free, however like the others it looks."""
    assert leaves_unsaid(sentence) is None


def test_a_very_long_sentence_is_read_in_a_moment() -> None:
    """A hostile run of comparatives is read within a second: what completes one is looked for near by only."""
    started = time.process_time()

    assert leaves_unsaid("Bo is " + "less " * 4_000 + "than Al, and Cy is less.") == "half a comparison"
    assert time.process_time() - started < 1
