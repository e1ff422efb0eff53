"""Holds which stages a suite has, the cells of each, and what a cell reads.

Never imports Dagster, so that planning, storage and tests share one description; ``partitions`` translates it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from glass_pipeline.defs.stages import ESTIMATED, IMPORTED, LABELLING, ON_DEMAND, PREDICTORS, STAGES, Edge
from glass_pipeline.study import RULES, Study, dose_key, known_suites


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One partition of one asset: what a run makes, a file holds and a plan counts."""

    suite: str
    """Slug; empty for what spans suites."""
    stage: str
    dose: int | None = None
    solver: str | None = None
    predictor: str | None = None

    @property
    def partition_key(self) -> str | None:
        """Dagster's partition key, e.g. ``m3``, ``planted``, ``m3|planted`` or ``length|planted``."""
        parts = [dose_key(self.dose)] if self.dose is not None else []
        parts += [self.predictor] if self.predictor is not None else []
        parts += [self.solver] if self.solver is not None else []
        return "|".join(parts) or None

    def __str__(self) -> str:
        """Return e.g. ``glassgsm/solver_labels[m3|planted]``."""
        key = self.partition_key
        name = f"{self.suite}/{self.stage}" if self.suite else self.stage
        return name + (f"[{key}]" if key else "")


def stages_of(study: Study, suite: str) -> tuple[str, ...]:
    """Return the stages that a suite has: probes, re-audits and predictors only where the study asks for them.

    An imported suite has labels already, so only what is estimated from them.
    """
    absent = set() if study.predictors else set(PREDICTORS)
    if study.suite(suite).source == "imported":
        return tuple(name for name in (*ESTIMATED, *PREDICTORS, "report") if name not in absent)
    absent |= {name for name, stage in STAGES.items() if stage.spans_suites}
    absent |= set() if study.study.probe_samples else {"base_probes"}
    absent |= set() if study.adjudicators_of(suite) else {"reaudit"}
    return tuple(name for name in STAGES if name not in absent)


def asking_stages_of(study: Study, suite: str) -> frozenset[str]:
    """Return the stages of a suite that ask a model, so may cost money: a person decides when they run again."""
    asking = set(LABELLING)
    asking |= {"noop_audit", "reaudit"} if study.adjudicators_of(suite) else set()
    asking |= {"twins"} if study.suite(suite).generator != RULES else set()
    return frozenset(asking).intersection(stages_of(study, suite))


def run_stages_of(study: Study, suite: str) -> tuple[str, ...]:
    """Return the stages that a run makes unless it names others."""
    return tuple(name for name in stages_of(study, suite) if name not in ON_DEMAND)


def edges_of(stage: str, study: Study, suite: str) -> tuple[Edge, ...]:
    """Return what a stage of a suite reads under the study's settings.

    ``solver_labels`` always follows ``base_labels``, but reads them only with ``stratum_only``; it reads the
    unmixed twins only with ``label_scope = "all"``.
    """
    if STAGES[stage].spans_suites:
        return STAGES[stage].edges
    there = {*stages_of(study, suite), *(IMPORTED if study.suite(suite).source == "imported" else ())}
    edges = tuple(edge for edge in STAGES[stage].edges if edge.upstream in there)
    if stage != "solver_labels":
        return edges
    unread = set() if study.study.stratum_only else {"base_labels"}
    absent = set() if study.study.label_scope == "all" else {"twins", "noop_audit"}
    return tuple(
        Edge(edge.upstream, edge.all_doses, edge.upstream not in unread, edge.columns)
        for edge in edges
        if edge.upstream not in absent
    )


def cells_of(
    suite: str,
    stage: str,
    *,
    doses: tuple[int, ...],
    solvers: tuple[str, ...],
    predictors: tuple[str, ...] = (),
) -> Iterator[Cell]:
    """Yield the cells of a stage over the given doses, solvers and predictors."""
    dimensions = STAGES[stage].dimensions
    for dose in doses if "dose" in dimensions else (None,):
        for predictor in predictors if "predictor" in dimensions else (None,):
            for solver in solvers if "solver" in dimensions else (None,):
                yield Cell(suite, stage, dose, solver, predictor)


def upstream_cells(cell: Cell, edge: Edge, study: Study, present: Iterable[str] = ()) -> Iterator[Cell]:
    """Yield the cells that one edge of a cell may read, whether they exist or not.

    Args:
        cell: The cell that reads.
        edge: One of its edges.
        study: What glass.toml declares.
        present: Suites of the warehouse, for what spans suites: derived ones are declared nowhere else.
    """
    if STAGES[cell.stage].spans_suites:
        yield from (Cell(suite, edge.upstream) for suite in known_suites(study, present))
        return
    doses = study.doses_of(cell.suite) if edge.all_doses or cell.dose is None else (cell.dose,)
    solvers = study.solvers_of(cell.suite) if cell.solver is None else (cell.solver,)
    predictors = study.predictor_names if cell.predictor is None else (cell.predictor,)
    yield from cells_of(cell.suite, edge.upstream, doses=doses, solvers=solvers, predictors=predictors)


def cell_at(suite: str, stage: str, key_by_dimension: dict[str, str]) -> Cell:
    """Return the cell of a Dagster partition key given by dimension."""
    dose = key_by_dimension.get("dose")
    own = (key_by_dimension.get("solver"), key_by_dimension.get("predictor"))
    return Cell(suite, stage, None if dose is None else int(dose[1:]), *own)
