"""Holds the way from a suite's tables to what a report is made from: figures measured once, solver by solver.

Never formats anything, and never reads a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from glass_pipeline.domain.estimands import Measure, summary
from glass_pipeline.domain.report.inputs import REPORT_TABLES, FloorFigure, ReliabilityFigure, ReportInput
from glass_pipeline.domain.schemas import IDENTITY_FLOOR, LABELED_PAIRS, RELIABILITY, REPORT

FIGURES = ("solvable", "fragile", "any_break", "mean_pi", "identity_floor")
"""Figures of ``estimands.StudySummary`` that the report's own table holds."""


def assemble(
    suite: str,
    tables: Mapping[str, pl.DataFrame],
    *,
    seed: int,
    simulated: frozenset[str],
    doses: tuple[int, ...],
    manifest: Mapping[str, str],
) -> ReportInput:
    """Return the report's input.

    Args:
        suite: Slug of the suite.
        tables: Tables of all doses and solvers, by stage; an absent one has not been made.
        seed: Seed of the study.
        simulated: Solvers whose labels are a simulation.
        doses: Doses the study asks for.
        manifest: What the page prints so that it can be remade.
    """
    made: dict[str, Any] = {name: tables[name] for name in REPORT_TABLES if name in tables and tables[name].width}
    pairs = made.get("labeled_pairs", LABELED_PAIRS.frame([]))
    held = tuple(sorted(set(pairs["file_dose"].to_list())))
    return ReportInput(
        suite=suite,
        **made,
        has_predictors="predictor_scores" in tables,
        simulated=simulated,
        seed=seed,
        floor=_floors(tables.get("identity_floor", IDENTITY_FLOOR.frame([]))),
        reliability=_reliabilities(tables.get("reliability", RELIABILITY.frame([]))),
        doses_held=held,
        doses_missing=tuple(dose for dose in doses if dose not in held),
        manifest=manifest,
    )


def _floors(identity_floor: pl.DataFrame) -> dict[str, FloorFigure]:
    measured = identity_floor.filter(pl.col("low").is_not_null())
    return {
        row["solver"]: FloorFigure(
            breaks=row["breaks"], resolves=row["n_resolves"], items=row["n_items"], low=row["low"], high=row["high"]
        )
        for row in measured.iter_rows(named=True)
    }


def _reliabilities(reliability: pl.DataFrame) -> dict[str, ReliabilityFigure]:
    pooled = reliability.filter(
        pl.col("slice") == "pooled",
        pl.col("kind") == "all",
        pl.col("unit") == "unique",
        *(pl.col(name).is_not_null() for name in ("r", "r_low", "r_high", "oracle")),
    )
    return {
        row["solver"]: ReliabilityFigure(
            r=row["r"], r_low=row["r_low"], r_high=row["r_high"], oracle=row["oracle"], jobs=row["n_jobs"]
        )
        for row in pooled.iter_rows(named=True)
    }


def figures_frame(causal_difficulty: pl.DataFrame, base_labels: pl.DataFrame, *, seed: int) -> pl.DataFrame:
    """Return the figures of the first screen as a table, one row a solver and figure."""
    rows: list[dict[str, Any]] = []
    for (solver,), jobs in causal_difficulty.group_by("solver", maintain_order=True):
        found = summary(jobs, base_labels.filter(pl.col("solver") == solver), seed=seed)
        rows += [_row(str(solver), name, getattr(found, name)) for name in FIGURES]
    return REPORT.frame(rows)


def _row(solver: str, figure: str, measure: Measure) -> dict[str, Any]:
    fields = asdict(measure)
    note = fields.pop("reason") or "fraction"
    return {"solver": solver, "figure": figure, **fields, "note": note}
