"""Tests of the section on statuses and cost."""

from __future__ import annotations

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.spending import section


def test_a_status_that_did_not_occur_is_zero(toy: ReportInput) -> None:
    """All 30 completions are answers, and every other status says 0."""
    _, statuses, costs = section(arrange(toy)).blocks
    cells = {row[0]: row[2] for row in statuses.rows}

    assert (cells["ok"], cells["timeout"], cells["all"]) == ("30", "0", "30")
    assert costs.rows[2] == ("Cost, US dollars", "$0.06")


def test_nothing_asked_is_nothing_spent(make_input) -> None:
    """Without a solver the section says so."""
    assert section(arrange(make_input())).blocks[0].text == "No solver has been asked yet."
