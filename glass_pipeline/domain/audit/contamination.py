"""Holds the rate of contradictions among pairs, estimated from a sample by outcome.

Never knows what a contradiction is, and never calls a rate of nothing zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import scipy

from glass_pipeline.domain.stats.intervals import Interval

LEVEL = 0.95


class Stratum(NamedTuple):
    """What was found in one stratum."""

    size: int
    """N_h: pairs in it."""
    found: int
    """x_h: of the sampled pairs, those with the property."""
    sampled: int
    """n_h: pairs that were looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share with both intervals."""

    rate: float
    n_sampled: int
    n_effective: float
    """Size of a simple random sample that would tell as much."""
    wilson: Interval
    clopper_pearson: Interval


def stratified_rate(strata: Sequence[Stratum], *, level: float = LEVEL) -> Rate | None:
    """Return the share of a property over strata that were sampled at different rates.

    p = Σ W_h x_h/n_h with W_h = N_h/N. Both intervals take the sample for one of n_eff = 1/Σ(W_h²/n_h) pairs with
    p·n_eff finds (Kish's design effect of unequal weights); with one stratum they are the usual ones.

    Args:
        strata: Strata, those without pairs are left out.
        level: Nominal coverage in (0, 1).

    Returns:
        The rate, or None where there is no pair or some stratum was not looked at.

    Source: Kish (1965); Korn and Graubard (1998) for Clopper-Pearson with an effective sample size.
    """
    present = [stratum for stratum in strata if stratum.size]
    if not present or not all(stratum.sampled for stratum in present):
        return None
    total = sum(stratum.size for stratum in present)
    weights = [stratum.size / total for stratum in present]
    rate = math.fsum(w * stratum.found / stratum.sampled for w, stratum in zip(weights, present, strict=True))
    n = 1 / math.fsum(w * w / stratum.sampled for w, stratum in zip(weights, present, strict=True))
    return Rate(
        rate=rate,
        n_sampled=sum(stratum.sampled for stratum in present),
        n_effective=n,
        wilson=_wilson(rate, n, level),
        clopper_pearson=_clopper_pearson(rate * n, n, level),
    )


def _wilson(rate: float, n: float, level: float) -> Interval:
    """Return (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)."""
    z = float(scipy.stats.norm.ppf(0.5 + level / 2))
    centre = rate + z * z / (2 * n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return Interval(max((centre - half) / scale, 0.0), min((centre + half) / scale, 1.0), level)


def _clopper_pearson(found: float, n: float, level: float) -> Interval:
    """Return the quantiles of Beta(x, n - x + 1) and Beta(x + 1, n - x), which are 0 and 1 at the ends."""
    tail = (1 - level) / 2
    low = 0.0 if found <= 0 else float(scipy.stats.beta.ppf(tail, found, n - found + 1))
    high = 1.0 if found >= n else float(scipy.stats.beta.ppf(1 - tail, found + 1, n - found))
    return Interval(low, high, level)
