"""Holds numbers as exact rationals: one literal in, one canonical text out.

Never uses floating point, and never converts more than MAX_DIGITS digits or a power beyond MAX_EXPONENT.
"""

from __future__ import annotations

import re
from fractions import Fraction

MAX_DIGITS = 100
MAX_EXPONENT = 100

_FLOAT_DIGITS = 15
_SHORT_DIGITS = 10
_RELATIVE_ERROR = Fraction(1, 10**12)
_CANONICAL = re.compile(r"-?\d{1,15}(?:\.\d{1,14})?")


def parse_decimal(literal: str, *, exponent: int = 0) -> Fraction | None:
    """Return digits · 10^exponent as a rational, or None where it is too long or too large to be an answer.

    Args:
        literal: An optional sign, then digits with at most one point, thousands commas allowed: ``-1,234.50``.
        exponent: Power of ten of scientific notation.
    """
    digits = literal.replace(",", "")
    if len(digits) > MAX_DIGITS or abs(exponent) > MAX_EXPONENT:
        return None
    whole, _, decimals = digits.partition(".")
    return Fraction(int(f"{whole}{decimals}")) * Fraction(10) ** (exponent - len(decimals))


def snap(value: Fraction, significant_digits: int) -> Fraction:
    """Return the short decimal that a floating-point print-out stands for, or the value itself.

    A literal of at least 15 significant digits within 1e-12 (relative) of its rounding to about 11 is taken for that
    rounding: 99.99999999999999 for 100, 0.30000000000000004 for 0.3.
    """
    if significant_digits < _FLOAT_DIGITS or value == 0:
        return value
    magnitude = len(str(abs(value).numerator)) - len(str(value.denominator))
    step = Fraction(10) ** (magnitude - _SHORT_DIGITS)
    short = round(value / step) * step
    return short if abs(short - value) <= abs(value) * _RELATIVE_ERROR else value


def render(value: Fraction) -> str:
    """Return the one text of a rational: an integer, a terminating decimal, else ``p/q`` in lowest terms."""
    if value.denominator == 1:
        return str(value.numerator)
    places = _decimal_places(value.denominator)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def parse_rendered(text: str) -> Fraction | None:
    """Return the rational that ``render`` wrote, or None for any other text."""
    if _CANONICAL.fullmatch(text):
        return parse_decimal(text)
    numerator, slash, denominator = text.partition("/")
    if not re.fullmatch(rf"-?\d{{1,{MAX_DIGITS}}}(?:\.\d{{1,{MAX_DIGITS}}})?", numerator):
        return None
    if not slash:
        return parse_decimal(numerator)
    if not re.fullmatch(rf"[1-9]\d{{0,{MAX_DIGITS - 1}}}", denominator) or "." in numerator:
        return None
    return Fraction(int(numerator), int(denominator))


def _decimal_places(denominator: int) -> int | None:
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None
