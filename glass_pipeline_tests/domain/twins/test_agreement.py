"""He and she: somebody of that gender stands before them, or the text is not renamed."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.twins.agreement import EITHER, has_orphaned_pronoun
from glass_pipeline.domain.twins.tokens import tokens_of

PEOPLE = {"wilma": "female", "victor": "male", "okoye": EITHER}


@pytest.mark.parametrize(
    "text",
    [
        "Wilma has 3 pens. She buys 2.",
        "After she woke, Wilma ate 3 figs.",
        "In his barn, Mr. Ostrander keeps 9 goats.",
        "Wilma has a brother. He owns 4 kites.",
        "Wilma asked a man for 3 coins, and he gave them.",
        "Okoye sold 8 lamps. She kept 2. He kept 1.",
        "Dr. Ostrander sold 8 lamps and she kept 2.",
        "Victor thinks he'll win 5 games.",
        "The shop sells pens. They cost $3.",
    ],
)
def test_somebody_can_be_meant(text: str) -> None:
    """A name, a title or a singular noun of the gender stands before; a name may also follow in its sentence."""
    assert not has_orphaned_pronoun(tokens_of(text), PEOPLE)


@pytest.mark.parametrize(
    "text",
    [
        "Wilma has 3 pens. He buys 2.",
        "Wilma likes chess. He plays a game with his brother Victor.",
        "Wilma hires men and women. How many men does he hire?",
        "Victor gave 6 pens to her friends.",
        "Victor has a teacher. The teacher told her to find 4 chairs.",
        "Victor was asked by her mom to buy 3 eggs.",
        "In her barn are goats. Wilma counts 9.",
        "Wilma knows that he’d pay $4.",
        "She has 3 pens.",
        "Victor has 3 coins. He visits her friend Wilma.",
    ],
)
def test_nobody_can_be_meant(text: str) -> None:
    """Plurals, nouns of no gender, nouns that come later and names of later sentences are nobody's antecedent."""
    assert has_orphaned_pronoun(tokens_of(text), PEOPLE)
