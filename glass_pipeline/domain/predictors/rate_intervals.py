"""Holds intervals for the break rate of an item of which only a prediction is known, learned from held-out jobs.

Never trusts a prediction's own value: what jobs predicted alike turned out to be is what counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from glass_pipeline.domain.stats.beta_binomial import fit_beta_binomial
from glass_pipeline.domain.stats.intervals import Bounds

Floats = NDArray[np.float64]
MOST_BINS = 8
FEWEST_JOBS_IN_BIN = 50
LEVEL = 0.90


@dataclass(frozen=True, slots=True, kw_only=True)
class RateIntervals:
    """A beta distribution of true rates for each bin of predicted ones."""

    edges: tuple[float, ...]
    """Predictions at which one bin ends and the next begins, rising; one fewer than bins."""
    alphas: tuple[float, ...]
    betas: tuple[float, ...]

    def bounds(self, predictions: ArrayLike, *, level: float = LEVEL) -> Bounds:
        """Return the interval of each prediction's bin, widened where it would not hold the prediction.

        Where rates of a bin pile up at 0 (alpha <= 1 < beta) the interval starts there and leaves all of the rest
        above it; equal tails would call the most likely rates of all improbable. Likewise at 1; else tails are equal.

        Args:
            predictions: pi-hat, shape ``[J]``.
            level: Nominal coverage of the true rate.
        """
        given = np.asarray(predictions, dtype=np.float64)
        alpha, beta = self._of(given)
        below = np.where((alpha <= 1) & (beta > 1), 0.0, (1 - level) / 2)
        below = np.where((beta <= 1) & (alpha > 1), 1 - level, below)
        low, high = scipy.stats.beta.ppf(below, alpha, beta), scipy.stats.beta.ppf(below + level, alpha, beta)
        return Bounds(np.minimum(low, given), np.maximum(high, given))

    def updated(self, predictions: ArrayLike, breaks: ArrayLike, trials: ArrayLike) -> Floats:
        """Return (s pi-hat + k) / (s + n): the prediction after n solved twins, s the precision of its bin.

        Args:
            predictions: pi-hat, shape ``[J]``.
            breaks: k, shape ``[J]``.
            trials: n, shape ``[J]``; 0 returns the prediction.

        Source: methods §12.1, idea 1.
        """
        given = np.asarray(predictions, dtype=np.float64)
        alpha, beta = self._of(given)
        k, n = np.asarray(breaks, dtype=np.float64), np.asarray(trials, dtype=np.float64)
        return np.asarray(((alpha + beta) * given + k) / (alpha + beta + n))

    def to_record(self) -> dict[str, Any]:
        """Return what ``rate_intervals_from`` reads."""
        return {"edges": list(self.edges), "alphas": list(self.alphas), "betas": list(self.betas)}

    def _of(self, predictions: Floats) -> tuple[Floats, Floats]:
        bins = np.searchsorted(np.array(self.edges), predictions, side="right")
        return np.array(self.alphas)[bins], np.array(self.betas)[bins]


def rate_intervals_from(record: Mapping[str, Sequence[float]]) -> RateIntervals:
    """Return the intervals of a stored record.

    Raises:
        KeyError, TypeError, ValueError: a field is missing or is not a list of numbers.
    """
    parts = {name: tuple(float(value) for value in record[name]) for name in ("edges", "alphas", "betas")}
    return RateIntervals(**parts)


def fit_rate_intervals(predictions: ArrayLike, breaks: ArrayLike, trials: ArrayLike) -> RateIntervals | None:
    """Fit a beta-binomial to the held-out jobs of each bin of predictions, bins of equal size.

    Args:
        predictions: pi-hat of held-out jobs, shape ``[J]``.
        breaks: k, shape ``[J]``.
        trials: n >= 1, shape ``[J]``.

    Returns:
        At most eight bins of at least 50 jobs; fewer where some bin would hold one outcome only. None where all do.

    Source: methods §12.2.
    """
    given, k, n = (np.asarray(values, dtype=np.float64) for values in (predictions, breaks, trials))
    order = np.argsort(given, kind="stable")
    for bins in range(min(MOST_BINS, max(1, given.size // FEWEST_JOBS_IN_BIN)), 0, -1):
        parts = np.array_split(order, bins)
        if all(0 < k[part].sum() < n[part].sum() for part in parts):
            fitted = [fit_beta_binomial(k[part], n[part]) for part in parts]
            return RateIntervals(
                edges=tuple(float(given[part[0]]) for part in parts[1:]),
                alphas=tuple(each.alpha for each in fitted),
                betas=tuple(each.beta for each in fitted),
            )
    return None
