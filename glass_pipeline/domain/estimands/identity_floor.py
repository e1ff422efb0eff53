"""Holds the identity-twin floor: how often re-asking the very same base fails what was solved.

Never looks at a twin (see ``null_perturbation`` for the control that splits one set of samples).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from glass_pipeline.domain.estimands.strata import reference_run, solvable_jobs
from glass_pipeline.domain.schemas import IDENTITY_FLOOR
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.stats.bootstrap import ratio_interval
from glass_pipeline.domain.stats.intervals import Interval, wilson

NO_RESOLVE = "The floor needs base solves of at least two dose runs for a solved problem."
ONE_ITEM = "One item has no spread to resample."


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityFloor:
    """Breaks that re-solving alone makes."""

    reference_dose: int | None
    """Run whose solve is the reference; None where no base label exists."""
    n_items: int
    """Stratum jobs solved in the reference run that another run solved again or failed."""
    n_resolves: int
    breaks: int
    floor: float | None
    """breaks / n_resolves; None without a re-solve."""
    interval: Interval | None
    """Job-cluster bootstrap, 95 %, or Wilson's over items where no re-solve or every one breaks; None for fewer
    than two items."""


def identity_floor(
    base_labels: pl.DataFrame, *, rng: np.random.Generator, reference_dose: int | None = None
) -> IdentityFloor:
    """Estimate the floor from the base solves of the other dose runs.

    For stratum jobs solved in the reference run, each other run is a re-solve; it breaks when its modal
    answer is wrong. Floor = breaks / re-solves. A solver that always answers alike (greedy decoding) has
    floor 0 by design.

    Args:
        base_labels: Columns ``dose, base_id, y_base, n_samples, n_correct`` of ``schemas.BASE_LABELS``,
            every dose run of one solver.
        rng: Source of the bootstrap.
        reference_dose: None takes the largest dose held (9 in the full study).

    Source: methods §1.9.
    """
    if base_labels.is_empty():
        return IdentityFloor(reference_dose=None, n_items=0, n_resolves=0, breaks=0, floor=None, interval=None)
    items = resolves_by_item(base_labels, reference_dose)
    resolves, breaks = int(items["resolves"].sum()), int(items["breaks"].sum())
    interval = ratio_interval(items["breaks"].to_numpy(), items["resolves"].to_numpy(), rng=rng)
    if interval is not None and breaks in (0, resolves):
        # Resampling cannot leave a boundary; items, not re-solves, are what is independent.
        interval = wilson(items.height if breaks else 0, items.height)
    return IdentityFloor(
        reference_dose=reference_dose or int(base_labels.select(pl.col("dose").max()).item()),
        n_items=items.height,
        n_resolves=resolves,
        breaks=breaks,
        floor=breaks / resolves if resolves else None,
        interval=interval,
    )


def identity_floor_table(base_labels: pl.DataFrame, *, seed: int) -> pl.DataFrame:
    """Return ``schemas.IDENTITY_FLOOR`` of one solver's base labels: one row, or none where there is no label.

    Args:
        base_labels: ``schemas.BASE_LABELS`` of every dose run of one solver.
        seed: Seed of the study.
    """
    if base_labels.is_empty():
        return IDENTITY_FLOOR.frame([])
    solver = str(base_labels["solver"][0])
    found = identity_floor(base_labels, rng=child_generator(seed, "identity_floor", solver))
    return IDENTITY_FLOOR.frame(
        [
            {
                "solver": solver,
                "reference_dose": found.reference_dose,
                "n_items": found.n_items,
                "n_resolves": found.n_resolves,
                "breaks": found.breaks,
                "floor": found.floor,
                "low": found.interval.low if found.interval else None,
                "high": found.interval.high if found.interval else None,
                "note": NO_RESOLVE if found.floor is None else "" if found.interval else ONE_ITEM,
            }
        ]
    )


def resolves_by_item(base_labels: pl.DataFrame, reference_dose: int | None = None) -> pl.DataFrame:
    """Count re-solves and breaks of each stratum job that the reference run solved."""
    reference = reference_run(base_labels, reference_dose)
    solved = reference.filter((pl.col("y_base") == 1) & pl.col("base_id").is_in(solvable_jobs(base_labels).to_list()))
    others = base_labels.join(reference.select("dose").unique(), on="dose", how="anti")
    return (
        others.join(solved, on="base_id", how="semi")
        .group_by("base_id")
        .agg(resolves=pl.len().cast(pl.Int64()), breaks=(pl.col("y_base") == 0).sum().cast(pl.Int64()))
        .sort("base_id")
    )


def above_floor(pi: pl.Expr, floor: float) -> pl.Expr:
    """Return the floor-corrected break rate, max(0, (pi - f) / (1 - f)): beside pi, never instead of it.

    Source: methods §1.9.
    """
    return ((pi - floor) / (1 - floor)).clip(lower_bound=0.0)
