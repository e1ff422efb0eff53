"""When the order of telling is the order of happening."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.twins.running_state import order_is_time

ASKS = "How many pens does Ann own?"
ASKS_LEFT = "How many pens are left in the box?"


@pytest.mark.parametrize(
    ("setup", "question"),
    [
        (["Ann has 8 pens.", "Ann gives half of a box to Bo."], ASKS),
        (["There are 50 pens in the box.", "Bo staples 9 sheets."], ASKS_LEFT),
        (["Ann bakes 60 rolls.", "Bo eats 3 rolls."], ASKS),
        (["9 gallons of tea were poured into 30 mugs.", "Bo drank 3 mugs."], ASKS),
        (["Ann met Bo.", "Ann realized the box held 9 pens."], ASKS),
    ],
)
def test_events_that_change_what_is_asked(setup: list[str], question: str) -> None:
    """A share taken, stock used up, a reaction, and a question for what an event left all need their order."""
    assert order_is_time(setup, question)


@pytest.mark.parametrize(
    ("setup", "question"),
    [
        (["Ann has 8 pens.", "Bo has 3 pens."], ASKS_LEFT),
        (["Ann buys 8 pens.", "Bo buys 3 caps."], ASKS),
        (["A goat eats 8 apples.", "A sheep eats 3 apples."], ASKS),
        (["Ann turned 9.", "Bo turned 5."], "How old is Ann now?"),
    ],
)
def test_facts_that_hold_side_by_side(setup: list[str], question: str) -> None:
    """States, purchases of different things, habits side by side and ages hold in any order."""
    assert not order_is_time(setup, question)
