"""The one asset that spans suites, through Dagster's door."""

from __future__ import annotations

import dagster as dg
import polars as pl
import pytest

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.plan import stale_reason
from glass_pipeline.defs.query import run_query
from glass_pipeline.defs.run import make_overview
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.schemas import BASE_PROBLEMS, REPORT
from glass_pipeline.study import Settings, Study

CELL = Cell("", "overview")


def reported(warehouse: Warehouse, suite: str, value: float) -> None:
    """Write a suite's report table with one figure."""
    row = {
        "solver": "planted",
        "figure": "mean_pi",
        "value": value,
        "low": 0.1,
        "high": 0.4,
        "n": 9,
        "note": "fraction",
    }
    made = Provenance(data_version=f"{value}", code_version="1", settings="s")
    warehouse.write(Cell(suite, "base_problems"), BASE_PROBLEMS.frame([]), made)
    warehouse.write(Cell(suite, "report"), REPORT.frame([row]), made)


@pytest.fixture
def warehouse(settings: Settings) -> Warehouse:
    """The warehouse of the test's settings."""
    return Warehouse(settings.warehouse)


def test_the_overview_follows_its_reports(
    study: Study, settings: Settings, instance: dg.DagsterInstance, warehouse: Warehouse
) -> None:
    """Made once, left alone, made again when a report changed or a derived suite came; SQL sees it at once."""
    reported(warehouse, "mini", 0.2)
    assert make_overview(study, settings, instance=instance) == "missing"
    assert make_overview(study, settings, instance=instance) is None

    reported(warehouse, "mini", 0.3)
    assert make_overview(study, settings, instance=instance) == "mini/report changed"
    reported(warehouse, "mini-n5", 0.25)
    assert stale_reason(CELL, warehouse, study) == "mini-n5/report is new"
    make_overview(study, settings, instance=instance)

    rows = run_query("select suite, is_simulated, value from overview order by suite", warehouse)
    assert rows.rows() == [("mini", True, 0.3), ("mini-n5", True, 0.25)]
    provenance = warehouse.provenance(CELL)
    assert provenance is not None
    assert provenance.inputs == {"mini/report": "0.3", "mini-n5/report": "0.25"}
    assert '<a href="../mini-n5/report/report.html">' in (warehouse.folder(CELL) / "overview.html").read_text("utf-8")


def test_a_study_without_a_report_has_an_overview_that_says_so(
    study: Study, settings: Settings, instance: dg.DagsterInstance, warehouse: Warehouse
) -> None:
    """No suite is made up, and none is left out."""
    make_overview(study, settings, instance=instance)

    assert warehouse.read([CELL]).equals(pl.DataFrame(schema=warehouse.read([CELL]).schema))
    assert "mini has no report yet. `glass run mini`" in (warehouse.folder(CELL) / "overview.md").read_text("utf-8")
