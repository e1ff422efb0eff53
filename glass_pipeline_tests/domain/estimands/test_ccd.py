"""Break events, their denominators, duplicates, and intervals of pi."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from glass_pipeline.domain.estimands.ccd import (
    PUBLISHED,
    BreakRule,
    break_counts,
    count_conflicts,
    distinct_texts,
    observations,
    with_intervals,
)
from glass_pipeline.domain.fingerprint import text_hash

Make = Callable[[Any], pl.DataFrame]


@pytest.mark.parametrize(("unsolved_runs", "n", "k"), [("drop", 4, 2), ("zeros", 6, 2)], ids=["pi = 1/2", "pi = 1/3"])
def test_worked_example(worked_pairs: pl.DataFrame, unsolved_runs: Any, n: int, k: int) -> None:
    """t1 to t4 are eligible and t2 and t4 broke: 2/4; with unsolved runs as zeros 2/6 (methods §1.5)."""
    counts = break_counts(observations(worked_pairs, BreakRule(unsolved_runs=unsolved_runs)))

    assert counts.rows() == [("a", n, k)]


@pytest.fixture
def repeated(make_pairs: Make) -> pl.DataFrame:
    """One text posed in runs m1 (base unsolved), m3 (broke), m5 (held); another posed once and held."""
    return make_pairs(
        [
            {"twin_text": "x", "file_dose": 5, "y_twin": 1},
            {"twin_text": "x ", "file_dose": 3, "y_twin": 0},
            {"twin_text": " x", "file_dose": 1, "y_base_run": 0, "y_twin": 0},
            {"twin_text": "y", "file_dose": 3, "y_twin": 1},
        ]
    )


@pytest.mark.parametrize(
    ("rule", "n", "k"),
    [
        (BreakRule(), 2, 1.0),
        (BreakRule(dup_policy="mean"), 2, 0.5),
        (BreakRule(dup_policy="all"), 3, 1.0),
        (PUBLISHED, 3, 1.0),
        (BreakRule(unit="pairs", unsolved_runs="zeros"), 4, 1.0),
    ],
    ids=["first eligible", "mean", "all", "published", "pairs with zeros"],
)
def test_duplicates(repeated: pl.DataFrame, rule: BreakRule, n: int, k: float) -> None:
    """Eligibility first, then the lowest dose: of x the m3 run counts, not the unsolved m1 run."""
    assert break_counts(observations(repeated, rule)).rows() == [("a", n, k)]


def test_conflicting_duplicates_are_counted(repeated: pl.DataFrame) -> None:
    """Text x broke in one eligible run and held in another; y has one run."""
    assert count_conflicts(repeated) == 1


def test_each_text_has_one_pair_and_it_is_the_one_observed(repeated: pl.DataFrame) -> None:
    """The pair that stands for a text is the observed one where there is one."""
    texts = distinct_texts(repeated)

    assert texts.sort("twin_id")["twin_id"].to_list() == ["t1", "t3"]
    assert set(observations(repeated)["twin_id"]) <= set(texts["twin_id"])


RUNS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([1, 3, 5]), st.booleans(), st.booleans()), min_size=1, max_size=20
)


def plain_pi(runs: list[tuple[int, int, bool, bool]]) -> tuple[int, int]:
    """Count observations and breaks of one job with a loop over its runs in order of dose."""
    seen: dict[int, bool] = {}
    for text, _, solved, twin_solved in sorted(runs, key=lambda run: run[1]):
        if solved and text not in seen:
            seen[text] = not twin_solved
    return len(seen), sum(seen.values())


@settings(max_examples=60, deadline=None)
@given(RUNS)
def test_counts_equal_a_plain_loop(runs: list[tuple[int, int, bool, bool]]) -> None:
    """The vectorised count agrees with a loop; repeats within one dose are taken in the order of twin ids."""
    frame = pl.DataFrame(
        {
            "base_id": ["a"] * len(runs),
            "twin_id": [f"t{number:02}" for number in range(len(runs))],
            "text_hash": [text_hash(str(run[0])) for run in runs],
            "file_dose": [run[1] for run in runs],
            "y_base_run": [int(run[2]) for run in runs],
            "y_twin": [int(run[3]) for run in runs],
        }
    )
    n, k = plain_pi(runs)

    counts = break_counts(observations(frame))

    assert counts.rows() == ([("a", n, k)] if n else [])


def make_counts(n: list[float], k: list[float]) -> pl.DataFrame:
    """Return counts of jobs."""
    return pl.DataFrame({"n": n, "k": k}, schema={"n": pl.Float64(), "k": pl.Float64()})


def test_intervals_are_beta_quantiles() -> None:
    """Jeffreys' interval of 2 breaks in 9 is the 5 % and 95 % quantile of Beta(2.5, 7.5)."""
    counts = with_intervals(make_counts([9.0] * 12, [2.0, 0.0, 1.0] * 4))

    assert counts["jeffreys_low"][0] == pytest.approx(stats.beta.ppf(0.05, 2.5, 7.5))
    assert counts["jeffreys_high"][0] == pytest.approx(stats.beta.ppf(0.95, 2.5, 7.5))


def test_the_prior_pulls_extreme_jobs_inwards() -> None:
    """A job with no break in 4 has a higher upper end than one with none in 40, and both hold less than Jeffreys'."""
    rng = np.random.default_rng(1)
    n = np.array([4.0, 40.0, *[14.0] * 200])
    k = np.array([0.0, 0.0, *rng.binomial(14, rng.beta(0.5, 4.0, 200))])

    counts = with_intervals(make_counts(n.tolist(), k.tolist()))

    assert counts["pi_high"][0] > counts["pi_high"][1]
    assert counts["pi_high"][0] < counts["jeffreys_high"][0]
    assert ((counts["pi_low"] < counts["pi_high"]) & (counts["pi_high"] <= 1)).all()


DISTRIBUTIONS: dict[str, Callable[[np.random.Generator], Any]] = {
    "Beta(.3, 1.8)": lambda rng: rng.beta(0.3, 1.8, 1319),
    "Beta(.15, 1)": lambda rng: rng.beta(0.15, 1.0, 1319),
    "Beta(2, 6)": lambda rng: rng.beta(2.0, 6.0, 1319),
    "45 % at the floor": lambda rng: np.where(rng.random(1319) < 0.45, 0.011, rng.beta(0.8, 2.5, 1319)),
    "logit-normal": lambda rng: special.expit(rng.normal(-2.5, 1.8, 1319)),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("replications", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_coverage_averaged_over_jobs(name: str, replications: int) -> None:
    """Nominal 90 % intervals hold the truth of 87 to 93 % of jobs, two standard errors allowed for.

    Only the rates of which 45 % are one value need that: .931 over 200 data sets, since no beta prior has such a spike.
    """
    covered = []
    for replication in range(replications):
        rng = np.random.default_rng(replication)
        rates, n = DISTRIBUTIONS[name](rng), np.maximum(rng.poisson(14, 1319), 1)
        counts = with_intervals(make_counts(n.astype(float).tolist(), rng.binomial(n, rates).astype(float).tolist()))
        covered.append(np.mean((counts["pi_low"].to_numpy() <= rates) & (rates <= counts["pi_high"].to_numpy())))

    allowed = 2 * np.std(covered, ddof=1) / np.sqrt(replications)
    assert 0.87 - allowed <= np.mean(covered) <= 0.93 + allowed


@pytest.mark.parametrize(
    ("n", "k"),
    [([], []), ([9.0], [3.0]), ([9.0] * 20, [0.0] * 20), ([9.0] * 20, [9.0] * 20)],
    ids=["no job", "one job", "no break", "nothing but breaks"],
)
def test_without_information_on_the_prior_its_interval_is_null(n: list[float], k: list[float]) -> None:
    """Where a prior cannot be fitted the column is null, never NaN, and Jeffreys' interval still stands."""
    counts = with_intervals(make_counts(n, k))

    assert counts["pi_low"].null_count() == counts["pi_high"].null_count() == len(n)
    assert counts["jeffreys_low"].null_count() == 0
    assert not counts["jeffreys_high"].is_nan().any()
