"""Tests of the section of items."""

from __future__ import annotations

import dataclasses

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.blocks import Browser, Missing
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.items import section


def test_every_item_is_there_and_the_most_fragile_are_listed(toy: ReportInput) -> None:
    """Two items in the browser, the one with a break in the plain table."""
    browser = next(block for block in section(arrange(toy)).blocks if isinstance(block, Browser))

    assert browser.index["id"] == ["item-1", "item-2"]
    assert [row[0] for row in browser.grid.rows] == ["item-1"]


def test_outputs_that_do_not_fit_are_owned_up_to(toy: ReportInput) -> None:
    """item-1 has four sets of outputs and item-2 two; none of six fits a page of no size."""
    blocks = section(arrange(dataclasses.replace(toy, page_budget_bytes=0))).blocks
    (missing,) = (block for block in blocks if isinstance(block, Missing))

    assert "outputs of 0 questions" in missing.text
    assert "leaves out those of 6." in missing.text
