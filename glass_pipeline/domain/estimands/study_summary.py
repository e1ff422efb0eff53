"""Holds the few numbers that describe one solver on one suite, each with an interval or a reason.

Never estimates a job (see ``causal_difficulty``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.estimands.ccd import FRAGILE_FROM
from glass_pipeline.domain.estimands.identity_floor import NO_RESOLVE, ONE_ITEM, identity_floor
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.stats.bootstrap import ratio_interval
from glass_pipeline.domain.stats.intervals import wilson


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One number with its 95 % interval; what is None has a reason."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int
    """Units behind the number: jobs, or re-solves for the floor."""
    reason: str | None = None
    """Plain sentence that says why value or interval is None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySummary:
    """What one solver did on one suite, over every dose held; shares are fractions."""

    solver: str | None
    doses: tuple[int, ...]
    """Doses whose pairs are held."""
    n_problems: int
    """Problems with at least one base sample."""
    n_solvable: int
    """Jobs in the stratum."""
    n_measured: int
    """Stratum jobs with at least one observation, so with pi."""
    n_observations: int
    """Eligible observations of these jobs."""
    n_fragile: int
    """Measured jobs with pi above 0.05."""
    solvable: Measure
    """Share of problems in the stratum, Wilson."""
    fragile: Measure
    """Share of measured jobs with pi > 0.05, Wilson."""
    fragile_uncond: Measure
    """Share of all problems with twins whose D_avg is above 0.05, Wilson."""
    any_break: Measure
    """Share of measured jobs that broke at least once, Wilson."""
    mean_pi: Measure
    """Mean break rate of the measured jobs, job bootstrap."""
    identity_floor: Measure
    """Share of re-solves that fail what the reference run solved, job-cluster bootstrap."""


NO_PROBLEM = "No problem has a base label yet."
NO_PAIR = "No problem has a labelled twin yet."
NO_PI = "No solvable problem has a labelled twin yet."
ONE_RATE = "All measured jobs have one break rate, which leaves no spread to resample."


def summary(causal_difficulty: pl.DataFrame, base_labels: pl.DataFrame, *, seed: int = 0) -> StudySummary:
    """Summarise one solver on one suite.

    Args:
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of one solver; its pooled slice is read.
        base_labels: ``schemas.BASE_LABELS`` of every dose held, for the floor.
        seed: Seed of the bootstrap.

    Source: methods §0 C17, §1.4, §1.9.
    """
    jobs = causal_difficulty.filter(pl.col("slice") == POOLED).sort("base_id")
    measured = jobs.drop_nulls("pi")
    with_twins = jobs.drop_nulls("d_avg")
    n_solvable, n_fragile = _count(jobs, pl.col("in_stratum")), _count(measured, pl.col("pi") > FRAGILE_FROM)
    return StudySummary(
        solver=str(jobs["solver"][0]) if jobs.height else None,
        doses=tuple(sorted({dose for doses in jobs["doses"] for dose in doses})),
        n_problems=jobs.height,
        n_solvable=n_solvable,
        n_measured=measured.height,
        n_observations=int(measured["n"].sum()),
        n_fragile=n_fragile,
        solvable=_share(n_solvable, jobs.height, NO_PROBLEM),
        fragile=_share(n_fragile, measured.height, NO_PI),
        fragile_uncond=_share(_count(with_twins, pl.col("d_avg") > FRAGILE_FROM), with_twins.height, NO_PAIR),
        any_break=_share(_count(measured, pl.col("k") > 0), measured.height, NO_PI),
        mean_pi=_mean(measured["pi"].to_numpy(), child_generator("summary", seed, "mean_pi")),
        identity_floor=_floor(base_labels, child_generator("summary", seed, "identity_floor")),
    )


def _count(jobs: pl.DataFrame, condition: pl.Expr) -> int:
    return jobs.filter(condition).height


def _share(part: int, whole: int, reason: str) -> Measure:
    if not whole:
        return Measure(value=None, n=0, reason=reason)
    interval = wilson(part, whole)
    return Measure(value=part / whole, low=interval.low, high=interval.high, n=whole)


def _mean(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], rng: np.random.Generator) -> Measure:
    if not values.size:
        return Measure(value=None, n=0, reason=NO_PI)
    interval = ratio_interval(values, np.ones_like(values), rng=rng)
    if interval is None or interval.low == interval.high:
        return Measure(value=float(values.mean()), n=values.size, reason=ONE_RATE)
    return Measure(value=float(values.mean()), low=interval.low, high=interval.high, n=values.size)


def _floor(base_labels: pl.DataFrame, rng: np.random.Generator) -> Measure:
    found = identity_floor(base_labels, rng=rng)
    if found.floor is None:
        return Measure(value=None, n=0, reason=NO_RESOLVE)
    if found.interval is None:
        return Measure(value=found.floor, n=found.n_resolves, reason=ONE_ITEM)
    return Measure(value=found.floor, low=found.interval.low, high=found.interval.high, n=found.n_resolves)
