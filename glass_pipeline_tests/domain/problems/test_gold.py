from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.problems.gold import canonical_gold
from glass_pipeline.domain.problems.item import SourceError


@pytest.mark.parametrize(
    ("answer", "canonical"),
    [
        ("1,000", "1000"),
        ("$1,234.50", "1234.5"),
        ("51.0", "51"),
        (51.0, "51"),
        (0.1, "0.1"),
        (7, "7"),
        ("25%", "25"),
        ("-3", "-3"),
        ("−3", "-3"),
        ("-0.0", "0"),
        (".5", "0.5"),
        ("007", "7"),
        ("12.", "12"),
        ("+4", "4"),
        ("6/8", "3/4"),
        ("8/4", "2"),
        (1e22, "10000000000000000000000"),
    ],
    ids=str,
)
def test_numeric_gold_has_one_spelling(answer: Any, canonical: str) -> None:
    """A number is written without currency, thousands, percent sign and trailing zeros."""
    assert canonical_gold(answer, "numeric") == canonical


@pytest.mark.parametrize(
    "answer", ["twelve", "", "1e5", "3 apples", "1/0", "--3", True, None, [3], float("nan"), float("inf"), "9" * 401]
)
def test_what_is_no_number_is_refused(answer: Any) -> None:
    """A numeric gold that is not one decimal number or ratio is an error that says so."""
    with pytest.raises(SourceError, match="is not a number; correct it or set answer_type"):
        canonical_gold(answer, "numeric")


def test_an_integer_too_long_to_print_is_refused() -> None:
    """An integer beyond Python's limit of digits ends in a sentence, not in a traceback."""
    with pytest.raises(SourceError, match="more digits than can be read"):
        canonical_gold(10**5000, "numeric")


@given(st.integers(-(10**12), 10**12), st.integers(0, 4))
def test_numeric_gold_keeps_its_value_and_is_stable(digits: int, places: int) -> None:
    """Canonical form changes the spelling only, and is its own canonical form."""
    value = Fraction(digits, 10**places)
    written = f"{digits:+d}" if places == 0 else f"{float(value):.{places}f}"
    canonical = canonical_gold(written, "numeric")

    assert Fraction(canonical) == Fraction(written)
    assert canonical_gold(canonical, "numeric") == canonical


@pytest.mark.parametrize(("answer", "canonical"), [("b", "B"), ("(C)", "C"), ("D.", "D"), (3, "3")], ids=str)
def test_choice_gold_is_one_letter(answer: Any, canonical: str) -> None:
    """An option is named by its letter or digit alone."""
    assert canonical_gold(answer, "choice") == canonical


def test_a_choice_that_is_a_sentence_is_refused() -> None:
    """The text of an option is not its letter."""
    with pytest.raises(SourceError, match="'the red one' is not one option letter"):
        canonical_gold("the red one", "choice")


@pytest.mark.parametrize("answer_type", ["math", "exact"])
def test_text_golds_only_lose_outer_white_space(answer_type: Any) -> None:
    """LaTeX and exact answers are kept as written."""
    assert canonical_gold("  \\frac{1}{2} m ", answer_type) == "\\frac{1}{2} m"
    with pytest.raises(SourceError, match="is not text"):
        canonical_gold({"a": 1}, answer_type)
