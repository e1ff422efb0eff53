"""The numeric reader: exact values, every way of writing them, and no guesses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.grading.numeric import AMBIGUOUS, canonical_number, last_number
from glass_pipeline.domain.grading.policy import GradingPolicy
from glass_pipeline.domain.grading.rationals import parse_rendered, render

rationals = st.builds(Fraction, st.integers(-(10**12), 10**12), st.integers(1, 10**4))


@pytest.mark.parametrize(
    ("span", "canonical"),
    [
        ("18", "18"),
        ("+5", "5"),
        ("-0", "0"),
        ("0.0", "0"),
        ("00012", "12"),
        ("18.000", "18"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("-$160.00.", "-160"),
        ("$-160", "-160"),
        ("- $160", "-160"),
        ("−10", "-10"),
        ("–10", "-10"),
        ("$ 1,234.50", "1234.5"),
        ("US$5", "5"),
        ("Rs.500", "500"),
        ("€77", "77"),
        ("7 €", "7"),
        ("1 300", "1300"),
        ("118 000.", "118000"),
        ("1\u202f300", "1300"),
        ("1\u00a0300 km", "1300"),
        ("1\\,000", "1000"),
        ("1,\\!000,\\!000", "1000000"),
        ("$9{,}500", "9500"),
        ("**73**", "73"),
        ("`42`", "42"),
        ("(42).", "42"),
        ("42!", "42"),
        ("４２", "42"),
        ("٣", "3"),
        ("½", "0.5"),
        ("-½", "-0.5"),
        ("10½", "10.5"),
        ("10 1/2 cups", "10.5"),
        ("3-1/2", "3.5"),
        ("2 and 1/2", "2.5"),
        ("$10\\frac{1}{2}$", "10.5"),
        ("-\\dfrac12", "-0.5"),
        ("1/3", "1/3"),
        ("2/6", "1/3"),
        ("100 / 4", "25"),
        ("1.5e6", "1500000"),
        ("1.5 × 10^6", "1500000"),
        ("$1.5 \\times 10^{6}$", "1500000"),
        ("10⁶", "1000000"),
        ("1e-3", "0.001"),
        ("21 + 32 = 53", "53"),
        ("rent = $9,000 - $2,500 = $6,500", "6500"),
        ("$1,000 → $1,200", "1200"),
        ("15 cm²", "15"),
        ("5 m/s^2", "5"),
        ("25 cents", "25"),
        ("30 minutes (1800 seconds)", "30"),
        ("18 (eighteen)", "18"),
        ("1,000 or 1000", "1000"),
        ("18 eggs in 4 weeks", "18"),
        ("9 ribbons from the 3 yards of cloth", "9"),
        ("41 years old 6 years from now", "41"),
        ("three", "3"),
        ("minus five", "-5"),
        ("one hundred and five apples", "105"),
        ("about a dozen", "12"),
        ("0.30000000000000004", "0.3"),
        ("99.99999999999999", "100"),
        ("100.00000001", "100.00000001"),
        ("33.333333333333336", "33.333333333333336"),
    ],
)
def test_a_span_with_one_number_is_that_number(span: str, canonical: str) -> None:
    """Each way of writing a number gives its one canonical text."""
    assert canonical_number(span) == canonical


@pytest.mark.parametrize(
    "span",
    [
        "5 apples and 3 oranges",
        "5 to 10",
        "5-10",
        "5–10",
        "<42",
        "≥ 42",
        ">= 42",
        "\\leq 42",
        "±5",
        "~42",
        "2:1",
        "2 : 1",
        "12:30",
        "12 + 6",
        "3 * 4",
        "2^3",
        "4\\sqrt{2}",
        "4π",
        "1.234,50",
        "1.000.000",
        "1,234,56",
        "12,345,6789",
        "5,6",
        "1_000",
        "x = 3, y = 5",
        "2/0",
        "1e400",
        "9" * 5000,
        "five or six",
    ],
)
def test_what_is_not_one_number_is_ambiguous(span: str) -> None:
    """Several numbers, bounds, ratios, ranges, expressions and broken grouping are never resolved by a guess."""
    assert canonical_number(span) is AMBIGUOUS


@pytest.mark.parametrize("span", ["", "...", "inf", "nan", "none", "Tom", "x2", "12 + 6 =", "first 3 * 4 ="])
def test_what_holds_no_number_is_none(span: str) -> None:
    """Words, labels and cut-off sums are no answer."""
    assert canonical_number(span) is None


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("On day 3 he baked 18 buns.", "18"),
        ("30% of 100 is 30%", "30"),
        ("Out of 5 4 were blue", "4"),
        ("That leaves $118 500 for the roof.", "118500"),
        ("She now has 118 000 in the bank", "118000"),
        ("So the lamp costs 61 dollars (4 less).", "61"),
        ("Then the total: 3 x 20 x 7 = 420 seeds", "420"),
    ],
)
def test_prose_gives_its_last_number(line: str, canonical: str) -> None:
    """Earlier numbers of a line do not matter, what stands in brackets neither."""
    assert last_number(line) == canonical


@pytest.mark.parametrize("line", ["It must be >= 42", "the ratio is 7:13", "we add 12 + 6", "about 1.000.000"])
def test_prose_that_ends_in_no_value_is_ambiguous(line: str) -> None:
    """The last number must itself be a value, or an earlier one would be credited by accident."""
    assert last_number(line) is AMBIGUOUS


@pytest.mark.parametrize(
    ("span", "policy", "canonical"),
    [
        ("60%", GradingPolicy(percent="fraction"), "0.6"),
        ("60 percent", GradingPolicy(percent="fraction"), "0.6"),
        ("60%", GradingPolicy(), "60"),
        ("2:1", GradingPolicy(ratio="quotient"), "2"),
        ("2:00 pm", GradingPolicy(), "2"),
        ("2:00 pm", GradingPolicy(clock="ambiguous"), AMBIGUOUS),
        ("~42", GradingPolicy(approximation="value"), "42"),
        ("1.5 million", GradingPolicy(), "1500000"),
        ("70k", GradingPolicy(), "70000"),
        ("1.5 million", GradingPolicy(scale_words=False), AMBIGUOUS),
        ("three", GradingPolicy(number_words=False), None),
        ("3rd", GradingPolicy(), "3"),
        ("3rd", GradingPolicy(ordinals=False), AMBIGUOUS),
        ("₹2,50,000", GradingPolicy(), "250000"),
        ("₹2,50,000", GradingPolicy(indian_grouping=False), AMBIGUOUS),
        ("99.99999999999999", GradingPolicy(float_artefacts="kept"), "99.99999999999999"),
    ],
)
def test_policy_decides_what_has_no_right_answer(span: str, policy: GradingPolicy, canonical: object) -> None:
    """Each numeric policy changes the reading it is about."""
    assert canonical_number(span, policy=policy) == canonical


@given(rationals)
def test_the_canonical_text_of_a_rational_reads_back_as_itself(value: Fraction) -> None:
    """Rendering is the inverse of both readers, so canonical form is idempotent."""
    text = render(value)
    assert parse_rendered(text) == value
    assert canonical_number(text, policy=GradingPolicy(float_artefacts="kept")) == text


@given(rationals)
def test_negation_negates(value: Fraction) -> None:
    """The sign is read independently of the digits."""
    policy = GradingPolicy(float_artefacts="kept")
    assert canonical_number(f"-{render(abs(value))}", policy=policy) == render(-abs(value))


@given(
    st.integers(0, 10**12),
    st.sampled_from(["{:,}", "${:,}", "{:,}.00", "**{}**", "\\boxed {} apples", "({})", "{} km"]),
)
def test_formatting_does_not_change_a_number(number: int, form: str) -> None:
    """Grouping, currency, markup, zeros and units leave the value alone."""
    assert canonical_number(form.format(number)) == str(number)


@given(st.text(max_size=60))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """Hostile text gives a reading whose canonical form is stable, never an exception."""
    for reading in (canonical_number(text), last_number(text)):
        if isinstance(reading, str):
            assert canonical_number(reading) == reading
