"""Holds the assets of stage ``audit``: every twin checked for a changed meaning, before anyone pays to solve it."""

from typing import Any

import dagster as dg
import polars as pl

from glass_pipeline.defs.figures import audit_figures
from glass_pipeline.defs.keys import Cell, stages_of
from glass_pipeline.defs.reaudit import date_of, draw_in_use, draw_of
from glass_pipeline.defs.resources import SolverResource, Work
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.audit.reaudit import appended
from glass_pipeline.domain.frames import problems_of, twins_of
from glass_pipeline.study import Study


def audit_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``noop_audit`` and, where somebody judges twins, ``reaudit`` of one suite."""

    @dg.asset(**wired(suite, "noop_audit", study))
    def noop_audit(
        context: dg.AssetExecutionContext,
        base_problems: pl.DataFrame,
        twins: pl.DataFrame,
        solvers: dg.ResourceParam[SolverResource],
        warehouse: dg.ResourceParam[Warehouse],
    ) -> dg.MaterializeResult[pl.DataFrame]:
        draw = draw_in_use(warehouse, suite, study.dose(context.partition_key, suite))
        work = solvers.audit(suite, problems_of(base_problems), twins_of(twins), draw=draw)
        return table_result("noop_audit", work.made, {"verdicts": draw, **audit_figures(work.made), **spent(work)})

    @dg.asset(**wired(suite, "reaudit", study))
    def reaudit(
        context: dg.AssetExecutionContext,
        base_problems: pl.DataFrame,
        twins: pl.DataFrame,
        solvers: dg.ResourceParam[SolverResource],
        warehouse: dg.ResourceParam[Warehouse],
    ) -> dg.MaterializeResult[pl.DataFrame]:
        date = date_of(context.run.tags)
        work = solvers.audit(suite, problems_of(base_problems), twins_of(twins), draw=draw_of(date))
        history = warehouse.held(Cell(suite, "reaudit", study.dose(context.partition_key, suite)))
        metadata = {"date": date, **audit_figures(work.made), **spent(work)}
        return table_result("reaudit", appended(history, work.made, date), metadata)

    return [noop_audit, reaudit] if "reaudit" in stages_of(study, suite) else [noop_audit]


def spent(work: Work[Any]) -> dict[str, dg.MetadataValue]:
    """Return what asking took, as the UI shows it; nothing where nobody was asked."""
    if not work.requests:
        return {}
    cost = dg.MetadataValue.null() if work.cost_usd is None else dg.MetadataValue.float(work.cost_usd)
    return {"requests": dg.MetadataValue.int(work.requests), "cost_usd": cost}
