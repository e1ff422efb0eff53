"""Holds the sign-flip test of a mean paired difference: exact where the outcomes can be listed, else sampled.

Never gives a p-value of 0, and always says which of the two it is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

LARGEST_ENUMERATION = 2**16
SAMPLES = 10_000
TOLERANCE = 1e-12
"""Two sums of the same magnitudes in another order may differ by rounding: they count as equal."""


class SignFlip(NamedTuple):
    """A two-sided sign-flip test."""

    p_value: float
    exact: bool
    """Whether all sign vectors were counted."""
    outcomes: int
    """Distinct outcomes listed if exact, sign vectors drawn if not."""
    smallest_p: float
    """The smallest p-value that so many differences can give."""


def sign_flip(deltas: ArrayLike, *, rng: np.random.Generator, samples: int = SAMPLES) -> SignFlip:
    """Test whether the signs of paired differences are compatible with no difference.

    p = P(|sum_i s_i d_i| >= |sum_i d_i|) over independent fair signs s_i. Differences of one magnitude m flip
    together as m (2 Bin(count, 1/2) - count), so all 2^n vectors are counted exactly as long as these outcomes are
    at most 2^16: sixteen different magnitudes, or any number of right-or-wrong items (then it is McNemar's exact
    test). Above that, p = (1 + #{|sum*| >= |sum|}) / (1 + samples).

    Args:
        deltas: Differences, or their sums over clusters, shape ``[n]``, at least one. Zeros have no sign and drop out.
        rng: Source of sampled signs.
        samples: Sign vectors drawn where they cannot be listed.

    Returns:
        p is 1 where every difference is zero.

    Source: Fisher (1935); methods §10.1, §10.2. Phipson and Smyth (2010) for the sampled p-value.
    """
    values = np.asarray(deltas, dtype=np.float64)
    magnitudes, counts = np.unique(np.abs(values[values != 0]), return_counts=True)
    observed = abs(float(values.sum())) - TOLERANCE * max(1, values.size)
    nonzero = int(counts.sum())
    smallest = min(1.0, 2.0 ** (1 - nonzero))
    outcomes = math.prod(int(count) + 1 for count in counts)
    if outcomes <= LARGEST_ENUMERATION:
        p_value = _exact(magnitudes, counts, observed)
        return SignFlip(min(1.0, p_value), True, outcomes, smallest)
    drawn = np.zeros(samples)
    for magnitude, count in zip(magnitudes, counts, strict=True):
        drawn += magnitude * (2.0 * rng.binomial(count, 0.5, size=samples) - count)
    p_value = (1 + np.count_nonzero(np.abs(drawn) >= observed)) / (1 + samples)
    return SignFlip(float(p_value), False, samples, max(smallest, 1 / (1 + samples)))


def _exact(magnitudes: NDArray[np.float64], counts: NDArray[np.intp], observed: float) -> float:
    sums, chances = np.zeros(1), np.ones(1)
    for magnitude, count in zip(magnitudes, counts, strict=True):
        positive = np.arange(count + 1)
        sums = np.add.outer(sums, magnitude * (2.0 * positive - count)).ravel()
        chances = np.multiply.outer(chances, scipy.stats.binom.pmf(positive, count, 0.5)).ravel()
    return float(chances[np.abs(sums) >= observed].sum())
