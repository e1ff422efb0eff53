"""Holds the way from a suite's tables to what a report is made from: figures measured once, solver by solver.

Never formats anything, and never reads a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import polars as pl

from glass_pipeline.domain.estimands import Measure, summary
from glass_pipeline.domain.estimands.identity_floor import identity_floor
from glass_pipeline.domain.report.inputs import FloorFigure, ReportInput
from glass_pipeline.domain.schemas import REPORT
from glass_pipeline.domain.seeding import child_generator

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
    labels = tables["base_labels"]
    held = tuple(sorted(set(tables["labeled_pairs"]["file_dose"].to_list())))
    made: dict[str, Any] = {name: frame for name, frame in tables.items() if frame.width}
    return ReportInput(
        suite=suite,
        **made,
        simulated=simulated,
        seed=seed,
        floor=dict(_floors(suite, labels, seed)),
        doses_held=held,
        doses_missing=tuple(dose for dose in doses if dose not in held),
        manifest=manifest,
    )


def _floors(suite: str, base_labels: pl.DataFrame, seed: int) -> Iterator[tuple[str, FloorFigure]]:
    for (solver,), labels in base_labels.group_by("solver", maintain_order=True):
        floor = identity_floor(labels, rng=child_generator(seed, "identity_floor", suite, str(solver)))
        if floor.n_resolves and floor.interval is not None:
            yield (
                str(solver),
                FloorFigure(
                    breaks=floor.breaks,
                    resolves=floor.n_resolves,
                    items=floor.n_items,
                    low=floor.interval.low,
                    high=floor.interval.high,
                ),
            )


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
