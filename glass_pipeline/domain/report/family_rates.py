"""Holds break rates by operator family and by a dose, each job one cluster.

Never holds jobs outside the solvable stratum, nor pairs whose own run failed the base (methods §1.4).
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from glass_pipeline.domain.report.evidence import Evidence, SolverEvidence
from glass_pipeline.domain.report.intervals import Estimate, clustered_rate
from glass_pipeline.domain.seeding import child_generator


class FamilyRate(NamedTuple):
    """Break rate of one family at one dose."""

    family: str
    dose: int
    rate: Estimate
    """``n`` counts eligible twins."""
    breaks: int
    jobs: int


def family_rates(one: SolverEvidence, evidence: Evidence, dose_column: str) -> tuple[FamilyRate, ...]:
    """Return the break rate of each family at each dose, families in the suite's order.

    Args:
        one: The solver.
        evidence: The suite.
        dose_column: ``file_dose``, or ``inject_size``, which only injections have.
    """
    stratum = one.stratum["base_id"].to_list()
    counts = (
        one.pairs.filter(pl.col("is_eligible") & pl.col("base_id").is_in(stratum) & pl.col(dose_column).is_not_null())
        .group_by("family", dose_column, "base_id")
        .agg(n=pl.len().cast(pl.Int64), k=pl.col("is_break").sum().cast(pl.Int64))
        .sort("family", dose_column, "base_id")
    )
    by_cell = counts.partition_by("family", dose_column, as_dict=True)
    rates = [
        FamilyRate(
            family=str(family),
            dose=int(dose),
            rate=clustered_rate(
                cell["k"].to_numpy(),
                cell["n"].to_numpy(),
                rng=child_generator(evidence.given.seed, "family_rates", one.solver, dose_column, family, dose),
            ),
            breaks=int(cell["k"].sum()),
            jobs=cell.height,
        )
        for (family, dose), cell in by_cell.items()
    ]
    return tuple(sorted(rates, key=lambda rate: (evidence.families.index(rate.family), rate.dose)))
