"""Numbers in running text, read as values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.twins.quantities import gold_value, value_list, values

TEXTS = {
    "grouped": ("It holds 1,000 pens.", {1000}),
    "trailing zero": ("It weighs 3.0 kg.", {3}),
    "number word": ("It holds one thousand pens.", {1000}),
    "hyphenated word": ("He has twenty-five.", {25}),
    "leading dot": ("It costs $.20 more.", {Fraction(1, 5)}),
    "price": ("It costs $1,234.50.", {Fraction(2469, 2)}),
    "space in money": ("It costs $400 000 today.", {400000}),
    "fraction": ("He ate 3/4 of it.", {Fraction(3, 4)}),
    "mixed number": ("He ran 2 1/2 miles.", {Fraction(5, 2)}),
    "vulgar fraction": ("He ran 2½ miles.", {Fraction(5, 2)}),
    "range": ("It takes 5-10 days.", {5, 10}),
    "negative": ("It was -4 degrees.", {-4}),
    "scaled": ("It made $3 million.", {3_000_000}),
    "percent": ("Tax is 5%.", {5}),
    "ordinal": ("He was 5th.", set()),
    "inside a token": ("Model A5 and B15x.", set()),
    "half": ("He ate half.", {Fraction(1, 2)}),
}


@pytest.mark.parametrize(
    ("text", "part"),
    [("two-thirds of it", Fraction(2, 3)), ("three quarters", Fraction(3, 4)), ("a sixth of it", Fraction(1, 6))],
)
def test_parts_in_words(text: str, part: Fraction) -> None:
    """A fraction in words is a value; a rank in words is none."""
    assert part in values(text)
    assert values("a sixth place") == set()


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_values_of_a_text(text: str, expected: set[int]) -> None:
    """Every spelling of a quantity gives its value, and digits of other things give none."""
    assert values(text) == expected


def test_two_dozen_is_a_value() -> None:
    """A scaled dozen counts as its product, beside the plain dozen."""
    assert Fraction(24) in values("She has two dozen eggs.")


def test_repeats_are_counted() -> None:
    """The list keeps a value as often as it is stated."""
    assert value_list("3 pens, three caps and 30 pins").count(Fraction(3)) == 2


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        ("18", 18),
        ("1,000", 1000),
        ("3.0", 3),
        ("-5", -5),
        ("$20", 20),
        ("50%", 50),
        ("3/4", Fraction(3, 4)),
        (r"\frac{1}{2}", Fraction(1, 2)),
        (r"-\dfrac{3}{4}", Fraction(-3, 4)),
        (r"\frac{1}{0}", None),
        ("x+1", None),
        ("", None),
        ("9" * 500, None),
    ],
)
def test_gold_values(gold: str, expected: int | None) -> None:
    """A canonical answer that is a plain number has a value; nothing else has."""
    assert gold_value(gold) == expected


@given(st.integers(0, 10**12))
def test_grouping_never_changes_a_value(number: int) -> None:
    """1234567 and 1,234,567 are one value, as text and as gold."""
    assert values(f"It holds {number:,} pens.") == values(f"It holds {number} pens.") == {number}
    assert gold_value(f"{number:,}") == number


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Hostile text gives values or none, never an exception."""
    assert isinstance(values(text), frozenset)
    gold_value(text)
