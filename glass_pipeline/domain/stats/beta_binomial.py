"""Holds the beta-binomial distribution fitted to many (k, n) counts by maximum likelihood.

Never knows what is counted, and never draws.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

LOG_PRECISION = (-5.0, 9.0)
"""Range of log(alpha + beta) (methods §2.1); its upper end stands for 'all share one rate'."""
LOGIT_MEAN = (-12.0, 12.0)
START_LOG_PRECISIONS = (0.0, 3.0)


class BetaPrior(NamedTuple):
    """A Beta(alpha, beta) distribution of rates."""

    alpha: float
    beta: float

    @property
    def mean(self) -> float:
        """Expected rate."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def precision(self) -> float:
        """Sum alpha + beta: prior observations the distribution is worth."""
        return self.alpha + self.beta


class CountTable(NamedTuple):
    """Distinct (k, n) pairs and how many units have each."""

    successes: NDArray[np.float64]
    trials: NDArray[np.float64]
    units: NDArray[np.float64]
    row_of_unit: NDArray[np.intp]
    """Row of the table that belongs to each unit, shape ``[J]``."""


def count_table(successes: ArrayLike, trials: ArrayLike) -> CountTable:
    """Collapse the counts of J units to their distinct pairs, which is all that a likelihood needs.

    Raises:
        ValueError: shapes differ, or a count is not in 0 <= k <= n.
    """
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    if k.shape != n.shape or k.ndim != 1:
        raise ValueError(f"counts: shapes {k.shape} and {n.shape} found; pass two vectors of equal length.")
    if not bool(np.all((k >= 0) & (k <= n))):
        raise ValueError("counts: a unit has k < 0 or k > n; pass successes and trials in that order.")
    pairs, row_of_unit, units = np.unique(np.stack([k, n], axis=1), axis=0, return_inverse=True, return_counts=True)
    return CountTable(pairs[:, 0], pairs[:, 1], units.astype(np.float64), row_of_unit.reshape(-1))


def fit_beta_binomial(successes: ArrayLike, trials: ArrayLike) -> BetaPrior:
    """Fit alpha and beta by maximum likelihood.

    log L = sum_j log B(k_j + alpha, n_j - k_j + beta) - log B(alpha, beta), maximised over the logit of the
    mean and the log of the precision by Nelder-Mead from two starts.

    Args:
        successes: k of each unit, shape ``[J]``.
        trials: n of each unit, shape ``[J]``; units with n = 0 carry no information.

    Raises:
        ValueError: no unit has a trial.

    Undefined when every unit has k = 0 or every unit k = n: the mean runs to its bound.

    Source: methods §2.1.
    """
    counts = count_table(successes, trials)
    total = float(counts.units @ counts.trials)
    if total == 0:
        raise ValueError("fit_beta_binomial: no unit has a trial; leave such slices out.")
    mean = (float(counts.units @ counts.successes) + 0.5) / (total + 1)

    def loss(point: NDArray[np.float64]) -> float:
        return -_log_likelihood(counts, _prior(point))

    fits = [
        scipy.optimize.minimize(
            loss,
            np.array([scipy.special.logit(mean), start]),
            method="Nelder-Mead",
            bounds=[LOGIT_MEAN, LOG_PRECISION],
            options={"xatol": 1e-4, "fatol": 1e-6},
        )
        for start in START_LOG_PRECISIONS
    ]
    return _prior(min(fits, key=lambda fit: float(fit.fun)).x)


def _prior(point: NDArray[np.float64]) -> BetaPrior:
    mean, precision = float(scipy.special.expit(point[0])), float(np.exp(point[1]))
    return BetaPrior(mean * precision, (1 - mean) * precision)


def _log_likelihood(counts: CountTable, prior: BetaPrior) -> float:
    terms = scipy.special.betaln(counts.successes + prior.alpha, counts.trials - counts.successes + prior.beta)
    return float(counts.units @ (terms - scipy.special.betaln(prior.alpha, prior.beta)))
