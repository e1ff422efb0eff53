"""Holds the pooled rate over items with an interval, each item one cluster.

Never holds an estimand: what is counted comes from the tables.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from glass_pipeline.domain.stats.bootstrap import ratio_interval
from glass_pipeline.domain.stats.intervals import wilson


class Estimate(NamedTuple):
    """A rate, the ends of its 95 % interval, and how many observations it rests on."""

    value: float
    low: float
    high: float
    n: int


def clustered_rate(
    breaks: npt.NDArray[np.int64], observations: npt.NDArray[np.int64], *, rng: np.random.Generator
) -> Estimate:
    """Return sum(k_j) / sum(n_j) with its interval under resampling of items.

    Where every or no observation breaks, and for one item alone, resampling cannot leave the boundary: the
    interval is then Wilson's over items, which are what is independent (as for the identity floor).

    Args:
        breaks: k_j of each item, shape ``[J]``.
        observations: n_j of each item, shape ``[J]``, all positive.
        rng: Source of the resamples.

    Raises:
        ValueError: no items.

    Source: methods §1.9.
    """
    if observations.size == 0:
        raise ValueError("clustered_rate of no items is undefined; say on the page that there are none.")
    total, broken = int(observations.sum()), int(breaks.sum())
    rate = broken / total
    interval = ratio_interval(breaks, observations, rng=rng) if 0 < broken < total else None
    found = interval or wilson(round(rate * observations.size), int(observations.size))
    return Estimate(rate, found.low, found.high, total)
