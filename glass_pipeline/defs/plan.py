"""Holds the answer to "what must be made anew, and why": files compared with what they were made from.

Never makes anything. The warehouse is the truth here: a run recorded by Dagster is a claim about a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from glass_pipeline.defs.code_versions import settings_of, version_of
from glass_pipeline.defs.keys import Cell, cells_of, edges_of, run_stages_of, upstream_cells
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.study import Study


@dataclass(frozen=True, slots=True)
class Selection:
    """What a command was asked for."""

    suite: str
    doses: tuple[int, ...]
    solvers: tuple[str, ...]
    stages: tuple[str, ...]
    predictors: tuple[str, ...] = ()


def whole(suite: str, study: Study) -> Selection:
    """Return everything that a run of a suite makes unless it names less."""
    return Selection(
        suite, study.doses_of(suite), study.solvers_of(suite), run_stages_of(study, suite), study.predictor_names
    )


def selected_cells(selection: Selection) -> Iterator[Cell]:
    """Yield the cells of a selection, each after everything it reads."""
    for stage in STAGES:
        if stage in selection.stages and not STAGES[stage].spans_suites:
            yield from cells_of(
                selection.suite,
                stage,
                doses=selection.doses,
                solvers=selection.solvers,
                predictors=selection.predictors,
            )


def stale_reason(cell: Cell, warehouse: Warehouse, study: Study) -> str | None:
    """Return why a cell must be made anew, in words, or None if it is up to date."""
    recorded = warehouse.provenance(cell)
    if recorded is None:
        return "missing"
    if recorded.code_version != version_of(cell.stage):
        return f"code version {recorded.code_version} is now {version_of(cell.stage)}"
    if recorded.settings != settings_of(cell, study):
        return "its settings or source files changed"
    if recorded.missing_items:
        return f"{recorded.missing_items} items have no answer yet"
    return _changed_input(cell, recorded, warehouse, study)


def _changed_input(cell: Cell, recorded: Provenance, warehouse: Warehouse, study: Study) -> str | None:
    current = current_inputs(cell, warehouse, study)
    for name in sorted(current.keys() | recorded.inputs.keys()):
        if name not in recorded.inputs:
            return f"{name} is new"
        if name not in current:
            return f"{name} is gone"
        if current[name] != recorded.inputs[name]:
            return f"{name} changed"
    return None


def current_inputs(cell: Cell, warehouse: Warehouse, study: Study) -> dict[str, str]:
    """Return the data version of every existing cell that ``cell`` reads."""
    versions: dict[str, str] = {}
    for edge in edges_of(cell.stage, study, cell.suite):
        present = warehouse.suites_present() if not cell.suite else ()
        for upstream in upstream_cells(cell, edge, study, present) if edge.loads else ():
            provenance = warehouse.provenance(upstream)
            if provenance is not None:
                versions[str(upstream)] = provenance.data_version
    return versions
