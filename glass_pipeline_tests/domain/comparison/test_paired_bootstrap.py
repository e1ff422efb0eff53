"""Bootstrap intervals: the lab's worked numbers, scipy, clusters, degenerate data, coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.comparison.clustered import Units, units_of
from glass_pipeline.domain.comparison.paired_bootstrap import bootstrap_intervals
from glass_pipeline.domain.comparison.results import ComparisonError

LAB_SEED = 20260918


@pytest.mark.parametrize(
    ("deltas", "low", "high"),
    [
        ([1.2, 0.4, 0.9, -0.2, 1.5, 0.7, 1.1, 0.3], 0.325, 1.0625),
        ([1, 1.5, 2, 2.5, 1.2, 1.8, 1.6, 2.2], 1.4125, 2.075),
    ],
    ids=["gain", "gain of a point"],
)
def test_worked_numbers_of_the_lab(deltas: list[float], low: float, high: float) -> None:
    """Eight seeds, 10,000 resamples, the lab's generator (methods §10.1)."""
    found = bootstrap_intervals(units_of(np.array(deltas)), rng=np.random.default_rng(LAB_SEED))

    assert found.bca[:2] == pytest.approx((low, high), abs=1e-9)


def test_batches_do_not_change_what_scipy_gives() -> None:
    """Memory is bounded by batches; the intervals are those of one plain call."""
    deltas = np.random.default_rng(1).choice([-1.0, 0.0, 1.0], size=700)
    plain = stats.bootstrap((deltas,), np.mean, n_resamples=4000, method="BCa", rng=np.random.default_rng(2))

    found = bootstrap_intervals(units_of(deltas), rng=np.random.default_rng(2), resamples=4000)

    assert found.bca[:2] == pytest.approx((plain.confidence_interval.low, plain.confidence_interval.high), abs=0.003)


def test_clusters_of_unequal_size_are_drawn_whole() -> None:
    """Two clusters of sizes 1 and 3: a resample's mean is -1 (small twice), 1 (large twice) or 1/2."""
    units = Units(np.array([-1.0, 3.0]), np.array([1.0, 3.0]))

    found = bootstrap_intervals(units, rng=np.random.default_rng(0), resamples=2000)

    assert found.percentile[:2] == (-1.0, 1.0)


def test_identical_differences_have_no_interval() -> None:
    """The lab's refusal, with the value."""
    with pytest.raises(ComparisonError, match=r"BCa CI cannot be calculated from identical .* all 8 are 0\.4"):
        bootstrap_intervals(units_of(np.full(8, 0.4)), rng=np.random.default_rng(0))


def test_a_single_difference_has_no_interval() -> None:
    """One seed says nothing about others."""
    with pytest.raises(ComparisonError, match="at least two"):
        bootstrap_intervals(units_of(np.array([0.4])), rng=np.random.default_rng(0))


@pytest.mark.slow
@pytest.mark.parametrize(("seeds", "expected"), [(5, 0.829), (8, 0.885), (16, 0.923)])
def test_bca_covers_too_little_for_few_seeds(seeds: int, expected: float) -> None:
    """Normal differences, nominal 95 %: the coverages that methods §10.2 states, to three points."""
    rng = np.random.default_rng(seeds)
    covered = 0
    for _ in range(3000):
        interval = bootstrap_intervals(units_of(rng.normal(size=seeds)), rng=rng, resamples=1000).bca
        covered += interval.low <= 0 <= interval.high

    assert covered / 3000 == pytest.approx(expected, abs=0.03)
