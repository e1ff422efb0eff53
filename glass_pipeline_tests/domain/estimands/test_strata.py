"""Pass rates, the three rules of the solvable stratum, and principal strata."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.estimands.strata import base_pass_rates, principal_strata, solvable_jobs

Make = Callable[[Any], pl.DataFrame]


def test_pass_rate_of_the_worked_example(worked_runs: pl.DataFrame) -> None:
    """4 + 3 + 2 of 15 samples are right: 0.6 (methods §1.5)."""
    assert base_pass_rates(worked_runs).rows() == [("a", 0.6, 15)]


@pytest.mark.parametrize(
    ("rule", "expected"), [("pass_rate", ["a"]), ("modal_ref_run", ["a"]), ("all_runs_solved", [])]
)
def test_stratum_rules_on_the_worked_example(worked_runs: pl.DataFrame, rule: Any, expected: list[str]) -> None:
    """0.6 is in, the m9 run solved it, and the m5 run did not."""
    assert solvable_jobs(worked_runs, rule=rule).to_list() == expected


def test_another_reference_run_gives_another_stratum(worked_runs: pl.DataFrame) -> None:
    """Judged by the m5 run alone, the job is unsolved."""
    assert solvable_jobs(worked_runs, rule="modal_ref_run", reference_dose=5).is_empty()


@pytest.mark.parametrize(("right", "inside"), [(5, True), (4, False)])
def test_exactly_half_is_in_the_stratum(make_runs: Make, right: int, inside: bool) -> None:
    """5 of 10 samples are in, 4 of 10 are not."""
    runs = make_runs([{"dose": 1, "y_base": 1, "n_samples": 10, "n_correct": right}])

    assert solvable_jobs(runs).is_empty() is not inside


def test_a_job_without_samples_has_no_pass_rate(make_runs: Make) -> None:
    """0 of 0 is no rate, so there is no row."""
    assert base_pass_rates(make_runs([{"y_base": 0, "n_samples": 0, "n_correct": 0}])).is_empty()


def test_principal_strata_of_the_worked_example(worked_pairs: pl.DataFrame) -> None:
    """Two always solved, two breaks, one repaired, one never; (breaks - repaired) / 6 is the mean delta."""
    row = worked_pairs.select(*principal_strata(), d_avg=pl.col("delta").mean()).row(0, named=True)

    assert (row["always_solved"], row["breaks"], row["repaired"], row["never_solved"]) == (2, 2, 1, 1)
    assert row["d_avg"] == pytest.approx(1 / 6)
    assert row["d_avg"] == pytest.approx((row["breaks"] - row["repaired"]) / 6)
