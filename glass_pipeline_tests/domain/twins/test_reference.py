"""What makes a sentence lean on another."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.twins.reference import has_open_pronoun, leans_back
from glass_pipeline.domain.twins.units import asked_units, units

OPEN = {
    "He has 3 pens.": True,
    "Every day he runs.": True,
    "Peter runs when he can.": False,
    "Susan runs when he can.": True,
    "The teacher counts his pens.": False,
    "Milk costs him $3.": True,
    "The box and its lid are red.": False,
    "It rains.": True,
    "Her pens are red.": True,
    "There are 40 students and he counts them.": True,
    "One student says that he counts them.": False,
}


@pytest.mark.parametrize(("sentence", "is_open"), OPEN.items())
def test_open_pronouns(sentence: str, is_open: bool) -> None:
    """A pronoun is open unless something before it in its sentence can be meant, in the right gender."""
    assert has_open_pronoun(sentence) is is_open


def test_a_free_sentence_leans_on_nothing() -> None:
    """A plain fact about a named person can stand first."""
    assert leans_back("Oscar has 14 red kites.") is None


def test_units_of_quantities() -> None:
    """A quantity has the dimension of its unit, or the noun that it counts, in the singular."""
    assert units("Oscar paid $3 for it.") == {"money"}
    assert "time" in units("Oscar ran 5 hours.")
    assert "noun:apple" in units("Oscar has 12 apples.")
    assert units("Oscar ran.") == frozenset()


def test_units_that_a_question_asks_for() -> None:
    """How many asks for a noun, how much for money, how long for time."""
    assert "noun:apple" in asked_units("How many apples are left?")
    assert asked_units("How much does the lamp cost?") == {"money"}
    assert asked_units("How long does it take?") == {"time"}
