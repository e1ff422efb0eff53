"""Holds corrections for many tests at once.

Never tests anything itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return Holm's adjusted p-values, in the order given.

    p~_(i) = max over l <= i of min(1, (m - l + 1) p_(l)), which controls the family-wise error.

    Args:
        p_values: Shape ``[m]``, each in [0, 1].

    Source: Holm (1979).
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
