"""Holds what a pilot's labels say about a larger study: how many twins, jobs and calls a wanted precision needs.

Never promises more than its assumption: that further jobs are drawn as the pilot's were.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import polars as pl
import scipy

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.reliability.planning import (
    expected_reliability,
    twins_for_half_width,
    twins_for_reliability,
)
from glass_pipeline.domain.stats.beta_binomial import fit_beta_binomial

FEWEST_JOBS = 10
"""Jobs with a break rate below which a pilot says nothing about their spread."""
POWER, LEVEL = 0.8, 0.05


class PilotError(BadInput):
    """A pilot is too small, or a wanted precision cannot be had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """What was found on the jobs that were measured."""

    jobs: int
    twins_per_job: float
    """Mean number of eligible twins."""
    mean_pi: float
    """Mean of the fitted beta distribution of break rates."""
    precision: float
    """s = alpha + beta of that distribution: the smaller, the more jobs differ."""
    reliability: float
    """n / (n + s) at the pilot's mean n."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What one wanted precision takes."""

    wanted: str
    twins_per_job: int
    jobs: int
    calls: int
    """Twin samples, plus base samples of one dose run."""


def pilot_of(jobs: pl.DataFrame) -> Pilot:
    """Fit a pilot.

    Args:
        jobs: ``n`` and ``k`` of every job, e.g. the pooled slice of ``schemas.CAUSAL_DIFFICULTY``; jobs with
            n = 0 or outside the stratum must have been left out.

    Raises:
        PilotError: fewer than ten jobs, or no break, or nothing but breaks.
    """
    if jobs.height < FEWEST_JOBS:
        raise PilotError(f"A pilot of {jobs.height} jobs says too little; label at least {FEWEST_JOBS} solvable jobs.")
    n, k = int(jobs["n"].sum()), int(jobs["k"].sum())
    if k in (0, n):
        raise PilotError(f"{k} of {n} twins of the pilot broke, so nothing can be said of how jobs differ; label more.")
    prior = fit_beta_binomial(jobs["k"].to_numpy(), jobs["n"].to_numpy())
    twins = n / jobs.height
    return Pilot(
        jobs=jobs.height,
        twins_per_job=twins,
        mean_pi=prior.mean,
        precision=prior.precision,
        reliability=expected_reliability(twins, prior.precision),
    )


def for_reliability(pilot: Pilot, reliability: float, *, samples: int) -> Need:
    """Return what ranks the pilot's jobs with a reliability r (n = s r / (1 - r); methods §12.2)."""
    if not 0 < reliability < 1:
        raise PilotError(f"A reliability of {reliability} cannot be had; it lies between 0 and 1.")
    twins = max(1, twins_for_reliability(reliability, pilot.precision))
    return _need(f"reliability {reliability:g} of the ranking", twins, pilot.jobs, samples)


def for_half_width(pilot: Pilot, width: float, *, samples: int) -> Need:
    """Return what makes a single job's interval no wider than ± width at the mean π (methods §12.2)."""
    if not 0 < width < 1:
        raise PilotError(f"A half-width of {width} cannot be had; it lies between 0 and 1.")
    twins = max(1, twins_for_half_width(width, pilot.mean_pi))
    return _need(f"95 % interval of one job's π no wider than ± {width:g}", twins, pilot.jobs, samples)


def for_difference(pilot: Pilot, difference: float, *, samples: int) -> Need:
    """Return how many jobs show a difference of mean π between two solvers, at the pilot's twins a job.

    J = 2 ((z_.975 + z_.8) / d)^2 Var(k/n), Var(k/n) = m (1 - m) / n (1 + (n - 1) / (s + 1)): an upper bound, since
    two solvers that agree on some jobs need fewer.
    """
    if not 0 < difference < 1:
        raise PilotError(f"A difference of {difference} cannot be planned for; it lies between 0 and 1.")
    mean, n = pilot.mean_pi, pilot.twins_per_job
    variance = mean * (1 - mean) / n * (1 + (n - 1) / (pilot.precision + 1))
    z = float(scipy.stats.norm.ppf(1 - LEVEL / 2) + scipy.stats.norm.ppf(POWER))
    jobs = math.ceil(2 * (z / difference) ** 2 * variance)
    return _need(f"difference of {difference:g} in mean π between two solvers (80 % power)", round(n), jobs, samples)


def _need(wanted: str, twins: int, jobs: int, samples: int) -> Need:
    return Need(wanted=wanted, twins_per_job=twins, jobs=jobs, calls=jobs * (twins + 1) * samples)
