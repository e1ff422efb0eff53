"""Tests of what the page says it does not show."""

from __future__ import annotations

import dataclasses

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.limits import section


def points(given: ReportInput) -> str:
    """All points as one text."""
    return "\n".join(section(arrange(given)).blocks[0].texts)


def test_missing_doses_and_the_unmeasured_floor_are_limits(toy: ReportInput) -> None:
    """m5 is missing, no floor is given, the median item has 2 twins."""
    text = points(toy)

    assert "No labels of alpha for dose m5" in text
    assert "re-sampling noise is not measured yet" in text
    assert "2 eligible twins in the median" in text


def test_a_simulation_says_nothing_about_a_model(toy: ReportInput) -> None:
    """Simulated labels are named as such."""
    text = points(dataclasses.replace(toy, simulated=frozenset({"alpha"})))

    assert "The labels of alpha are a simulation; they say nothing about any model." in text
