"""Holds how the page writes numbers: thousands, percentages, intervals, money, and the dash for nothing.

Never decides what is printed, only how.
"""

from __future__ import annotations

import math

NONE = "—"
THIN = "\u202f"
MINUS = "\u2212"


def count(n: int) -> str:
    """Write a count with its thousands separated: 1,319."""
    return f"{n:,}".replace("-", MINUS)


def counted(n: int, noun: str) -> str:
    """Write a count and its noun, e.g. ``1 item``, ``24 items``."""
    return f"{count(n)} {noun}" if n == 1 else f"{count(n)} {noun}s"


def real(value: float | None, decimals: int = 2) -> str:
    """Write a number with fixed decimals and a true minus sign; the dash where there is none."""
    if value is None or math.isnan(value):
        return NONE
    written = f"{value:,.{decimals}f}"
    return written.lstrip("-") if float(written.replace(",", "")) == 0 else written.replace("-", MINUS)


def percent(value: float | None, decimals: int = 1) -> str:
    """Write a fraction as a percentage: 40.8 %."""
    return NONE if value is None or math.isnan(value) else f"{real(100 * value, decimals)}{THIN}%"


def supported_decimals(low: float, high: float) -> int:
    """Return how many decimals an interval supports: two digits of its half-width, between 0 and 3."""
    half = (high - low) / 2
    if not half > 0:
        return 1
    return min(max(1 - math.floor(math.log10(half)), 0), 3)


def percent_estimate(value: float | None, low: float | None, high: float | None) -> tuple[str, str]:
    """Write a share and its interval with the digits the interval supports: ``40.8 %``, ``38.1–43.5``."""
    if low is None or high is None:
        return percent(value), NONE
    decimals = supported_decimals(100 * low, 100 * high)
    return percent(value, decimals), span(100 * low, 100 * high, decimals)


def real_estimate(value: float, low: float, high: float) -> tuple[str, str]:
    """Write a number and its interval with the digits the interval supports: ``0.131``, ``0.121–0.141``."""
    decimals = supported_decimals(low, high) if not math.isnan(low) else 2
    return real(value, decimals), span(low, high, decimals)


def span(low: float, high: float, decimals: int) -> str:
    """Write an interval; ``to`` instead of a dash where an end is negative."""
    if math.isnan(low) or math.isnan(high):
        return NONE
    joint = " to " if low < 0 else "–"
    return f"{real(low, decimals)}{joint}{real(high, decimals)}"


def money(usd: float | None) -> str:
    """Write dollars with cents; small sums keep two digits; unknown prices are the dash, never 0."""
    if usd is None:
        return NONE
    decimals = 2 if usd >= 0.01 or usd == 0 else min(6, 1 - math.floor(math.log10(usd)))
    return f"${usd:,.{decimals}f}"


def listed(names: list[str] | tuple[str, ...]) -> str:
    """Join names as English does: ``a``, ``a and b``, ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
