"""Tests of break rates by family and dose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.family_rates import family_rates


def test_rates_count_eligible_pairs_of_the_stratum(toy: ReportInput) -> None:
    """m1: item-1 broke one of two; m3: one of one. item-2 is unsolved and counts nowhere."""
    evidence = arrange(toy)
    rates = family_rates(evidence.solvers[0], evidence, "file_dose")

    assert [(cell.dose, cell.breaks, cell.rate.n, cell.jobs) for cell in rates] == [(1, 1, 2, 1), (3, 1, 1, 1)]


def test_only_injections_have_a_size(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Surface twins are no rows of the table by injection size."""
    added = rows.pair(twin_id="x", family="math_irrelevant_context", inject_size=3)
    given = make_input(
        base_problems=[rows.problem()],
        labeled_pairs=[rows.pair(twin_id="y"), added],
        causal_difficulty=[rows.job()],
    )
    evidence = arrange(given)

    assert [(cell.family, cell.dose) for cell in family_rates(evidence.solvers[0], evidence, "inject_size")] == [
        ("math_irrelevant_context", 3)
    ]
