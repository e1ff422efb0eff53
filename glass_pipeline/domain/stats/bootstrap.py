"""Holds the cluster bootstrap: whole clusters are drawn with replacement.

Never knows what a cluster is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glass_pipeline.domain.stats.intervals import Interval

Floats = NDArray[np.float64]
RESAMPLES = 2000
BATCH = 100
"""Resamples held in memory at once."""


def cluster_interval(
    columns: Sequence[ArrayLike],
    statistic: Callable[..., Floats],
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval | None:
    """Return the percentile interval of a statistic under resampling of clusters.

    Args:
        columns: What each cluster contributes, vectors of shape ``[J]`` that are drawn together.
        statistic: Maps columns of shape ``[B, J]`` to one value for each resample, shape ``[B]``.
        rng: Source of the resamples.
        level: Nominal coverage in (0, 1).
        resamples: Bootstrap replicates; those without a value (0/0) are left out.

    Returns:
        The interval, or None for fewer than two clusters or where no replicate has a value.

    Source: Efron and Tibshirani (1993), chapter 13.
    """
    data = tuple(np.asarray(column, dtype=np.float64) for column in columns)
    if data[0].size < 2:
        return None
    jobs = data[0].size
    parts = []
    for batch in _batches(resamples):
        chosen = rng.integers(jobs, size=(batch, jobs))
        parts.append(statistic(*(column[chosen] for column in data)))
    drawn = np.concatenate(parts)
    known = drawn[np.isfinite(drawn)]
    if not known.size:
        return None
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)


def ratio_interval(
    numerators: ArrayLike,
    denominators: ArrayLike,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval | None:
    """Return the interval of sum(numerators) / sum(denominators) under resampling of clusters.

    A mean over clusters is the ratio whose denominators are all 1.

    Args:
        numerators: One sum for each cluster, shape ``[J]``.
        denominators: One weight for each cluster, 0 or more, shape ``[J]``.
        rng: Source of the resamples.
        level: Nominal coverage in (0, 1).
        resamples: Bootstrap replicates.

    Returns:
        As ``cluster_interval``.

    Source: methods §1.9.
    """
    return cluster_interval((numerators, denominators), _ratio, rng=rng, level=level, resamples=resamples)


def ratio_difference_interval(
    numerators: tuple[ArrayLike, ArrayLike],
    denominators: tuple[ArrayLike, ArrayLike],
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval | None:
    """Return the interval of the difference of two ratios whose clusters are the same.

    Args:
        numerators: Sums of each cluster, first and second ratio, each of shape ``[J]``.
        denominators: Weights of each cluster, first and second ratio, each of shape ``[J]``.
        rng: Source of the resamples; both ratios use the same ones.
        level: Nominal coverage in (0, 1).
        resamples: Bootstrap replicates.

    Returns:
        As ``cluster_interval``.

    Source: methods §12.2.
    """
    columns = (numerators[0], denominators[0], numerators[1], denominators[1])

    def difference(top: Floats, bottom: Floats, other_top: Floats, other_bottom: Floats) -> Floats:
        return _ratio(top, bottom) - _ratio(other_top, other_bottom)

    return cluster_interval(columns, difference, rng=rng, level=level, resamples=resamples)


def _ratio(top: Floats, bottom: Floats) -> Floats:
    below = bottom.sum(axis=1)
    return np.asarray(np.where(below > 0, top.sum(axis=1) / np.where(below > 0, below, 1.0), np.nan))


def _batches(resamples: int) -> list[int]:
    return [min(BATCH, resamples - start) for start in range(0, resamples, BATCH)]
