"""Holds the tables of a report arranged by solver, each question that several sections ask answered once.

Never formats anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from glass_pipeline.domain.estimands import StudySummary, summary
from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.records import FAMILIES
from glass_pipeline.domain.report.inputs import FloorFigure, ReliabilityFigure, ReportInput

FEWEST_JOBS = 30
"""Solvable items below which no share is quoted as a finding (methods §9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverEvidence:
    """What the suite's tables say about one solver."""

    solver: str
    is_simulated: bool
    jobs: pl.DataFrame
    """Pooled slice of ``causal_difficulty``: one row a job."""
    pairs: pl.DataFrame
    """``labeled_pairs`` of every dose, with ``is_eligible`` (the run solved the base) and ``is_break``."""
    base_labels: pl.DataFrame
    """One row a base and dose run."""
    twin_labels: pl.DataFrame
    """One row a distinct twin text: a text is solved once, however many dose files list it."""
    study: StudySummary
    """The headline numbers, each with its interval."""
    floor: FloorFigure | None
    reliability: ReliabilityFigure | None

    @property
    def stratum(self) -> pl.DataFrame:
        """Jobs with a base pass rate of at least 0.5."""
        return self.jobs.filter("in_stratum")

    @property
    def scored(self) -> pl.DataFrame:
        """Jobs of the stratum with at least one eligible twin: those that have a break rate."""
        return self.jobs.filter(pl.col("in_stratum") & pl.col("pi").is_not_null())

    @property
    def prefix(self) -> str:
        """Opens every sentence about labels that no real model gave."""
        return "Simulation: " if self.is_simulated else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One suite: its input, and each solver's share of it, real solvers first."""

    given: ReportInput
    solvers: tuple[SolverEvidence, ...]

    @property
    def items(self) -> int:
        """Base problems of the suite."""
        return self.given.base_problems.height

    @property
    def families(self) -> tuple[str, ...]:
        """Families that occur, those of the mix first."""
        seen = set(self.given.labeled_pairs["family"]) | set(self.given.declines["family"])
        seen |= set(self.given.noop_audit["family"])
        known: list[str] = [family for family in FAMILIES if family in seen]
        return (*known, *sorted(seen - set(known)))


def arrange(given: ReportInput) -> Evidence:
    """Arrange the tables by solver."""
    names = set(given.causal_difficulty["solver"]) | set(given.base_labels["solver"])
    names |= set(given.solver_labels["solver"]) | set(given.labeled_pairs["solver"])
    ordered = sorted(names, key=lambda name: (name in given.simulated, name))
    return Evidence(given=given, solvers=tuple(_of_solver(given, name) for name in ordered))


def _of_solver(given: ReportInput, solver: str) -> SolverEvidence:
    own = pl.col("solver") == solver
    eligible = pl.col("y_base_run") == 1
    jobs = given.causal_difficulty.filter(own & (pl.col("slice") == POOLED)).sort("base_id")
    base_labels = given.base_labels.filter(own).sort("base_id", "dose")
    return SolverEvidence(
        solver=solver,
        is_simulated=solver in given.simulated,
        jobs=jobs,
        pairs=given.labeled_pairs.filter(own)
        .with_columns(is_eligible=eligible, is_break=eligible & (pl.col("y_twin") == 0))
        .sort("base_id", "file_dose", "twin_id"),
        base_labels=base_labels,
        twin_labels=given.solver_labels.filter(own)
        .sort("base_id", "dose", "twin_id")
        .unique(["base_id", "text_hash"], keep="first", maintain_order=True),
        study=summary(jobs, base_labels, seed=given.seed),
        floor=given.floor.get(solver),
        reliability=given.reliability.get(solver),
    )
