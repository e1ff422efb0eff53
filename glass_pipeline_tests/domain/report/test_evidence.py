"""Tests of the arrangement by solver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange


def test_real_solvers_come_before_simulated_ones(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Order is by name within each, and a solver with any row at all is there."""
    given = make_input(
        base_problems=[rows.problem()],
        base_labels=[rows.base_label(solver="beta"), rows.base_label(solver="aaa")],
        causal_difficulty=[rows.job(solver="alpha")],
        settings={"simulated": frozenset({"aaa"})},
    )

    assert [one.solver for one in arrange(given).solvers] == ["alpha", "beta", "aaa"]


def test_eligible_pairs_are_those_whose_run_solved_the_base(toy: ReportInput) -> None:
    """item-2's run failed its base, so its pair is no break (methods §1.4)."""
    pairs = arrange(toy).solvers[0].pairs

    assert pairs["is_eligible"].to_list() == [True, True, True, False]
    assert pairs["is_break"].to_list() == [True, False, True, False]


def test_a_twin_text_is_one_label(toy: ReportInput) -> None:
    """The text that stands in two dose files was solved once."""
    assert arrange(toy).solvers[0].twin_labels.height == 3


def test_only_the_pooled_slice_counts(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """A row for one dose is not a second job."""
    given = make_input(base_problems=[rows.problem()], causal_difficulty=[rows.job(), rows.job(slice="m1")])

    assert arrange(given).solvers[0].jobs.height == 1


def test_a_job_outside_the_stratum_is_not_scored(toy: ReportInput) -> None:
    """Only solved problems have a break rate."""
    one = arrange(toy).solvers[0]

    assert one.stratum["base_id"].to_list() == one.scored["base_id"].to_list() == ["item-1"]
