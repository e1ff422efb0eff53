"""The summary of one solver: values worked out by hand, and a sentence for what is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from statsmodels.stats.proportion import proportion_confint

from glass_pipeline.domain.estimands import causal_difficulty, summary
from glass_pipeline.domain.schemas import LABELED_PAIRS

Make = Callable[[Any], pl.DataFrame]


def problems(base_ids: list[str]) -> pl.DataFrame:
    """Return one problem for each id."""
    return pl.DataFrame({"base_id": base_ids, "category": "toys", "declared_complexity": 1.0})


@pytest.fixture
def four_jobs(make_pairs: Make, make_runs: Make) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Jobs a, b, c are solved in both runs and break 0/2, 1/2, 2/2 times; d is failed in both."""
    breaks = {"a": (1, 1), "b": (0, 1), "c": (0, 0), "d": (0, 1)}
    runs = [
        {"base_id": base, "dose": dose, "y_base": int(base != "d"), "n_correct": 5 if base != "d" else 1}
        for base in breaks
        for dose in (1, 9)
    ]
    pairs = [
        {"base_id": base, "twin_text": f"{base} {dose}", "file_dose": dose, "y_base_run": int(base != "d"), "y_twin": y}
        for base, verdicts in breaks.items()
        for dose, y in zip((1, 9), verdicts, strict=True)
    ]
    return problems(list(breaks)), make_runs(runs), make_pairs(pairs)


def test_worked_example(four_jobs: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]) -> None:
    """3 of 4 solvable, 2 of 3 fragile, mean pi 1/2, D_avg > .05 in 2 of 4, no break in 3 re-solves."""
    found = summary(causal_difficulty(*four_jobs, seed=42), four_jobs[1])

    assert (found.n_problems, found.n_solvable, found.n_measured, found.n_fragile) == (4, 3, 3, 2)
    assert found.n_observations == 6
    assert found.doses == (1, 9)
    assert found.solvable.value == 0.75
    assert found.fragile.value == pytest.approx(2 / 3)
    assert found.any_break.value == pytest.approx(2 / 3)
    assert found.fragile_uncond.value == 0.5
    assert found.mean_pi.value == pytest.approx(0.5)
    assert (found.identity_floor.value, found.identity_floor.n) == (0.0, 3)


def test_intervals_are_wilson_and_job_bootstrap(four_jobs: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]) -> None:
    """2 of 3 has statsmodels' Wilson interval; three jobs of pi 0, 1/2, 1 can be redrawn to means 0 to 1."""
    found = summary(causal_difficulty(*four_jobs, seed=42), four_jobs[1])

    assert (found.fragile.low, found.fragile.high) == pytest.approx(proportion_confint(2, 3, method="wilson"))
    assert (found.mean_pi.low, found.mean_pi.high) == pytest.approx((0.0, 1.0))


def test_the_same_seed_gives_the_same_summary(four_jobs: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]) -> None:
    """Bootstraps are seeded by name."""
    table = causal_difficulty(*four_jobs, seed=42)

    assert summary(table, four_jobs[1], seed=3) == summary(table, four_jobs[1], seed=3)


@pytest.mark.parametrize(
    ("runs", "reasons"),
    [
        ([], ("No problem has a base label yet.", "No solvable problem", "No problem has a labelled twin")),
        ([{"y_base": 1, "n_correct": 5}], (None, "No solvable problem", "No problem has a labelled twin")),
    ],
    ids=["nothing", "bases only"],
)
def test_what_is_missing_has_a_reason(make_runs: Make, runs: Any, reasons: tuple[str | None, ...]) -> None:
    """Each measure without a value says why in a plain sentence."""
    labels = make_runs(runs)

    found = summary(causal_difficulty(problems(["a"]), labels, LABELED_PAIRS.frame([]), seed=42), labels)

    measures = found.solvable, found.fragile, found.fragile_uncond
    for measure, reason in zip(measures, reasons, strict=True):
        assert (measure.value is None) is (reason is not None)
        assert reason is None or (measure.reason or "").startswith(reason)
    assert found.mean_pi.value is None
    assert "two dose runs" in (found.identity_floor.reason or "")


def test_equal_rates_leave_no_interval(make_pairs: Make, make_runs: Make) -> None:
    """Two jobs that never break have mean pi 0, and a reason instead of the interval from 0 to 0."""
    runs = make_runs({"base_id": base, "y_base": 1, "n_correct": 5} for base in "ab")
    pairs = make_pairs({"base_id": base, "twin_text": base, "y_twin": 1} for base in "ab")

    found = summary(causal_difficulty(problems(["a", "b"]), runs, pairs, seed=42), runs)

    assert found.mean_pi.value == 0.0
    assert found.mean_pi.low is None
    assert "no spread" in (found.mean_pi.reason or "")
    assert found.any_break.high == pytest.approx(proportion_confint(0, 2, method="wilson")[1])
