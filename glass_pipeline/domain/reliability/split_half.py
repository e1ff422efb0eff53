"""Holds split-half reliability with the Spearman-Brown step.

Never the default: on rates with many ties it reads 0.02 to 0.05 too high (methods §2.2).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from glass_pipeline.domain.stats.rank import row_spearman

SPLITS = 30


def split_half(breaks: ArrayLike, trials: ArrayLike, *, rng: np.random.Generator, splits: int = SPLITS) -> float | None:
    """Split each job's outcomes into random halves and return the mean Spearman-Brown corrected correlation.

    Halves are drawn without replacement; of an odd number of twins the last goes to a random half. Jobs with one
    twin are left out. Each split gives 2r / (1 + r).

    Args:
        breaks: k, shape ``[J]``, whole numbers.
        trials: n, shape ``[J]``.
        rng: Source of the halves.
        splits: Random splits.

    Returns:
        The mean over splits, or None where fewer than two jobs have two twins or no split correlates.

    Source: methods §2.1.
    """
    k, n = np.asarray(breaks, dtype=np.int64), np.asarray(trials, dtype=np.int64)
    k, n = k[n >= 2], n[n >= 2]
    if k.size < 2:
        return None
    half = n // 2 + (n % 2) * rng.integers(2, size=(splits, n.size))
    first = rng.hypergeometric(np.broadcast_to(k, half.shape), np.broadcast_to(n - k, half.shape), half)
    r = row_spearman(first / half, (k - first) / (n - half))
    known = r[np.isfinite(r) & (r > -1)]
    return float(np.mean(2 * known / (1 + known))) if known.size else None
