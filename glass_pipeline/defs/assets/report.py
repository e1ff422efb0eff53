"""Holds the asset of stage ``report``: the page people read, its text twin, and its figures as a table."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.figures import report_figures
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.manifest import manifest_of, spared_calls
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.report import build_report
from glass_pipeline.domain.report.assembly import assemble, figures_frame
from glass_pipeline.study import Study


def report_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``report`` of one suite."""

    @dg.asset(**wired(suite, "report", study))
    def report(warehouse: dg.ResourceParam[Warehouse], **tables: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        given = assemble(
            suite,
            tables,
            seed=study.study.seed,
            simulated=study.simulated_solvers,
            doses=study.doses_of(suite),
            manifest=manifest_of(suite, study, warehouse),
            spared=spared_calls(study, tables),
        )
        page = warehouse.write_report(Cell(suite, "report"), build_report(given))
        figures = figures_frame(given)
        return table_result("report", figures, {"page": dg.MetadataValue.path(str(page)), **report_figures(figures)})

    return [report]
