"""Holds permutation tests.

Never knows what is permuted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from glass_pipeline.domain.stats.rank import row_pearson

PERMUTATIONS = 2000


def correlation_p_value(
    x: ArrayLike, y: ArrayLike, *, rng: np.random.Generator, permutations: int = PERMUTATIONS
) -> float:
    """Return the two-sided permutation p-value of Pearson's correlation; of Spearman's if ranks are passed.

    p = (1 + #{|r*| >= |r|}) / (1 + permutations), so it is never 0.

    Args:
        x: Shape ``[J]``.
        y: Shape ``[J]``, permuted.
        rng: Source of the permutations.
        permutations: Random permutations.

    Returns:
        p, or NaN where the correlation is undefined.

    Source: Phipson and Smyth (2010).
    """
    left, right = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    observed = float(row_pearson(left[None], right[None])[0])
    if np.isnan(observed):
        return float("nan")
    shuffled = rng.permuted(np.tile(right, (permutations, 1)), axis=1)
    null = row_pearson(np.broadcast_to(left, shuffled.shape), shuffled)
    # Permutations that only swap equal values give the observed value up to rounding: they count.
    return float((1 + np.count_nonzero(np.abs(null) >= abs(observed) - 1e-12)) / (1 + permutations))
