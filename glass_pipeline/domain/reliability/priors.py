"""Holds the distributions of break rates over jobs that stand behind a ceiling, and draws from their posteriors.

Never correlates anything (see ``ceiling``).
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, Protocol

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from glass_pipeline.domain.stats.beta_binomial import CountTable, count_table, fit_beta_binomial

Floats = NDArray[np.float64]

PriorKind = Literal["npmle", "beta"]
FEWEST_JOBS_FOR_NPMLE = 300
EM_STEPS = 200
GRID_LOGITS = (math.log(0.0005 / (1 - 0.0005)), math.log(0.9995 / (1 - 0.9995)))
GRID_POINTS = 60
OUTERMOST = 1e-6


class RatePrior(Protocol):
    """A distribution of rates whose posterior can be drawn from."""

    def posterior_draws(self, breaks: Floats, trials: Floats, rng: np.random.Generator, draws: int) -> Floats:
        """Return draws of each job's rate given its k and n, shape ``[draws, J]``."""
        ...


class Beta(NamedTuple):
    """Beta(alpha, beta), conjugate to the counts."""

    alpha: float
    beta: float

    def posterior_draws(self, breaks: Floats, trials: Floats, rng: np.random.Generator, draws: int) -> Floats:
        """Draw from Beta(alpha + k, beta + n - k)."""
        return rng.beta(self.alpha + breaks, self.beta + trials - breaks, size=(draws, breaks.size))


class Discrete(NamedTuple):
    """Weights on a grid of rates."""

    points: Floats
    """Rates, increasing, shape ``[G]``."""
    weights: Floats
    """Probabilities, shape ``[G]``."""

    def posterior_draws(self, breaks: Floats, trials: Floats, rng: np.random.Generator, draws: int) -> Floats:
        """Draw grid points with probability proportional to weight times likelihood."""
        counts = count_table(breaks, trials)
        posterior = grid_likelihood(counts, self.points) * self.weights
        cumulative = np.cumsum(posterior / posterior.sum(axis=1, keepdims=True), axis=1)
        uniform = rng.random((draws, breaks.size))
        drawn = np.empty((draws, breaks.size), dtype=np.intp)
        for row, curve in enumerate(cumulative):
            jobs = np.flatnonzero(counts.row_of_unit == row)
            drawn[:, jobs] = np.searchsorted(curve, uniform[:, jobs])
        # Rounding may leave the last cumulative weight a hair below 1.
        return self.points[np.minimum(drawn, self.points.size - 1)]


def fit_prior(breaks: ArrayLike, trials: ArrayLike, kind: PriorKind) -> RatePrior:
    """Fit the distribution of rates to the counts of jobs.

    Args:
        breaks: k, shape ``[J]``.
        trials: n, shape ``[J]``, at least one of them above 0.
        kind: ``npmle`` or ``beta``.
    """
    if kind == "beta":
        prior = fit_beta_binomial(breaks, trials)
        return Beta(prior.alpha, prior.beta)
    return fit_npmle(breaks, trials)


def default_prior(jobs: int) -> PriorKind:
    """Return npmle from 300 jobs on, else beta: a wrong Beta over-states r by up to 0.045, npmle by 0.012.

    Source: methods §2.1, §2.2.
    """
    return "npmle" if jobs >= FEWEST_JOBS_FOR_NPMLE else "beta"


def fit_npmle(breaks: ArrayLike, trials: ArrayLike) -> Discrete:
    """Fit the non-parametric maximum-likelihood distribution of rates by EM on a grid.

    w_g <- mean_j w_g L_jg / sum_h w_h L_jh, 200 times from equal weights; the grid holds 1e-6, 60 points equally
    spaced on the logit scale in [0.0005, 0.9995], and 1 - 1e-6.

    Args:
        breaks: k, shape ``[J]``.
        trials: n, shape ``[J]``.

    Source: methods §2.1; Kiefer and Wolfowitz (1956), Laird (1978).
    """
    counts = count_table(breaks, trials)
    inner = scipy.special.expit(np.linspace(GRID_LOGITS[0], GRID_LOGITS[1], GRID_POINTS))
    points = np.concatenate([[OUTERMOST], inner, [1 - OUTERMOST]])
    likelihood = grid_likelihood(counts, points)
    share = counts.units / counts.units.sum()
    weights = np.full(points.size, 1 / points.size)
    for _ in range(EM_STEPS):
        weights = weights * ((share / (likelihood @ weights)) @ likelihood)
    return Discrete(points, weights)


def grid_likelihood(counts: CountTable, points: Floats) -> Floats:
    """Return the likelihood of each distinct count at each grid point, scaled to at most 1, shape ``[T, G]``."""
    k, misses = counts.successes[:, None], (counts.trials - counts.successes)[:, None]
    log = k * np.log(points) + misses * np.log1p(-points)
    return np.asarray(np.exp(log - log.max(axis=1, keepdims=True)))
