"""Holds the table of cells with their own ceilings: how reliable the ranking is in each family, category and level.

Never uses the ceiling of one cell for another.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.estimands.ccd import PUBLISHED, break_counts, observations
from glass_pipeline.domain.estimands.slices import FEWEST_JOBS, JobSlice, job_slices, slice_rate
from glass_pipeline.domain.reliability.ceiling import reliability_ceiling
from glass_pipeline.domain.reliability.priors import default_prior
from glass_pipeline.domain.reliability.solver_agreement import TOO_SMALL
from glass_pipeline.domain.reliability.split_half import split_half
from glass_pipeline.domain.schemas import RELIABILITY, SLICES
from glass_pipeline.domain.seeding import child_generator

INFLATED = "inflated by repeats"
CEILINGS = ("r", "r_low", "r_sd", "oracle", "r_npmle", "oracle_npmle", "r_beta", "oracle_beta")
NO_TIES_BROKEN = "no r or oracle: all jobs look alike"
NO_HALVES = "no split-half: too few jobs have two twins, or all look alike"
NO_FLOOR = "no floor: no base of these was solved again"


def reliability_table(causal_difficulty: pl.DataFrame, *, seed: int, pairs: pl.DataFrame | None = None) -> pl.DataFrame:
    """Estimate the ceilings of every cell of every slice of one solver.

    Args:
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of one solver.
        seed: Seed of the study; each cell has its own generator.
        pairs: ``schemas.LABELED_PAIRS`` of every dose held. Given them, the pooled slice also has a row whose unit is
            the pair, as published: repeats of a text agree with themselves and inflate it.

    Returns:
        The table ``RELIABILITY``.

    Source: methods §2.4, §2.5.
    """
    solver = _solver(causal_difficulty)
    rows = []
    for slice_name in causal_difficulty["slice"].unique().sort():
        for cell in job_slices(causal_difficulty, slice_name=slice_name):
            rows.append({"unit": "unique", **ceilings_of(cell, seed=seed, slice_name=slice_name), "slice": slice_name})
    if pairs is not None and causal_difficulty.height:
        stratum = causal_difficulty.filter(pl.col("slice") == POOLED, pl.col("in_stratum"))
        counts = break_counts(observations(pairs, PUBLISHED).join(stratum, on="base_id", how="semi"))
        row = ceilings_of(JobSlice(kind="all", name="all", jobs=counts), seed=seed, slice_name="pairs")
        rows.append(
            {
                "unit": "pairs",
                **row,
                "slice": POOLED,
                "note": "; ".join(part for part in (str(row["note"]), INFLATED) if part),
            }
        )
    return RELIABILITY.frame({"solver": solver, **row} for row in rows)


def slices_table(causal_difficulty: pl.DataFrame, base_labels: pl.DataFrame, *, seed: int) -> pl.DataFrame:
    """Estimate break rate and floor of every cell of the pooled slice of one solver.

    Args:
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of one solver.
        base_labels: Base labels of every dose run held.
        seed: Seed of the study; each cell has its own generator.

    Returns:
        The table ``SLICES``.

    Source: methods §9.
    """
    rows = []
    for cell in job_slices(causal_difficulty):
        found = slice_rate(cell, base_labels, rng=child_generator("slices", seed, cell.kind, cell.name))
        low, high = found.interval[:2] if found.interval else (None, None)
        above_low, above_high = found.above_floor_interval[:2] if found.above_floor_interval else (None, None)
        rows.append(
            {
                "solver": _solver(causal_difficulty),
                "slice": POOLED,
                "kind": found.kind,
                "name": found.name,
                "unit": "unique",
                "n_jobs": found.n_jobs,
                "n_observations": found.n_observations,
                "n_breaks": found.n_breaks,
                "mean_pi": found.mean_pi,
                "pi_low": low,
                "pi_high": high,
                "floor": found.floor,
                "above_floor": found.above_floor,
                "above_floor_low": above_low,
                "above_floor_high": above_high,
                "note": TOO_SMALL if found.too_small else NO_FLOOR if found.floor is None else "",
            }
        )
    return SLICES.frame(rows)


def ceilings_of(cell: JobSlice, *, seed: int, slice_name: str) -> dict[str, object]:
    """Return the columns of ``RELIABILITY`` that describe one cell, null under 30 jobs."""
    k, n = cell.jobs["k"].to_numpy(), cell.jobs["n"].to_numpy()
    row: dict[str, object] = {
        "kind": cell.kind,
        "name": cell.name,
        "n_jobs": n.size,
        "n_observations": int(n.sum()),
        "default_prior": default_prior(n.size),
        "note": TOO_SMALL,
    }
    if n.size < FEWEST_JOBS:
        return row
    names = ("reliability", seed, slice_name, cell.kind, cell.name)
    by_prior = {
        "npmle": reliability_ceiling(k, n, rng=child_generator(*names, "npmle"), prior="npmle"),
        "beta": reliability_ceiling(k, n, rng=child_generator(*names, "beta"), prior="beta"),
    }
    for kind, ceiling in by_prior.items():
        if ceiling is not None:
            row |= {f"r_{kind}": ceiling.r, f"oracle_{kind}": ceiling.oracle}
    chosen = by_prior[default_prior(n.size)]
    if chosen is not None:
        row |= {"r": chosen.r, "r_sd": chosen.r_sd, "sqrt_r": chosen.sqrt_r, "oracle": chosen.oracle}
        row |= dict(zip(("r_low", "r_high"), chosen.r_interval or (), strict=False))
    row["split_half"] = split_half(k, n, rng=child_generator(*names, "split_half"))
    return row | {"note": "; ".join(_reasons(row))}


def _reasons(row: dict[str, object]) -> Iterator[str]:
    """Yield why a figure of a cell that is large enough is null."""
    if any(row.get(name) is None for name in CEILINGS):
        yield NO_TIES_BROKEN
    if row["split_half"] is None:
        yield NO_HALVES


def _solver(causal_difficulty: pl.DataFrame) -> str:
    return str(causal_difficulty["solver"][0]) if causal_difficulty.height else ""
