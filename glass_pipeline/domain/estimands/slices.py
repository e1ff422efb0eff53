"""Holds break rates of families, categories and levels, each above its own identity floor.

Never says how reliable a slice is (see ``reliability.slice_ceilings``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.estimands.identity_floor import resolves_by_item
from glass_pipeline.domain.records import FAMILIES
from glass_pipeline.domain.stats.bootstrap import ratio_difference_interval, ratio_interval
from glass_pipeline.domain.stats.intervals import Interval

FEWEST_JOBS = 30
"""Below this many jobs a cell says only that it is too small."""
FEWEST_IN_FAMILY = 2
"""Observations of a family that a job needs to count in it."""

SliceKind = Literal["all", "family", "category", "complexity", "category_complexity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSlice:
    """Jobs of one cell with their counts."""

    kind: SliceKind
    name: str
    jobs: pl.DataFrame
    """``base_id, n, k``, one row a job with at least one observation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceRate:
    """Break rate of one cell; what is None is unknown, or the cell is too small."""

    kind: SliceKind
    name: str
    n_jobs: int
    n_observations: int
    n_breaks: int
    too_small: bool
    """Fewer than 30 jobs: no estimate is given."""
    mean_pi: float | None
    """Mean over jobs of k/n."""
    interval: Interval | None
    """Of mean_pi, job bootstrap."""
    floor: float | None
    """Identity floor of these very jobs."""
    above_floor: float | None
    """Breaks / observations less the floor."""
    above_floor_interval: Interval | None
    """Job-cluster bootstrap; an interval that holds 0 says no more than re-asking does."""


def job_slices(causal_difficulty: pl.DataFrame, *, slice_name: str = POOLED) -> Iterator[JobSlice]:
    """Cut the measured jobs of one solver into cells.

    A dose has the cells all and each family; pooled has those, each category, each level of C, and category by
    level. Within a family a job counts from two observations on.

    Args:
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of one solver.
        slice_name: ``pooled`` or a dose.

    Source: methods §2.5, §9.
    """
    jobs = causal_difficulty.filter(pl.col("slice") == slice_name).drop_nulls("pi").sort("base_id")
    counts = ["base_id", "n", "k"]
    yield JobSlice(kind="all", name="all", jobs=jobs.select(counts))
    for family in FAMILIES:
        own = jobs.select("base_id", n=f"n_{family}", k=f"k_{family}").filter(pl.col("n") >= FEWEST_IN_FAMILY)
        yield JobSlice(kind="family", name=family, jobs=own)
    if slice_name != POOLED:
        return
    for (category,), cell in _cells(jobs, "category"):
        yield JobSlice(kind="category", name=str(category), jobs=cell.select(counts))
    for (level,), cell in _cells(jobs, "declared_complexity"):
        yield JobSlice(kind="complexity", name=f"{level:g}", jobs=cell.select(counts))
    if jobs["category"].n_unique() > 1:
        for (category, level), cell in _cells(jobs, "category", "declared_complexity"):
            yield JobSlice(kind="category_complexity", name=f"{category} / {level:g}", jobs=cell.select(counts))


def slice_rate(cell: JobSlice, base_labels: pl.DataFrame, *, rng: np.random.Generator) -> SliceRate:
    """Estimate the break rate of one cell and how far it lies above re-solving the same bases.

    Args:
        cell: One cell of ``job_slices``.
        base_labels: Base labels of every dose run held, for the floor.
        rng: Source of the bootstraps.

    Source: methods §1.9, §9, §12.2.
    """
    resolved = cell.jobs.join(resolves_by_item(base_labels), on="base_id", how="left").with_columns(
        pl.col("resolves", "breaks").fill_null(0)
    )
    n, k, resolves, failed = (resolved[name].to_numpy() for name in ("n", "k", "resolves", "breaks"))
    too_small = cell.jobs.height < FEWEST_JOBS
    has_floor = not too_small and int(resolves.sum()) > 0
    floor = float(failed.sum() / resolves.sum()) if has_floor else None
    return SliceRate(
        kind=cell.kind,
        name=cell.name,
        n_jobs=cell.jobs.height,
        n_observations=int(n.sum()),
        n_breaks=int(k.sum()),
        too_small=too_small,
        mean_pi=None if too_small else float((k / n).mean()),
        interval=None if too_small else ratio_interval(k / n, np.ones_like(n), rng=rng),
        floor=floor,
        above_floor=None if floor is None else float(k.sum() / n.sum()) - floor,
        above_floor_interval=ratio_difference_interval((k, failed), (n, resolves), rng=rng) if has_floor else None,
    )


def _cells(jobs: pl.DataFrame, *columns: str) -> list[tuple[tuple[object, ...], pl.DataFrame]]:
    return sorted(jobs.partition_by(*columns, as_dict=True).items(), key=lambda item: str(item[0]))
