"""Tests of the comparison with the published values."""

from __future__ import annotations

import dataclasses

from glass_pipeline.domain.report import FloorFigure, ReportInput
from glass_pipeline.domain.report.blocks import Folded, Grid
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.published_values import section


def beside(given: ReportInput) -> dict[str, tuple[str, ...]]:
    """Ours and published, by quantity."""
    grid = next(block for block in section(arrange(given)).blocks if isinstance(block, Grid))
    return {row[0]: row[1:3] for row in grid.rows}


def test_ours_stands_beside_theirs(toy: ReportInput) -> None:
    """Two problems, three distinct twins, one item of two with d_avg above 0.05, one with none at all."""
    floor = FloorFigure(breaks=1, resolves=8, items=2, low=0.0, high=0.5)
    cells = beside(dataclasses.replace(toy, suite="glassgsm", floor={"alpha": floor}))

    assert cells["Problems"] == ("2", "1,319")
    assert cells["Distinct twins a problem"] == ("1.5", "13.9")
    assert cells["Fragile share, all problems"] == ("50.0\u202f%", "44.9\u202f%")
    assert cells["Share with no effect, all problems"] == ("50.0\u202f%", "48.6\u202f%")
    assert cells["Break rate, entities renamed"] == ("50.0\u202f%", "1.5\u202f%")
    assert cells["Identity floor"] == ("12.5\u202f%", "1.1\u202f%")
    assert cells["Re-solves behind the floor"] == ("8", "—")


def test_what_we_have_not_measured_is_listed_apart(toy: ReportInput) -> None:
    """Without a floor of ours the published one stands in the folded list, ours a dash."""
    given = dataclasses.replace(toy, suite="glassgsm")
    folded = next(block for block in section(arrange(given)).blocks if isinstance(block, Folded))
    rows = {row[0]: row for row in folded.blocks[0].rows}

    assert rows["Identity floor"][1:3] == ("—", "1.1\u202f%")
    assert rows["Transfer, DeepSeek to gpt-4o-mini, ρ"][2] == "—"


def test_a_suite_without_a_counterpart_says_so(toy: ReportInput) -> None:
    """Toy is not in the paper: no number of GSM8K stands beside it."""
    aid = section(arrange(toy)).blocks[0]

    assert aid.text.startswith("toy has no counterpart in the paper")
    assert not any(isinstance(block, Grid) for block in section(arrange(toy)).blocks)
