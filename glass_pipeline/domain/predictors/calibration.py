"""Holds the calibration of raw outputs to break rates: a least-squares line on validation jobs, clipped to [0, 1].

Never changes the order of predictions but by clipping, or by a line that falls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Line(NamedTuple):
    """intercept + slope x, clipped to [0, 1]."""

    intercept: float
    slope: float

    def __call__(self, raw: Floats) -> Floats:
        """Return calibrated rates."""
        return np.clip(self.intercept + self.slope * raw, 0.0, 1.0)


def calibrate(raw: Floats, target: Floats) -> Line:
    """Fit the line; the identity where there are fewer than two points or the raw outputs do not vary.

    Source: methods §7.1.
    """
    if raw.size < 2 or np.ptp(raw) == 0:
        return Line(0.0, 1.0)
    slope = float(np.cov(raw, target, ddof=0)[0, 1] / raw.var())
    return Line(float(target.mean() - slope * raw.mean()), slope)
