"""Holds confidence intervals for one proportion.

Never knows what is counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray


class Interval(NamedTuple):
    """A two-sided interval and its nominal level."""

    low: float
    high: float
    level: float


class Bounds(NamedTuple):
    """Lower and upper ends of many intervals, in the order of the data."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


def wilson(successes: int, trials: int, *, level: float = 0.95) -> Interval:
    """Return Wilson's score interval of a proportion.

    Args:
        successes: Number of successes, 0 to ``trials``.
        trials: Number of independent trials, at least 1.
        level: Nominal coverage in (0, 1).

    Source: Wilson (1927), by ``scipy.stats.binomtest``.
    """
    found = scipy.stats.binomtest(successes, trials).proportion_ci(confidence_level=level, method="wilson")
    return Interval(float(found.low), float(found.high), level)


def jeffreys(successes: ArrayLike, trials: ArrayLike, *, level: float = 0.90) -> Bounds:
    """Return Jeffreys' equal-tailed intervals, quantiles of Beta(k + 1/2, n - k + 1/2).

    Args:
        successes: k of each proportion, shape ``[J]``.
        trials: n of each proportion, shape ``[J]``, 0 or more.
        level: Nominal coverage in (0, 1).

    Source: Brown, Cai and DasGupta (2001), without their change of the ends at k = 0 and k = n.
    """
    return beta_posterior(successes, trials, alpha=0.5, beta=0.5, level=level)


def beta_posterior(
    successes: ArrayLike, trials: ArrayLike, *, alpha: float, beta: float, level: float = 0.90
) -> Bounds:
    """Return equal-tailed posterior intervals of proportions under a Beta(alpha, beta) prior.

    Args:
        successes: k of each proportion, shape ``[J]``.
        trials: n of each proportion, shape ``[J]``, 0 or more.
        alpha: First prior parameter, above 0.
        beta: Second prior parameter, above 0.
        level: Posterior probability of the interval, in (0, 1).
    """
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    tail = (1 - level) / 2
    low = scipy.stats.beta.ppf(tail, k + alpha, n - k + beta)
    high = scipy.stats.beta.ppf(1 - tail, k + alpha, n - k + beta)
    return Bounds(np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64))
