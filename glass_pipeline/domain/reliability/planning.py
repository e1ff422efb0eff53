"""Holds how many twins a wanted precision needs.

Never looks at data: rates and precisions are assumptions of a plan.
"""

from __future__ import annotations

import math

import scipy


def expected_reliability(twins: float, precision: float) -> float:
    """Return r = n / (n + s), the Pearson reliability of a rate from n twins.

    Args:
        twins: n, twins a job.
        precision: s = alpha + beta of the jobs' beta distribution, within- over between-job variance.

    Source: methods §2.5, §12.2.
    """
    return twins / (twins + precision)


def twins_for_reliability(reliability: float, precision: float) -> int:
    """Return the nearest whole number of twins a job that gives a reliability, n = s r / (1 - r).

    Args:
        reliability: r in (0, 1).
        precision: s = alpha + beta.

    Source: methods §12.2.
    """
    if not 0 < reliability < 1:
        raise ValueError(f"planning: reliability {reliability} found; it lies between 0 and 1.")
    return _nearest(precision * reliability / (1 - reliability))


def half_width(rate: float, twins: int, *, level: float = 0.95) -> float:
    """Return the half-width of one job's interval, z sqrt(p (1 - p) / n).

    Args:
        rate: p, assumed break rate.
        twins: n, 1 or more.
        level: Nominal coverage.
    """
    return float(scipy.stats.norm.ppf((1 + level) / 2)) * math.sqrt(rate * (1 - rate) / twins)


def twins_for_half_width(width: float, rate: float, *, level: float = 0.95) -> int:
    """Return the nearest whole number of twins whose interval has a half-width, n = z^2 p (1 - p) / w^2.

    Args:
        width: w, above 0.
        rate: p, assumed break rate.
        level: Nominal coverage.

    Source: methods §12.2.
    """
    if width <= 0:
        raise ValueError(f"planning: half-width {width} found; it is above 0.")
    z = float(scipy.stats.norm.ppf((1 + level) / 2))
    return _nearest(z**2 * rate * (1 - rate) / width**2)


def twins_for_training(base_cost: float, precision: float) -> int:
    """Return the nearest whole number of twins a job that trains best at a fixed number of calls, sqrt(c s).

    Args:
        base_cost: c, calls that a further job costs before its first twin, in calls of a twin.
        precision: s = alpha + beta, divided by 1 - R^2 of the predictor.

    Source: methods §12.1.
    """
    return max(1, _nearest(math.sqrt(base_cost * precision)))


def _nearest(twins: float) -> int:
    return math.floor(twins + 0.5)
