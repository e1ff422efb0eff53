"""Tests of the headline figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.domain.report import FloorFigure, ReliabilityFigure, ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.figures import fragile_by_chance, section

FLOOR = FloorFigure(breaks=1, resolves=10, items=5, low=0.01, high=0.4)


def suite(rows: Any, make_input: Callable[..., ReportInput], jobs: int, **settings: Any) -> ReportInput:
    """Solved items with one break in four twins each."""
    return make_input(
        base_problems=[rows.problem(f"item-{n}") for n in range(jobs)],
        base_labels=[rows.base_label(f"item-{n}") for n in range(jobs)],
        causal_difficulty=[rows.job(f"item-{n}", n=4, k=n % 2) for n in range(jobs)],
        settings=settings,
    )


def test_all_five_figures_carry_interval_and_chance(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """40 of 40 solved, 20 of 40 fragile, mean π 1/8, floor 1/10, r as measured."""
    reliability = ReliabilityFigure(r=0.81, r_low=0.78, r_high=0.84, oracle=0.86, jobs=40)
    given = suite(rows, make_input, 40, floor={"alpha": FLOOR}, reliability={"alpha": reliability})
    figures = section(arrange(given)).blocks[0].figures

    assert [figure.name for figure in figures] == [
        "Solvable share",
        "Fragile share",
        "Mean π",
        "Identity floor",
        "Reliability r",
    ]
    assert [figure.value.replace("\u202f", " ") for figure in figures] == ["100.0 %", "50 %", "12.5 %", "10 %", "0.810"]
    assert figures[4].basis == "√r 0.900, oracle 0.860, 40 items"
    assert all(figure.interval and figure.chance for figure in figures)


def test_what_is_not_measured_says_so(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """No floor and no reliability, no number in their place."""
    figures = section(arrange(suite(rows, make_input, 40))).blocks[0].figures

    assert [(figure.value, figure.interval) for figure in figures[3:]] == [("—", "not measured yet")] * 2


def test_fragile_by_chance_is_a_binomial_tail(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """With 4 twins one break makes 25 %, so chance is 1 - 0.9^4 = 0.3439."""
    one = arrange(suite(rows, make_input, 2, floor={"alpha": FLOOR})).solvers[0]

    assert fragile_by_chance(one) == pytest.approx(0.3439)


def test_one_break_in_twenty_is_not_fragile_by_chance(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """π must exceed 5 %: with 20 twins that takes two, 1 - 0.9^20 - 20 · 0.1 · 0.9^19 = 0.6083."""
    given = make_input(
        base_problems=[rows.problem()],
        causal_difficulty=[rows.job(n=20, k=1)],
        settings={"floor": {"alpha": FLOOR}},
    )

    assert fragile_by_chance(arrange(given).solvers[0]) == pytest.approx(0.6083, abs=5e-5)


def test_too_few_items_get_counts_instead_of_shares(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """1 of 2 is a count; a mean of two has no interval worth printing."""
    figures = section(arrange(suite(rows, make_input, 2))).blocks[0].figures

    assert figures[1].value == "1 of 2"
    assert figures[2].interval == "too few items for an interval"


def test_cost_completions_and_missing_answers_stand_below(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Two base solves of five samples at one cent each; zero is shown as zero."""
    below = section(arrange(suite(rows, make_input, 2))).blocks[0].below

    assert below == "cost: $0.02 · 10 completions · 0 without an answer"


def test_several_solvers_stand_in_one_grid(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """One row a solver, the simulated one marked and last."""
    given = make_input(
        base_problems=[rows.problem()],
        causal_difficulty=[rows.job(solver="zeta"), rows.job(solver="alpha")],
        settings={"simulated": frozenset({"alpha"})},
    )
    (grid,) = section(arrange(given)).blocks

    assert [row[0] for row in grid.rows] == ["zeta", "alpha (simulated)"]
    assert all(len(row) == len(grid.heads) for row in grid.rows)
