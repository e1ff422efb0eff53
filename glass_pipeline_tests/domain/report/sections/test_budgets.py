"""Tests of what a budget of further rewordings would do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.blocks import Missing
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.budgets import section

MakeInput = Callable[..., ReportInput]


def test_items_are_averaged_at_each_budget(rows: Any, make_input: MakeInput) -> None:
    """Worst cases .8 and .4 at nine twins make 60 %; all doses together stand last."""
    made = section(
        arrange(
            make_input(
                causal_difficulty=[rows.job()],
                budget_targets=[
                    rows.budget(slice="pooled", twins=25, half=13, worst_case=1.0),
                    rows.budget(),
                    rows.budget("item-2", rate=0.1, worst_case=0.4, at_least_half=0.0),
                ],
            )
        )
    )
    grid, _ = made.blocks

    assert [row[0] for row in grid.rows] == ["those of dose m9", "all doses together"]
    assert grid.rows[0][1:] == ("9", "15.0\u202f%", "60.0\u202f%", "5.0\u202f%", "2")
    assert made.summary["alpha"][0]["worst_case"] == pytest.approx(0.6)


def test_what_is_not_measured_is_said(make_input: MakeInput) -> None:
    """Without the table the section says so."""
    (missing,) = section(arrange(make_input())).blocks

    assert isinstance(missing, Missing)
