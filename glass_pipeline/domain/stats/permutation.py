"""Holds permutation tests.

Never knows what is permuted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glass_pipeline.domain.stats.rank import row_pearson

Floats = NDArray[np.float64]
Orders = NDArray[np.int32]
PERMUTATIONS = 2000
BATCH = 500
"""Permutations held in memory at once."""


def correlation_p_value(
    x: ArrayLike, y: ArrayLike, *, rng: np.random.Generator, permutations: int = PERMUTATIONS
) -> float:
    """Return the two-sided permutation p-value of Pearson's correlation; of Spearman's if ranks are passed.

    Args:
        x: Shape ``[J]``.
        y: Shape ``[J]``, permuted.
        rng: Source of the permutations.
        permutations: Random permutations.

    Returns:
        p, or NaN where the correlation is undefined.
    """
    left = np.asarray(x, dtype=np.float64)
    return float(correlation_p_values(left[None], y, random_orders(left.size, rng=rng, permutations=permutations))[0])


def random_orders(size: int, *, rng: np.random.Generator, permutations: int = PERMUTATIONS) -> Orders:
    """Return random orders of ``size`` units, shape ``[permutations, size]``."""
    return rng.permuted(np.tile(np.arange(size, dtype=np.int32), (permutations, 1)), axis=1)


def correlation_p_values(x: ArrayLike, y: ArrayLike, orders: Orders) -> Floats:
    """Return the two-sided permutation p-values of several variables' correlations with one that all share.

    p = (1 + #{|r*| >= |r|}) / (1 + permutations), so it is never 0.

    Args:
        x: Shape ``[T, J]``.
        y: Shape ``[J]``, permuted.
        orders: Of ``random_orders``; drawing them costs most, so tests of the same units share them.

    Returns:
        p of each row, shape ``[T]``; NaN where its correlation is undefined.

    Source: Phipson and Smyth (2010).
    """
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    observed = np.abs(row_pearson(left, right[None]))
    if np.isnan(observed).all():
        return observed
    left, right = _directions(left), _directions(right[None])[0]
    exceeded = np.zeros(len(left))
    for start in range(0, len(orders), BATCH):
        null = np.abs(right[orders[start : start + BATCH]] @ left.T)
        # Permutations that only swap equal values give the observed value up to rounding: they count.
        exceeded += (null >= observed - 1e-12).sum(axis=0)
    return np.where(np.isnan(observed), np.nan, (1 + exceeded) / (1 + len(orders)))


def _directions(rows: Floats) -> Floats:
    """Return centred rows of length 1, so that products are correlations; a constant row becomes zeros."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    length = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    return np.asarray(centred / np.where(length > 0, length, 1.0))
