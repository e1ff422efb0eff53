"""Holds ``glass run``: every stale cell of a selection made anew, each as one Dagster run that the UI shows.

Never decides what is stale (``plan``) and never prints; the command line is told through a callback.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import dagster as dg

from glass_pipeline.defs.build import MADE_BESIDE, build_definitions, default_resources, study_wide
from glass_pipeline.defs.catalogue import is_current, publish
from glass_pipeline.defs.keys import Cell, asking_stages_of, cells_of, stages_of
from glass_pipeline.defs.plan import Selection, selected_cells, stale_reason
from glass_pipeline.defs.resources import SolverResource
from glass_pipeline.defs.stages import ON_DEMAND
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import key_of
from glass_pipeline.domain.frames import distractors_of, problems_of, twins_of
from glass_pipeline.domain.grading.tables import base_questions, twin_questions
from glass_pipeline.domain.records import Question
from glass_pipeline.llm.estimate import Estimate
from glass_pipeline.study import Settings, Study, known_suites


class Made(NamedTuple):
    """One cell that a run made, and why."""

    cell: Cell
    reason: str


class CheckFailed(RuntimeError):
    """A table failed a blocking check, so nothing that follows may be made; the message is one sentence."""


QUIET_CONSOLE = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
"""Dagster's own lines go to its event log, which the UI shows; the terminal has one line a table."""


def run_selection(
    selection: Selection,
    study: Study,
    settings: Settings,
    *,
    instance: dg.DagsterInstance,
    solvers: SolverResource | None = None,
    remake: frozenset[str] = frozenset(),
    on_start: Callable[[Cell, str], None] | None = None,
) -> list[Made]:
    """Make every stale cell of a selection, in an order in which each comes after what it reads.

    Whatever was made, ``glass.duckdb`` shows it afterwards.

    Args:
        selection: Suite, doses, solvers and stages.
        study: What glass.toml declares.
        settings: Warehouse and environment.
        instance: Where the runs are recorded.
        solvers: Replaces the default solver resource, e.g. to show progress.
        remake: Stages made anew even where they are up to date.
        on_start: Told of each cell before it is made.

    Raises:
        CheckFailed: a table failed a blocking check; it is set aside, and nothing after it is made.
        Exception: what the stage itself raised, unwrapped from Dagster's step error.
    """
    warehouse = Warehouse(settings.warehouse)
    resources = {**default_resources(study, settings), **({"solvers": solvers} if solvers else {})}
    definitions = build_definitions(study, settings, suites=(selection.suite,))
    made = []
    for cell in selected_cells(selection):
        reason = "asked for" if cell.stage in remake else stale_reason(cell, warehouse, study)
        if reason is None or (cell.stage in MADE_BESIDE and not _alone(cell, warehouse)):
            continue
        if on_start is not None:
            on_start(cell, reason)
        _materialize(cell, reason, definitions, resources, instance, warehouse)
        made.append(Made(cell, reason))
    if not is_current(warehouse):
        publish(warehouse)
    return made


def make_overview(study: Study, settings: Settings, *, instance: dg.DagsterInstance) -> str | None:
    """Make the page of all suites anew if a report has changed, and return why, or None if it is up to date."""
    warehouse, cell = Warehouse(settings.warehouse), Cell("", "overview")
    reason = stale_reason(cell, warehouse, study)
    if reason is not None:
        suites = known_suites(study, warehouse.suites_present())
        reports = [dg.AssetSpec(key_of(suite, "report")) for suite in suites]
        definitions = dg.Definitions(assets=[study_wide(study, suites, settings), *reports])
        _materialize(cell, reason, definitions, default_resources(study, settings), instance, warehouse)
    return reason


def _alone(cell: Cell, warehouse: Warehouse) -> bool:
    """Whether a table made beside another is missing although the other is there."""
    return not warehouse.has(cell)


def _materialize(
    cell: Cell,
    reason: str,
    definitions: dg.Definitions,
    resources: Mapping[str, Any],
    instance: dg.DagsterInstance,
    warehouse: Warehouse,
) -> None:
    stages = {"twins", "declines"} if cell.stage in {"twins", "declines"} else {cell.stage}
    parts: list[Any] = [*(definitions.assets or ()), *(definitions.asset_checks or ())]
    try:
        dg.materialize(
            parts,
            selection=dg.AssetSelection.assets(*(key_of(cell.suite, stage) for stage in sorted(stages))),
            partition_key=cell.partition_key,
            resources=dict(resources),
            instance=instance,
            run_config=QUIET_CONSOLE,
            tags={"glass/why": reason, "glass/cell": str(cell)},
        )
    except dg.DagsterExecutionStepExecutionError as error:
        cause = error.__cause__ or error
        raise cause from None
    except dg.DagsterError as error:
        # Dagster raises this class but does not export it.
        if type(error).__name__ != "DagsterAssetCheckFailedError":
            raise
        # The table was written before it was checked; a later run must not find it and go on from it.
        aside = warehouse.set_aside(cell)
        raise CheckFailed(f"{cell}: {' '.join(str(error).split())}; the table was set aside as {aside}.") from None


def estimate_selection(
    selection: Selection, study: Study, settings: Settings, solvers: SolverResource
) -> dict[str, Estimate]:
    """Return what the next model to be asked would be asked, and cost: a writer, else adjudicators, else solvers.

    What comes after depends on what that model says; ``free_part`` must have been made.
    """
    warehouse = Warehouse(settings.warehouse)
    cells = {stage: [Cell(selection.suite, stage, dose) for dose in selection.doses] for stage in AHEAD_OF_SOLVING}
    problems = warehouse.read([Cell(selection.suite, "base_problems")])
    if not _made(cells["twins"], warehouse):
        pool = distractors_of(warehouse.read([Cell(selection.suite, "distractors")]))
        return solvers.estimate_writing(selection.suite, problems_of(problems), pool, doses=selection.doses)
    if not _made(cells["noop_audit"], warehouse):
        twins = twins_of(warehouse.read(cells["twins"]))
        return solvers.estimate_audit(selection.suite, problems_of(problems), twins)
    questions = questions_of(selection, study, settings)
    return {slug: solvers.estimate(slug, questions) for slug in selection.solvers}


def questions_of(selection: Selection, study: Study, settings: Settings) -> list[Question]:
    """Return the bases and the twins of the mixes of a selection; the free stages must have been made."""
    warehouse = Warehouse(settings.warehouse)
    problems = warehouse.read([Cell(selection.suite, "base_problems")])
    samples, may_stop = study.study.samples, study.study.curtails
    questions: list[Question] = []
    for dose in selection.doses:
        mix = warehouse.read([Cell(selection.suite, "multiop_mix", dose)])
        questions += base_questions(problems, dose, samples)
        questions += twin_questions(problems, mix, samples, may_stop=may_stop)
    return questions


AHEAD_OF_SOLVING = ("twins", "noop_audit", "multiop_mix")


def _made(cells: Sequence[Cell], warehouse: Warehouse) -> bool:
    return all(warehouse.has(cell) for cell in cells)


def free_part(selection: Selection, study: Study, settings: Settings) -> Selection:
    """Return the part of a selection that asks nobody: all stages up to the first that does and is not made yet."""
    warehouse = Warehouse(settings.warehouse)
    asking = asking_stages_of(study, selection.suite)
    free = []
    for stage in stages_of(study, selection.suite):
        cells = cells_of(selection.suite, stage, doses=selection.doses, solvers=selection.solvers)
        if stage in asking - ON_DEMAND and (stage not in AHEAD_OF_SOLVING or not _made(tuple(cells), warehouse)):
            break
        if stage not in asking:
            free.append(stage)
    return replace(selection, stages=tuple(free))
