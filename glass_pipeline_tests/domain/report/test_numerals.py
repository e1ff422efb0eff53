"""Tests of how numbers are written."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.report import numerals


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (numerals.count(1319), "1,319"),
        (numerals.counted(1, "item"), "1 item"),
        (numerals.counted(0, "item"), "0 items"),
        (numerals.real(-0.004), "0.00"),
        (numerals.real(-1234.5), "−1,234.50"),
        (numerals.real(None), "—"),
        (numerals.real(float("nan")), "—"),
        (numerals.percent(0.408), "40.8\u202f%"),
        (numerals.percent(None), "—"),
        (numerals.span(-0.1, 0.2, 1), "−0.1 to 0.2"),
        (numerals.span(float("nan"), 1, 1), "—"),
        (numerals.money(None), "—"),
        (numerals.money(0.0), "$0.00"),
        (numerals.money(1234.5), "$1,234.50"),
        (numerals.money(0.00123), "$0.0012"),
        (numerals.listed([]), ""),
        (numerals.listed(["a", "b", "c"]), "a, b and c"),
    ],
)
def test_numbers_are_written_as_people_read_them(written: str, expected: str) -> None:
    """Thousands, true minus signs, thin spaces, and a dash for nothing."""
    assert written == expected


@pytest.mark.parametrize(
    ("low", "high", "decimals"),
    [(38.1, 43.5, 1), (0.85, 1.41, 2), (20.0, 60.0, 0), (0.701, 0.748, 3), (0.5, 0.5, 1)],
)
def test_an_interval_supports_two_digits_of_its_half_width(low: float, high: float, decimals: int) -> None:
    """Half-widths of 2.7, 0.28, 20 and 0.0235 support 1, 2, 0 and 3 decimals; none at all, one."""
    assert numerals.supported_decimals(low, high) == decimals


def test_an_estimate_is_written_with_its_interval() -> None:
    """507 of 1,243 with Wilson's interval reads as in the paper."""
    assert numerals.percent_estimate(507 / 1243, 0.3808, 0.4354) == ("40.8\u202f%", "38.1–43.5")


def test_an_estimate_without_an_interval_says_so() -> None:
    """A missing end is the dash."""
    assert numerals.percent_estimate(0.5, None, None) == ("50.0\u202f%", "—")
