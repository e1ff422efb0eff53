"""Holds the test that two systems are equal up to a margin (two one-sided tests).

Never reads a missing difference as equality: that is what the margin is for.
"""

from __future__ import annotations

from dataclasses import dataclass

import scipy

from glass_pipeline.domain.comparison.clustered import Units, standard_error
from glass_pipeline.domain.stats.intervals import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Whether the mean difference is shown to lie within +- margin."""

    margin: float
    p_value: float
    """The larger of the two one-sided p-values."""
    interval: Interval
    """The 1 - 2 alpha t interval, which lies within the margin exactly where p < alpha."""
    equivalent: bool
    """p < alpha."""


def equivalence(units: Units, margin: float, *, alpha: float = 0.05) -> Equivalence | None:
    """Test |mean difference| >= margin against |mean difference| < margin.

    p = max(P(T >= (mean + margin) / SE), P(T <= (mean - margin) / SE)) with T of G - 1 degrees of freedom.

    Args:
        units: Differences, summed by unit.
        margin: Largest difference that does not matter, above 0.
        alpha: Level of each one-sided test.

    Returns:
        None for fewer than two units or where all units have the same difference.

    Source: Schuirmann (1987).
    """
    if units.sums.size < 2 or units.identical:
        return None
    error, freedom = standard_error(units), units.sums.size - 1
    above = float(scipy.stats.t.sf((units.mean + margin) / error, freedom))
    below = float(scipy.stats.t.cdf((units.mean - margin) / error, freedom))
    reach = float(scipy.stats.t.ppf(1 - alpha, freedom)) * error
    p_value = max(above, below)
    return Equivalence(
        margin=margin,
        p_value=p_value,
        interval=Interval(units.mean - reach, units.mean + reach, 1 - 2 * alpha),
        equivalent=p_value < alpha,
    )
