"""Holds all that is inferred about one mean difference from one kind of unit: items, clusters or seeds.

Never decides what the unit is (see ``compare``) and never puts it into words (see ``verdict``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from glass_pipeline.domain.comparison.clustered import Units, standard_error, t_interval
from glass_pipeline.domain.comparison.paired_bootstrap import RESAMPLES, bootstrap_intervals
from glass_pipeline.domain.comparison.results import ComparisonError
from glass_pipeline.domain.comparison.sign_flip import SignFlip, sign_flip
from glass_pipeline.domain.stats.intervals import Interval

UnitKind = Literal["item", "cluster", "seed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inference:
    """One mean difference with its intervals and test; a field that cannot be had is None, ``note`` says why."""

    unit: UnitKind
    """What was resampled and flipped."""
    n_units: int
    delta: float
    """Mean of B - A."""
    standard_error: float | None
    """Cluster-robust where the unit is a cluster."""
    bca: Interval | None
    percentile: Interval | None
    t: Interval | None
    sign_flip: SignFlip
    note: str | None = None


def infer(
    units: Units, unit: UnitKind, *, rng: np.random.Generator, level: float = 0.95, resamples: int = RESAMPLES
) -> Inference:
    """Infer the mean difference from its units.

    Args:
        units: Differences, summed by unit; one unit alone gives the mean and no interval.
        unit: What a unit is.
        rng: Source of resamples and sampled signs.
        level: Nominal coverage in (0, 1).
        resamples: Bootstrap replicates.
    """
    flipped = sign_flip(units.sums, rng=rng)
    count = units.sums.size
    if count < 2:
        return _without_interval(units, unit, flipped, None, f"A single {unit} says nothing about other {unit}s.")
    try:
        bootstrapped = bootstrap_intervals(units, rng=rng, level=level, resamples=resamples)
    except ComparisonError as reason:
        error = None if units.identical else standard_error(units)
        return _without_interval(units, unit, flipped, error, str(reason))
    return Inference(
        unit=unit,
        n_units=count,
        delta=units.mean,
        standard_error=standard_error(units),
        bca=bootstrapped.bca,
        percentile=bootstrapped.percentile,
        t=t_interval(units, level=level),
        sign_flip=flipped,
    )


def _without_interval(units: Units, unit: UnitKind, flipped: SignFlip, error: float | None, note: str) -> Inference:
    return Inference(
        unit=unit,
        n_units=units.sums.size,
        delta=units.mean,
        standard_error=error,
        bca=None,
        percentile=None,
        t=None,
        sign_flip=flipped,
        note=note,
    )
