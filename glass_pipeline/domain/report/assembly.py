"""Holds the way from a suite's tables to what a report is made from: figures measured once, solver by solver.

Never formats anything, and never reads a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import polars as pl

from glass_pipeline.domain.estimands import Measure
from glass_pipeline.domain.report.evidence import SolverEvidence, arrange
from glass_pipeline.domain.report.gaps import missing_doses
from glass_pipeline.domain.report.inputs import REPORT_TABLES, FloorFigure, ReliabilityFigure, ReportInput
from glass_pipeline.domain.report.numerals import listed
from glass_pipeline.domain.report.savings import Spared
from glass_pipeline.domain.report.sections.figures import NOT_YET, fragile_by_chance
from glass_pipeline.domain.report.spending import spent
from glass_pipeline.domain.schemas import IDENTITY_FLOOR, LABELED_PAIRS, RELIABILITY, REPORT

FIGURES = ("solvable", "fragile", "any_break", "mean_pi")
"""Figures of ``estimands.StudySummary`` that the report's own table holds."""


def assemble(
    suite: str,
    tables: Mapping[str, pl.DataFrame],
    *,
    seed: int,
    simulated: frozenset[str],
    doses: tuple[int, ...],
    manifest: Mapping[str, str],
    spared: Mapping[str, Spared],
) -> ReportInput:
    """Return the report's input.

    Args:
        suite: Slug of the suite.
        tables: Tables of all doses and solvers, by stage; an absent one has not been made.
        seed: Seed of the study.
        simulated: Solvers whose labels are a simulation.
        doses: Doses the study asks for.
        manifest: What the page prints so that it can be remade.
        spared: Completions that each solver was not asked for.
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
        manifest={**manifest, **{f"spared {solver}": str(each) for solver, each in spared.items()}},
        spared=spared,
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


def figures_frame(given: ReportInput) -> pl.DataFrame:
    """Return the figures of the first screen as a table, one row a solver and figure."""
    asked = tuple(sorted({*given.doses_held, *given.doses_missing}))
    return REPORT.frame(row for one in arrange(given).solvers for row in _figures(one, asked))


def _figures(one: SolverEvidence, asked: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    row = partial(_row, one.solver)
    for name in FIGURES:
        yield {"solver": one.solver, "figure": name, **_fields(getattr(one.study, name))}
    floor, reliability, total, chance = one.floor, one.reliability, spent(one), fragile_by_chance(one)
    yield (
        {"solver": one.solver, "figure": "identity_floor", **_fields(one.study.identity_floor)}
        if floor is None
        else row("identity_floor", floor.rate, "fraction", n=floor.resolves, ends=(floor.low, floor.high))
    )
    yield row("fragile_by_chance", chance, "fraction" if chance is not None else NOT_YET, n=one.study.n_measured)
    yield (
        row("reliability", None, NOT_YET)
        if reliability is None
        else row(
            "reliability",
            reliability.r,
            "rank correlation",
            n=reliability.jobs,
            ends=(reliability.r_low, reliability.r_high),
        )
    )
    yield row("completions", float(total.completions), "completions", n=total.completions)
    yield row("without_answer", float(total.without_answer), "completions", n=total.completions)
    yield row("cost_usd", total.cost_usd, total.cost if total.cost_usd is None else "USD", n=total.completions)
    missing = missing_doses(one, asked)
    yield row("doses", float(len(asked) - len(missing)), listed([f"m{dose}" for dose in missing]), n=len(asked))


def _row(
    solver: str,
    figure: str,
    value: float | None,
    note: str,
    *,
    n: int | None = None,
    ends: tuple[float | None, float | None] = (None, None),
) -> dict[str, Any]:
    low, high = ends
    return {"solver": solver, "figure": figure, "value": value, "low": low, "high": high, "n": n, "note": note}


def _fields(measure: Measure) -> dict[str, Any]:
    fields = asdict(measure)
    return {**fields, "note": fields.pop("reason") or "fraction"}
