"""Holds what a paired comparison could detect: smallest difference, items needed.

Never looks at an observed difference.
"""

from __future__ import annotations

import math

import scipy

POWER = 0.8
LEVEL = 0.95


def smallest_detectable(standard_error: float, *, level: float = LEVEL, power: float = POWER) -> float:
    """Return the difference that a two-sided test finds with the given power, (z_(1 - alpha/2) + z_power) SE.

    Args:
        standard_error: Of the mean difference, 0 or more.
        level: 1 - alpha, in (0, 1).
        power: Chance of finding it, in (0, 1).

    Source: methods §10.2 and §10.4 (2.8 SE for 95 % and 80 %); Miller, arXiv 2411.00640.
    """
    return float(_quantiles(level, power) * standard_error)


def paired_standard_error(discordance: float, n_items: int) -> float:
    """Return the standard error of a difference of two accuracies on the same items, sqrt(p_d / n).

    Args:
        discordance: p_d, share of items that exactly one system solves, in [0, 1]. The square of the difference
            itself, at most p_d^2, is left out, so the error is rather too large.
        n_items: At least 1.

    Source: methods §10.2.
    """
    return math.sqrt(discordance / n_items)


def items_needed(delta: float, discordance: float, *, level: float = LEVEL, power: float = POWER) -> int:
    """Return the number of items at which a difference of two accuracies becomes detectable.

    n = (z_(1 - alpha/2) + z_power)^2 p_d / delta^2, rounded up.

    Args:
        delta: Difference to find, not 0.
        discordance: p_d, in [0, 1].
        level: 1 - alpha, in (0, 1).
        power: Chance of finding it, in (0, 1).

    Source: methods §10.2, solved for n.
    """
    return math.ceil(_quantiles(level, power) ** 2 * discordance / delta**2)


def _quantiles(level: float, power: float) -> float:
    return float(scipy.stats.norm.ppf((1 + level) / 2) + scipy.stats.norm.ppf(power))
