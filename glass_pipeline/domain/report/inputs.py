"""Holds what a report is made from: the tables of one suite, and the figures that other stages measured.

Never holds a computed number of its own, and never reads a file: whoever calls fills these records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from glass_pipeline.domain.report.savings import Spared
from glass_pipeline.domain.schemas import TABLES

PAGE_BUDGET_BYTES = 14_000_000
"""Size that the page may reach before it leaves out the solvers' outputs on twins that did not break."""


class FloorFigure(NamedTuple):
    """Identity-twin floor of one solver (methods §1.9)."""

    breaks: int
    """Re-solves of an unchanged base that failed."""
    resolves: int
    """Re-solves made."""
    items: int
    """Bases re-solved."""
    low: float
    """Lower end of the job-clustered 95 % interval, a fraction."""
    high: float
    """Upper end of the same interval."""

    @property
    def rate(self) -> float:
        """Breaks / re-solves."""
        return self.breaks / self.resolves


class ReliabilityFigure(NamedTuple):
    """Reliability ceiling of one solver's pooled slice (methods §2)."""

    r: float
    """Spearman between two replicates of the same jobs."""
    r_low: float
    """Lower end of the job-bootstrap 95 % interval of r."""
    r_high: float
    """Upper end of the same interval."""
    oracle: float
    """Spearman between the true rates and one replicate: the most that any predictor can reach."""
    jobs: int
    """Jobs of the slice."""


def _empty(name: str) -> Callable[[], pl.DataFrame]:
    return lambda: pl.DataFrame(schema=TABLES[name].schema)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportInput:
    """One suite, all solvers and doses held; a table that nobody made yet is left out, and is empty."""

    suite: str
    """Slug of the suite."""
    base_problems: pl.DataFrame = field(default_factory=_empty("base_problems"))
    twins: pl.DataFrame = field(default_factory=_empty("twins"))
    """Only for the words of dropped twins; every other wording comes from ``labeled_pairs``."""
    declines: pl.DataFrame = field(default_factory=_empty("declines"))
    noop_audit: pl.DataFrame = field(default_factory=_empty("noop_audit"))
    base_labels: pl.DataFrame = field(default_factory=_empty("base_labels"))
    solver_labels: pl.DataFrame = field(default_factory=_empty("solver_labels"))
    labeled_pairs: pl.DataFrame = field(default_factory=_empty("labeled_pairs"))
    causal_difficulty: pl.DataFrame = field(default_factory=_empty("causal_difficulty"))
    orthogonality: pl.DataFrame = field(default_factory=_empty("orthogonality"))
    budget_targets: pl.DataFrame = field(default_factory=_empty("budget_targets"))
    predictor_scores: pl.DataFrame = field(default_factory=_empty("predictor_scores"))
    predictor_verdicts: pl.DataFrame = field(default_factory=_empty("predictor_verdicts"))
    solver_transfer: pl.DataFrame = field(default_factory=_empty("solver_transfer"))
    has_predictors: bool = False
    """Whether the study declares any."""
    simulated: frozenset[str] = frozenset()
    """Slugs of the solvers whose labels are a simulation."""
    floor: Mapping[str, FloorFigure] = field(default_factory=dict)
    """By solver; one that is absent has not been measured yet."""
    reliability: Mapping[str, ReliabilityFigure] = field(default_factory=dict)
    """By solver; one that is absent has not been measured yet."""
    doses_held: tuple[int, ...] = ()
    doses_missing: tuple[int, ...] = ()
    spared: Mapping[str, Spared] = field(default_factory=dict)
    """Completions that each solver was not asked for; one that is absent has solved no twin."""
    manifest: Mapping[str, str] = field(default_factory=dict)
    """Versions, revisions, hashes, seeds, settings, commands: printed as they are."""
    seed: int = 0
    """Seed of the study, for bootstrapped intervals."""
    page_budget_bytes: int = PAGE_BUDGET_BYTES

    def __post_init__(self) -> None:
        """Check that every table has the columns of its schema.

        Raises:
            ValueError: a table lacks columns.
        """
        for name in REPORT_TABLES:
            missing = [column for column in TABLES[name].schema if column not in getattr(self, name).columns]
            if missing:
                raise ValueError(f"report of {self.suite!r}: {name} lacks the columns {missing}; see domain/schemas.")


REPORT_TABLES = (
    "base_problems",
    "twins",
    "declines",
    "noop_audit",
    "base_labels",
    "solver_labels",
    "labeled_pairs",
    "causal_difficulty",
    "orthogonality",
    "budget_targets",
    "predictor_scores",
    "predictor_verdicts",
    "solver_transfer",
)
