"""Tests of the dose response."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.blocks import Grid, Missing
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.dose_response import section


def test_the_fit_on_injection_size_stands_beside_the_fit_on_dose(
    rows: Any, make_input: Callable[..., ReportInput]
) -> None:
    """Of b = 0.1, 0.2, 0.4 the median is 0.20 and the quartiles 0.15 and 0.30, all above 0."""
    jobs = [rows.job(f"item-{n}", b=b) for n, b in enumerate((0.1, 0.2, 0.4))]
    given = make_input(base_problems=[rows.problem(f"item-{n}") for n in range(3)], causal_difficulty=jobs)
    grid = next(block for block in section(arrange(given)).blocks if isinstance(block, Grid))

    assert [row[1] for row in grid.rows] == ["file dose", "file dose", "injection size", "injection size"]
    assert grid.rows[1][2:] == ("0.20", "0.15", "0.30", "100\u202f%", "3")


def test_without_break_rates_there_is_no_dose_response(make_input: Callable[..., ReportInput]) -> None:
    """The section says so in one sentence."""
    (block,) = section(arrange(make_input())).blocks

    assert isinstance(block, Missing)
