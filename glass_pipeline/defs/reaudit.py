"""Holds what makes re-audits regular: their job, their weekly schedule, and which dated audit is in use.

Never judges a twin, and never changes which audit is in use but on ``adopt``.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping

import dagster as dg

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import OP_NAME, key_of
from glass_pipeline.domain.errors import BadInput
from glass_pipeline.llm.adjudicate import DRAW
from glass_pipeline.study import Settings, Study, dose_key

STAGE = "reaudit"
DATE_TAG = "glass/date"
EVERY_MONDAY = "0 6 * * 1"
SCHEDULES = "GLASS_SCHEDULES"
"""Environment variable that names the schedules to register, e.g. ``reaudit``; unset on a person's machine."""


def is_scheduled(settings: Settings) -> bool:
    """Return whether this environment asks for weekly re-audits."""
    return STAGE in settings.environment.get(SCHEDULES, "").replace(",", " ").split()


def reaudit_job(suite: str) -> dg.UnresolvedAssetJobDefinition:
    """Return the job that judges a suite's twins anew, one run a dose."""
    return dg.define_asset_job(
        f"reaudit_{OP_NAME.sub('_', suite)}",
        selection=dg.AssetSelection.assets(key_of(suite, STAGE)),
        description=f"Judge the twins of {suite} anew, into the dated history; the audit in use stays as it is.",
        tags={"glass/why": "re-audit"},
    )


def reaudit_schedule(suite: str, study: Study, job: dg.UnresolvedAssetJobDefinition) -> dg.ScheduleDefinition:
    """Return the schedule that re-audits every dose of a suite each Monday morning, running from the start."""

    @dg.schedule(
        name=f"reaudit_{OP_NAME.sub('_', suite)}_weekly",
        job=job,
        cron_schedule=EVERY_MONDAY,
        execution_timezone="UTC",
        default_status=dg.DefaultScheduleStatus.RUNNING,
    )
    def weekly(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
        date = context.scheduled_execution_time.date().isoformat()
        for dose in study.doses_of(suite):
            yield dg.RunRequest(run_key=f"{date}:{dose_key(dose)}", partition_key=dose_key(dose), tags={DATE_TAG: date})

    return weekly


def freshness() -> dg.FreshnessPolicy:
    """Return the policy by which the UI shows a re-audit that is more than a day late."""
    return dg.FreshnessPolicy.cron("0 6 * * 2", datetime.timedelta(days=1))


def date_of(tags: Mapping[str, str]) -> str:
    """Return the date that a run's re-audit is filed under: the schedule's, else today's."""
    return tags.get(DATE_TAG) or datetime.datetime.now(datetime.UTC).date().isoformat()


def draw_of(date: str) -> str:
    """Return the name of the verdicts given on a date."""
    return f"{STAGE}/{date}"


def draw_in_use(warehouse: Warehouse, suite: str, dose: int) -> str:
    """Return which verdicts the audit of a dose takes: the first ones, or those of an adopted re-audit."""
    date = _adopted(warehouse, suite).get(dose_key(dose))
    return DRAW if date is None else draw_of(date)


def adopt(warehouse: Warehouse, suite: str, dose: int, date: str) -> None:
    """Take the verdicts of a re-audit for the audit of a dose, from its next making on.

    Raises:
        BadInput: no re-audit of that date is held.
    """
    cell = Cell(suite, STAGE, dose)
    held = warehouse.read([cell], ["date"])["date"].unique().sort().to_list() if warehouse.has(cell) else []
    if date not in held:
        known = f"there are {', '.join(held)}" if held else f"`glass reaudit {suite}` makes one"
        raise BadInput(f"{cell} holds no re-audit of {date}; {known}.")
    adopted = {**_adopted(warehouse, suite), dose_key(dose): date}
    warehouse.write_text(warehouse.folder(Cell(suite, STAGE)) / "adopted.json", json.dumps(adopted, sort_keys=True))


def _adopted(warehouse: Warehouse, suite: str) -> dict[str, str]:
    path = warehouse.folder(Cell(suite, STAGE)) / "adopted.json"
    try:
        text = warehouse.files.text(path)
        found = {} if text is None else json.loads(text)
        return {str(dose): datetime.date.fromisoformat(date).isoformat() for dose, date in found.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise BadInput(f"{path} is damaged; delete it and adopt the re-audit again.") from None
