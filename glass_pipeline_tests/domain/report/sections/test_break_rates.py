"""Tests of the chart of break rates."""

from __future__ import annotations

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.break_rates import section


def test_the_chart_has_its_numbers_behind_it(toy: ReportInput) -> None:
    """m1: 1 of 2 twins; m3: 1 of 1; one line, and the same in a table."""
    charts, aid = section(arrange(toy)).blocks

    assert [(row[1], row[4], row[5], row[6]) for row in charts.grid.rows] == [
        ("1", "1", "2", "1"),
        ("3", "1", "1", "1"),
    ]
    assert [line.name for line in charts.drawings[0].lines] == ["renamed"]
    assert "renamed from 50.0\u202f% to 100.0\u202f%" in charts.drawings[0].description
    assert "not measured yet" in aid.text
    assert "bands are rough" in aid.text


def test_without_answered_twins_there_is_no_chart(make_input) -> None:
    """The section says what is missing and how to make it."""
    (missing,) = section(arrange(make_input())).blocks

    assert missing.command == "glass run toy"
