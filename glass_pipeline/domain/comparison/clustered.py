"""Holds the mean difference of clustered items: its units, standard error and t interval.

Never resamples (see ``paired_bootstrap``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from glass_pipeline.domain.comparison.results import Floats
from glass_pipeline.domain.stats.intervals import Interval


class Units(NamedTuple):
    """What is drawn: items, clusters of items, or seeds."""

    sums: Floats
    """Sum of the differences of each unit, shape ``[G]``."""
    sizes: Floats
    """Number of differences of each unit, shape ``[G]``."""

    @property
    def mean(self) -> float:
        """Mean difference, sum of sums over sum of sizes."""
        return float(self.sums.sum() / self.sizes.sum())

    @property
    def identical(self) -> bool:
        """Whether all units have the same mean, up to rounding."""
        return bool(np.ptp(self.sums / self.sizes) <= 1e-12)


def units_of(deltas: Floats, clusters: tuple[str, ...] | None = None) -> Units:
    """Sum the differences of each cluster; without clusters every difference is its own unit.

    Args:
        deltas: Shape ``[I]``.
        clusters: Cluster of each difference.
    """
    if clusters is None:
        return Units(deltas, np.ones_like(deltas))
    _, code = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    sums = np.bincount(code, weights=deltas).astype(np.float64)
    return Units(sums, np.bincount(code).astype(np.float64))


def standard_error(units: Units) -> float:
    """Return the cluster-robust standard error of the mean difference.

    SE = sqrt(G / (G - 1) sum_g (s_g - mean n_g)^2) / sum_g n_g, which for units of one item is sd / sqrt(n).

    Undefined, NaN, for a single unit.

    Source: Liang and Zeger (1986); Miller, arXiv 2411.00640, with the small-sample factor G / (G - 1).
    """
    count = units.sums.size
    if count < 2:
        return float("nan")
    residual = units.sums - units.mean * units.sizes
    return float(np.sqrt(count / (count - 1) * (residual**2).sum()) / units.sizes.sum())


def t_interval(units: Units, *, level: float = 0.95) -> Interval:
    """Return mean +- t_(G - 1) SE.

    Args:
        units: At least two.
        level: Nominal coverage in (0, 1).

    Source: methods §10.2.
    """
    reach = float(scipy.stats.t.ppf((1 + level) / 2, units.sums.size - 1)) * standard_error(units)
    return Interval(units.mean - reach, units.mean + reach, level)
