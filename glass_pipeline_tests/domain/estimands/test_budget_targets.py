"""Worst-case and quantile targets of measured jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import special, stats

from glass_pipeline.domain.estimands.budget_targets import ALONE, NO_CURVE, budget_targets
from glass_pipeline.domain.schemas import CAUSAL_DIFFICULTY

DOSES = np.array([1, 3, 5, 7, 9])
Counts = dict[str, tuple[Any, Any]]


def jobs_of(slices: Counts) -> pl.DataFrame:
    """Return measured jobs of the given slices from their n and k."""
    frames = []
    for name, (n, k) in slices.items():
        held = list(map(int, DOSES)) if name == "pooled" and len(slices) > 2 else [9]
        ids = [f"job-{number:04}" for number in range(len(n))]
        frame = pl.DataFrame({"base_id": ids, "n": n, "k": k}, schema_overrides={"n": pl.Int64, "k": pl.Int64})
        frames.append(
            frame.with_columns(
                pi=pl.col("k") / pl.col("n"),
                slice=pl.lit(name),
                solver=pl.lit("planted"),
                doses=pl.lit(held, dtype=pl.List(pl.Int64())),
            )
        )
    made = pl.concat(frames)
    missing = [pl.lit(None, dtype=t).alias(name) for name, t in CAUSAL_DIFFICULTY.schema.items() if name not in made]
    return made.with_columns(missing)


def simulate(seed: int, jobs: int = 1243) -> tuple[Any, pl.DataFrame]:
    """Draw curves of methods §1.6 and breaks of m twins at each dose m; return true rates and the table's input."""
    rng = np.random.default_rng(seed)
    theta = rng.multivariate_normal([-2.6, 0.12], [[2.56, 0.072], [0.072, 0.0225]], size=jobs)
    rates = special.expit(theta[:, :1] + theta[:, 1:] * (DOSES - 5))
    k = rng.binomial(DOSES, rates)
    n = np.tile(DOSES, (jobs, 1))
    slices = {f"m{dose}": (n[:, place], k[:, place]) for place, dose in enumerate(DOSES)}
    return rates, jobs_of({**slices, "pooled": (n.sum(axis=1), k.sum(axis=1))})


def test_targets_are_the_tail_of_the_beta_binomial() -> None:
    """Nine new twins after k of 9 broke, prior fitted to the jobs: scipy's beta-binomial gives the same tails."""
    rng = np.random.default_rng(1)
    n, k = np.full(200, 9), rng.binomial(9, rng.beta(0.5, 4, 200))
    table = budget_targets(jobs_of({"m9": (n, k), "pooled": (n, k)})).filter(slice="m9")
    first = table.row(0, named=True)
    # rate = (alpha + k) / (alpha + beta + 9) of two jobs gives the prior back.
    by_k = dict(zip(table["k"], table["rate"], strict=True))
    precision = 1 / (by_k[1] - by_k[0]) - 9
    alpha = by_k[0] * (precision + 9)
    a, b = alpha + first["k"], precision - alpha + 9 - first["k"]

    assert (first["twins"], first["half"]) == (9, 5)
    assert first["worst_case"] == pytest.approx(stats.betabinom.sf(0, 9, a, b))
    assert first["at_least_half"] == pytest.approx(stats.betabinom.sf(4, 9, a, b))


def test_budgets_are_m_twins_at_dose_m() -> None:
    """Five doses together are a budget of 25, of which 13 are half."""
    _, jobs = simulate(0, jobs=50)
    budgets = budget_targets(jobs).select("slice", "twins", "half").unique().sort("twins")

    assert budgets.rows() == [("m1", 1, 1), ("m3", 3, 2), ("m5", 5, 3), ("m7", 7, 4), ("m9", 9, 5), ("pooled", 25, 13)]


@pytest.mark.parametrize("seed", [0, 1])
def test_mean_targets_are_those_of_the_truth(seed: int) -> None:
    """At 1,243 jobs the mean worst case and mean half are within .03 of the true ones, at m9 and at all doses."""
    rates, jobs = simulate(seed)
    means = {
        str(name): frame.select(pl.col("worst_case", "at_least_half").mean()).row(0)
        for (name,), frame in budget_targets(jobs).group_by("slice")
    }
    each = np.repeat(rates, DOSES, axis=1)
    broke = np.random.default_rng(9).random((200, *each.shape)) < each

    assert means["m9"][0] == pytest.approx((1 - (1 - rates[:, 4]) ** 9).mean(), abs=0.03)
    assert means["m9"][1] == pytest.approx(stats.binom.sf(4, 9, rates[:, 4]).mean(), abs=0.03)
    assert means["pooled"][0] == pytest.approx((1 - np.prod(1 - each, axis=1)).mean(), abs=0.03)
    assert means["pooled"][1] == pytest.approx((broke.sum(axis=2) >= 13).mean(), abs=0.03)


def test_the_curve_ranks_well_and_reads_too_high() -> None:
    """Plugged-in curves rank the true worst case of nine twins above .85 and over-state its mean by .02 to .09."""
    rates, jobs = simulate(2)
    table = budget_targets(jobs).filter(slice="m9").sort("base_id")
    truth = 1 - (1 - rates[:, 4]) ** 9

    assert stats.spearmanr(table["worst_case_curve"], truth).statistic > 0.85
    assert 0.02 < table["worst_case_curve"].mean() - truth.mean() < 0.09


def test_a_larger_budget_is_never_safer_and_half_is_never_likelier_than_one() -> None:
    """For one and the same job the worst case lies above the rate, and at least half below at least one."""
    _, jobs = simulate(3, jobs=300)
    table = budget_targets(jobs)

    assert (table["worst_case"] >= table["rate"] - 1e-12).all()
    assert (table["at_least_half"] <= table["worst_case"] + 1e-12).all()
    assert (table["at_least_half_curve"] <= table["worst_case_curve"] + 1e-12).all()


@pytest.mark.parametrize("k", [0, 9], ids=["never", "always"])
def test_jobs_of_one_outcome_are_taken_alone(k: int) -> None:
    """No prior can be fitted, so Jeffreys' stands in: rate (k + 1/2) / 10, and the note says so."""
    n, breaks = np.full(20, 9), np.full(20, k)
    row = budget_targets(jobs_of({"m9": (n, breaks), "pooled": (n, breaks)})).row(0, named=True)

    assert row["rate"] == pytest.approx((k + 0.5) / 10)
    assert row["note"] == f"{ALONE}; {NO_CURVE}"
    assert row["worst_case_curve"] is None


@pytest.fixture
def unmeasured(make_runs: Callable[[Any], pl.DataFrame]) -> pl.DataFrame:
    """Jobs of which none has pi."""
    return jobs_of({"m9": (np.full(3, 9), np.full(3, 1))}).with_columns(pi=pl.lit(None, dtype=pl.Float64()))


def test_jobs_without_pi_have_no_row(unmeasured: pl.DataFrame) -> None:
    """An empty table, not an error."""
    assert budget_targets(unmeasured).is_empty()
