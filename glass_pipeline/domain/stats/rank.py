"""Holds correlations with average ranks for ties, alone and over many replicates at once.

Never tests a hypothesis (see ``permutation``).
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Return Pearson's correlation; NaN for fewer than two points or a constant side."""
    return float(row_pearson(np.atleast_2d(np.asarray(x)), np.atleast_2d(np.asarray(y)))[0])


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Return Spearman's correlation with average ranks; NaN for fewer than two points or a constant side."""
    return float(row_spearman(np.atleast_2d(np.asarray(x)), np.atleast_2d(np.asarray(y)))[0])


def row_spearman(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Spearman's correlation of each row of x with the same row of y.

    Args:
        x: Shape ``[R, J]``.
        y: Shape ``[R, J]`` or ``[1, J]``.

    Returns:
        Shape ``[R]``; NaN where a row is constant.
    """
    if x.shape[-1] == 0:
        return np.full(x.shape[0], np.nan)
    return row_pearson(scipy.stats.rankdata(x, axis=1), scipy.stats.rankdata(y, axis=1))


def row_pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Pearson's correlation of each row of x with the same row of y; shapes as in ``row_spearman``."""
    if x.shape[-1] < 2:
        return np.full(x.shape[0], np.nan)
    constant = (np.ptp(x, axis=1) == 0) | (np.ptp(y, axis=1) == 0)
    x = x - x.mean(axis=1, keepdims=True)
    y = y - y.mean(axis=1, keepdims=True)
    scale = np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return np.where(constant, np.nan, (x * y).sum(axis=1) / np.where(constant, 1.0, scale))
