"""The cluster bootstrap: theory, coverage, and degenerate data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.stats.bootstrap import ratio_difference_interval, ratio_interval


def test_a_mean_has_its_textbook_interval() -> None:
    """Of 400 normal values the interval is the mean plus or minus 1.96 sd / 20, to a tenth of its width."""
    values = np.random.default_rng(1).normal(3.0, 1.0, 400)

    found = ratio_interval(values, np.ones(400), rng=np.random.default_rng(2))

    assert found is not None
    half = 1.96 * values.std() / 20
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.2 * half)


def test_the_interval_is_scipys() -> None:
    """``scipy.stats.bootstrap`` with percentiles gives the same ends but for the noise of 10,000 resamples."""
    rng = np.random.default_rng(5)
    top = rng.poisson(2.0, 80).astype(float)
    bottom = top + rng.poisson(5.0, 80)

    found = ratio_interval(top, bottom, rng=np.random.default_rng(1), resamples=10_000)

    expected = stats.bootstrap(
        (top, bottom),
        lambda x, y, axis: x.sum(axis=axis) / y.sum(axis=axis),
        paired=True,
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    assert found is not None
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.003)


def test_clusters_not_observations_are_drawn() -> None:
    """Ten clusters of 1,000 equal outcomes are ten values: the interval is that of ten, not of 10,000."""
    tops = np.array([1000.0, 0, 1000, 0, 1000, 0, 1000, 0, 1000, 0])

    found = ratio_interval(tops, np.full(10, 1000.0), rng=np.random.default_rng(3))

    assert found is not None
    # sqrt(.25 / 10) = 0.158, times 3.9 for a 95 % interval.
    assert found.high - found.low == pytest.approx(0.6, abs=0.15)


def test_two_clusters_are_enough_and_one_is_not() -> None:
    """One cluster has nothing to be resampled with."""
    assert ratio_interval([1.0], [2.0], rng=np.random.default_rng(0)) is None
    assert ratio_interval([], [], rng=np.random.default_rng(0)) is None
    assert ratio_interval([0.0, 1.0], [1.0, 1.0], rng=np.random.default_rng(0)) is not None


def test_resamples_without_a_denominator_are_left_out() -> None:
    """Only one of three clusters has re-solves; resamples without it say nothing, the others say 1/4."""
    found = ratio_interval([1.0, 0.0, 0.0], [4.0, 0.0, 0.0], rng=np.random.default_rng(0))

    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.25, 0.25))
    assert ratio_interval([0.0, 0.0], [0.0, 0.0], rng=np.random.default_rng(0)) is None


def test_a_difference_uses_the_same_clusters_on_both_sides() -> None:
    """A ratio less itself is 0 in every resample."""
    top, bottom = np.array([1.0, 2, 0, 3]), np.array([4.0, 4, 4, 4])

    found = ratio_difference_interval((top, top), (bottom, bottom), rng=np.random.default_rng(0))

    assert found is not None
    assert (found.low, found.high) == (0.0, 0.0)


@pytest.mark.slow
def test_coverage() -> None:
    """Nominal 95 % holds for the mean rate of 60 clusters: a binomial test does not reject it at 1 in 1,000."""
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(400):
        found = ratio_interval(rng.beta(2, 3, 60), np.ones(60), rng=rng, resamples=500)
        assert found is not None
        hits += found.low <= 0.4 <= found.high

    assert stats.binomtest(hits, 400, 0.95).pvalue > 0.001
