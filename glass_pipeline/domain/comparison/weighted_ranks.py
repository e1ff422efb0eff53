"""Holds Spearman's correlation of weighted jobs, for many weightings at once.

Never draws the weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class RankPlan(NamedTuple):
    """How a vector sorts: worked out once, used for every weighting."""

    order: NDArray[np.intp]
    """Jobs from the smallest value up, shape ``[J]``."""
    starts: NDArray[np.intp]
    """Where each group of equal values begins in that order."""
    group: NDArray[np.intp]
    """Group of each job, shape ``[J]``."""


def rank_plan(values: Floats) -> RankPlan:
    """Sort a vector and find its ties.

    Args:
        values: Shape ``[J]``, at least one.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    group = np.empty(values.size, dtype=np.intp)
    group[order] = np.cumsum(first) - 1
    return RankPlan(order, np.flatnonzero(first), group)


def weighted_ranks(plan: RankPlan, weights: Floats) -> Floats:
    """Return the average rank of each job when job j occurs w_j times, centred at 0 over those occurrences.

    Args:
        plan: Of the ranked vector.
        weights: Occurrences, shape ``[J, B]``.

    Returns:
        Shape ``[J, B]``; a job that does not occur gets the rank its value would have.
    """
    sizes = np.add.reduceat(weights[plan.order], plan.starts, axis=0)
    upto = np.cumsum(sizes, axis=0)
    # The average rank of a group is (before + before + size + 1) / 2; the mean of all is (total + 1) / 2.
    centred = upto - sizes / 2 - upto[-1] / 2
    return np.asarray(centred[plan.group])


def weighted_correlation(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the weighted correlation of centred ranks for each weighting.

    Args:
        x: Centred ranks, shape ``[J, B]``.
        y: As x.
        weights: Shape ``[J, B]``.

    Returns:
        Shape ``[B]``; NaN where a side is constant.
    """
    weighted = x * weights
    spread = np.einsum("jb,jb->b", weighted, x) * np.einsum("jb,jb,jb->b", weights, y, y)
    shared = np.einsum("jb,jb->b", weighted, y)
    known = spread > 0
    return np.where(known, shared / np.sqrt(np.where(known, spread, 1.0)), np.nan)
