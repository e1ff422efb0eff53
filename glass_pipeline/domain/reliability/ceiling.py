"""Holds the parametric-bootstrap ceiling: how well new twins, or the truth itself, could rank the measured jobs.

Never fits a prior's parameters (see ``priors``), and never normalises a method's score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glass_pipeline.domain.reliability.priors import PriorKind, default_prior, fit_prior
from glass_pipeline.domain.stats.intervals import Interval
from glass_pipeline.domain.stats.rank import row_spearman

Floats = NDArray[np.float64]

REPLICATES = 30
FOLDS = 5
FEWEST_JOBS = 10
"""Below this many jobs there is no ceiling."""
RESAMPLES = 100
REPLICATES_PER_RESAMPLE = 4
NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """How reliable the ranking of measured break rates is; None where every replicate is one tie."""

    prior: PriorKind
    n_jobs: int
    r: float | None
    """New-twins reliability: Spearman of the rates of two independent sets of twins, in [0, 1]."""
    r_sd: float | None
    """Standard deviation of r over replicates."""
    r_interval: Interval | None
    """r plus or minus 1.96 standard errors of resampling jobs, the prior held."""
    oracle: float | None
    """Spearman of true and measured rate: what a predictor that knows the truth would score."""
    oracle_sd: float | None
    """Standard deviation of the oracle over replicates."""

    @property
    def sqrt_r(self) -> float | None:
        """The published ceiling, sqrt(r); not the attainable maximum where many rates tie (methods §2.3)."""
        return None if self.r is None else float(np.sqrt(self.r))


class Replicates(NamedTuple):
    """Simulated re-measurements of the same jobs, each of shape ``[R, J]``."""

    rates: Floats
    """Rates drawn from each job's posterior."""
    first: Floats
    """Break rate of one set of new twins at these rates."""
    second: Floats
    """Break rate of another."""


def reliability_ceiling(
    breaks: ArrayLike, trials: ArrayLike, *, rng: np.random.Generator, prior: PriorKind | None = None
) -> Ceiling | None:
    """Estimate the ceiling by the parametric bootstrap with cross-validated empirical-Bayes posteriors.

    For each of 30 replicates: p_j ~ posterior of the prior fitted without j's fold, k1 and k2 ~ Bin(n_j, p_j);
    r = mean Spearman(k1/n, k2/n), oracle = mean Spearman(p, k1/n). Replicates come from posterior draws: those from
    the shrunken mean lose the posterior's spread and under-state r by 0.05 to 0.13.

    Args:
        breaks: k, shape ``[J]``, on the very slice, unit and stratum that is scored.
        trials: n, shape ``[J]``, 1 or more.
        rng: Source of folds and replicates.
        prior: None takes ``default_prior``.

    Returns:
        The ceiling, or None for fewer than 10 jobs.

    Raises:
        ValueError: a job without a trial.

    Source: methods §2.1.
    """
    k, n = np.asarray(breaks, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    if k.size < FEWEST_JOBS:
        return None
    if not bool(np.all(n >= 1)):
        raise ValueError("reliability: a job has no twin; leave jobs with n = 0 out.")
    kind = prior or default_prior(k.size)
    drawn = draw_replicates(k, n, kind, rng)
    r, oracle = row_spearman(drawn.first, drawn.second), row_spearman(drawn.rates, drawn.first)
    mean_r = _mean(r)
    clipped = None if mean_r is None else min(max(mean_r, 0.0), 1.0)
    return Ceiling(
        prior=kind,
        n_jobs=k.size,
        r=clipped,
        r_sd=_sd(r),
        r_interval=_job_interval(drawn, r, clipped, rng),
        oracle=_mean(oracle),
        oracle_sd=_sd(oracle),
    )


def draw_replicates(breaks: Floats, trials: Floats, kind: PriorKind, rng: np.random.Generator) -> Replicates:
    """Draw each job's rate from a posterior whose prior its own fold did not inform, and two sets of twins at it.

    Args:
        breaks: k, shape ``[J]``.
        trials: n, shape ``[J]``, 1 or more.
        kind: Prior to fit.
        rng: Source of folds and draws.
    """
    fold = rng.permutation(breaks.size) % FOLDS
    rates = np.empty((REPLICATES, breaks.size))
    for held_out in range(FOLDS):
        inside = fold == held_out
        fitted = fit_prior(breaks[~inside], trials[~inside], kind)
        rates[:, inside] = fitted.posterior_draws(breaks[inside], trials[inside], rng, REPLICATES)
    twins = trials.astype(np.int64)
    return Replicates(rates, rng.binomial(twins, rates) / trials, rng.binomial(twins, rates) / trials)


def _job_interval(drawn: Replicates, r: Floats, mean: float | None, rng: np.random.Generator) -> Interval | None:
    """Return r with the standard error of drawing other jobs, the noise of the replicates taken out."""
    if mean is None:
        return None
    jobs = drawn.rates.shape[1]
    total = np.empty(RESAMPLES)
    for number in range(RESAMPLES):
        chosen = rng.integers(jobs, size=jobs)
        rows = rng.integers(REPLICATES, size=REPLICATES_PER_RESAMPLE)
        resampled = row_spearman(drawn.first[np.ix_(rows, chosen)], drawn.second[np.ix_(rows, chosen)])
        total[number] = resampled.mean()
    noise = np.nanvar(r, ddof=1) / REPLICATES_PER_RESAMPLE if np.isfinite(r).sum() > 1 else 0.0
    known = total[np.isfinite(total)]
    if known.size < 2:
        return None
    error = NORMAL_95 * np.sqrt(max(float(known.var(ddof=1) - noise), 0.0))
    return Interval(max(mean - float(error), 0.0), min(mean + float(error), 1.0), 0.95)


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else None


def _sd(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.std(ddof=1)) if known.size > 1 else None
