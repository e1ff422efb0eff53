"""Tests of the manifest."""

from __future__ import annotations

from collections.abc import Callable

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.blocks import Facts, Missing
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.manifest import section


def test_doses_rows_and_entries_are_printed(toy: ReportInput) -> None:
    """Held m1 and m3, missing m5, two base problems, the seed as given."""
    facts = dict(section(arrange(toy)).blocks[0].pairs)

    assert (facts["doses held"], facts["doses missing"], facts["seed"]) == ("m1, m3", "m5", "42")
    assert facts["rows"].startswith("base_problems 2, ")


def test_tables_that_are_not_there_are_named(make_input: Callable[..., ReportInput]) -> None:
    """An empty suite lists what has to be made."""
    missing, facts = section(arrange(make_input())).blocks

    assert isinstance(missing, Missing)
    assert "base_problems, noop_audit" in missing.text
    assert isinstance(facts, Facts)
