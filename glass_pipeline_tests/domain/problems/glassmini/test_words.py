from __future__ import annotations

from fractions import Fraction

import inflect
import pytest

from glass_pipeline.domain.problems.glassmini import words


def test_plurals_are_english() -> None:
    """Every plural of the vocabulary is the one that inflect knows."""
    nouns = [ware.noun for ware in words.WARES]
    nouns += [*words.COLLECTIBLES, *words.CONTAINERS, *words.CONTENTS, *words.CROPS, *words.BAKES, words.CHILD]
    speller = inflect.engine()
    wrong = [noun for noun in nouns if speller.plural(noun.one) != noun.many]

    assert wrong == []


@pytest.mark.parametrize(
    ("value", "written"), [(3, "$3"), (Fraction(5, 2), "$2.50"), (1200, "$1,200"), (Fraction(4801, 4), "$1,200.25")]
)
def test_dollars(value: Fraction, written: str) -> None:
    """Whole dollars have no cents, cents have two digits, thousands a comma."""
    assert words.dollars(value) == written


@pytest.mark.parametrize(("value", "written"), [(1200, "1200"), (Fraction(25, 2), "12.5"), (Fraction(1, 4), "0.25")])
def test_plain(value: Fraction, written: str) -> None:
    """Golds and worked lines have neither sign nor thousands."""
    assert words.plain(value) == written


def test_articles_of_wares() -> None:
    """Each ware takes the article that inflect gives it."""
    speller = inflect.engine()

    assert all(words.article(w.noun.one) == speller.a(w.noun.one).split()[0] for w in words.WARES)
