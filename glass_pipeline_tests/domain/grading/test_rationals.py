"""Exact rationals: guards, rendering, and print-outs of floating point."""

from __future__ import annotations

from fractions import Fraction

import pytest

from glass_pipeline.domain.grading.rationals import parse_decimal, parse_rendered, render, snap


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(7), "7"),
        (Fraction(-3, 2), "-1.5"),
        (Fraction(1, 8), "0.125"),
        (Fraction(2, 6), "1/3"),
        (Fraction(1, 100), "0.01"),
        (Fraction(0), "0"),
    ],
)
def test_rendering_prefers_terminating_decimals(value: Fraction, text: str) -> None:
    """Integers, then decimals, then lowest terms."""
    assert render(value) == text


def test_oversized_literals_are_no_numbers() -> None:
    """101 digits and a power of 101 are refused before any conversion."""
    assert parse_decimal("9" * 101) is None
    assert parse_decimal("1", exponent=101) is None
    assert parse_decimal("1", exponent=100) == Fraction(10) ** 100


@pytest.mark.parametrize("text", ["", "1/0", "1.5/2", "a", "1/", "--1", "9" * 500])
def test_other_texts_are_not_rendered_rationals(text: str) -> None:
    """Only what render writes is read back."""
    assert parse_rendered(text) is None


def test_only_print_outs_of_floats_are_snapped() -> None:
    """0.1 + 0.2 is 0.3; the same value with fewer digits, or a repeating decimal, is kept."""
    assert snap(Fraction("0.30000000000000004"), 17) == Fraction(3, 10)
    assert snap(Fraction("1234567.0000000001"), 17) == Fraction(1234567)
    assert snap(Fraction("100.00000001"), 11) == Fraction("100.00000001")
    assert snap(Fraction("0.3333333333333333"), 16) == Fraction("0.3333333333333333")
    assert snap(Fraction(0), 20) == 0
