"""Tests of the way from a suite's tables to the report's input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from glass_pipeline.domain.estimands.identity_floor import identity_floor_table
from glass_pipeline.domain.report import ReportInput, build_report
from glass_pipeline.domain.report.assembly import assemble
from glass_pipeline.domain.report.inputs import REPORT_TABLES
from glass_pipeline.domain.report.savings import Spared


def assembled(given: ReportInput, **changes: Any) -> ReportInput:
    """The toy's tables, put together again."""
    tables = {name: getattr(given, name) for name in REPORT_TABLES} | changes
    return assemble("toy", tables, seed=42, simulated=frozenset(), doses=(1, 3, 5), manifest={}, spared={})


def test_the_manifest_says_what_was_spared(toy: ReportInput) -> None:
    """One line a solver, in words."""
    spared = {"alpha": Spared(curtailment=4, distinct_text=10, stratum=0)}
    given = assemble("toy", {}, seed=42, simulated=frozenset(), doses=(1,), manifest={"seed": "42"}, spared=spared)

    assert given.manifest == {
        "seed": "42",
        "spared alpha": "4 by curtailment, 10 by solving a text once, 0 outside the stratum",
    }


def test_doses_without_pairs_are_missing(toy: ReportInput) -> None:
    """Pairs are held for m1 and m3; the study also asks for m5."""
    given = assembled(toy)

    assert (given.doses_held, given.doses_missing) == ((1, 3), (5,))


def test_the_floor_is_taken_from_its_table(rows: Any, make_input: Callable[..., ReportInput], toy: ReportInput) -> None:
    """Of three items solved in run m9 and solved again four times each, one re-solve fails: 1/12 (methods §1.9)."""
    failed = {("item-1", 3)}
    labels = [
        rows.base_label(f"item-{n}", dose)
        | ({"y_base": 0, **rows.samples(("9",) * 5)} if (f"item-{n}", dose) in failed else {})
        for n in (1, 2, 3)
        for dose in (1, 3, 5, 7, 9)
    ]
    base_labels = make_input(base_labels=labels).base_labels
    measured = identity_floor_table(base_labels, seed=42)
    floor = assembled(toy, base_labels=base_labels, identity_floor=measured).floor["alpha"]

    assert (floor.breaks, floor.resolves, floor.items) == (1, 12, 3)


def test_a_stage_that_was_never_made_is_left_out(toy: ReportInput) -> None:
    """A frame without columns stands for an absent table, and the page is still made."""
    given = assembled(toy, noop_audit=pl.DataFrame())

    assert given.noop_audit.height == 0
    assert "No twin has been audited yet." in build_report(given).html
