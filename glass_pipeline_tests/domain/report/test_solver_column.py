"""Tests of when a grid names its solvers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.blocks import Grid, Head
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.solver_column import SOLVER, named_if_several

GRID = Grid(caption="C", heads=(Head("Item"), SOLVER, Head("n")), rows=(("a", "alpha", "1"),))


def test_one_solver_needs_no_column(toy: ReportInput) -> None:
    """The column goes, with its cells."""
    grid = named_if_several(GRID, arrange(toy))

    assert [head.name for head in grid.heads] == ["Item", "n"]
    assert grid.rows == (("a", "1"),)


def test_several_solvers_are_named(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """The grid stays as it is."""
    given = make_input(base_labels=[rows.base_label(solver="alpha"), rows.base_label(solver="beta")])

    assert named_if_several(GRID, arrange(given)) == GRID
