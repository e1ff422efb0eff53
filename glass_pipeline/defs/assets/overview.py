"""Holds the asset of stage ``overview``: every suite and solver on one page, outside all suites."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import input_at, table_result, wired_across
from glass_pipeline.domain.report.overview import build_overview, overview_frame
from glass_pipeline.study import Study


def overview_asset(study: Study, suites: tuple[str, ...]) -> dg.AssetsDefinition:
    """Return ``overview`` over the given suites."""

    @dg.asset(**wired_across("overview", suites))
    def overview(warehouse: dg.ResourceParam[Warehouse], **reports: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        by_suite = {suite: reports[input_at(at)] for at, suite in enumerate(suites)}
        figures = overview_frame(by_suite, study.simulated_solvers)
        links = {suite: f"../{suite}/report/report.html" for suite in suites}
        page = warehouse.write_overview(Cell("", "overview"), build_overview(figures, suites=suites, links=links))
        return table_result("overview", figures, {"page": dg.MetadataValue.path(str(page))})

    return overview
