"""Differences by stratum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from glass_pipeline.domain.comparison.results import ComparisonError
from glass_pipeline.domain.comparison.stratified import merge_small, stratified
from glass_pipeline.domain.comparison.thresholds import Thresholds

RNG = np.random.default_rng(0)
SMALL = Thresholds(smallest_stratum=2)


def test_weights_are_shares_or_equal() -> None:
    """Strata of 3 and 1 pairs: means 1/3 and -1/2; shares .6 and .4 give 0, equal weights -1/12."""
    deltas, strata = np.array([1.0, 0.0, 0.0, 0.0, -1.0]), ("p", "p", "p", "q", "q")

    share = stratified(deltas, strata, SMALL, rng=RNG, resamples=200)
    uniform = stratified(deltas, strata, Thresholds(smallest_stratum=2, weights="uniform"), rng=RNG, resamples=200)

    assert share.delta == pytest.approx(0.6 / 3 - 0.4 / 2)
    assert uniform.delta == pytest.approx(-1 / 12)
    assert [(each.name, each.n_items, each.weight) for each in share.strata] == [("p", 3, 0.6), ("q", 2, 0.4)]


def test_small_strata_merge() -> None:
    """Strata below the size go to 'other' together."""
    assert merge_small(("p", "p", "q", "r"), 2) == ("p", "p", "other", "other")


def test_strata_keep_their_sizes() -> None:
    """Constant strata of unlike means leave no spread at all, which drawing items freely would not."""
    deltas = np.repeat([1.0, 0.0], [40, 60])

    found = stratified(deltas, ("p",) * 40 + ("q",) * 60, SMALL, rng=RNG, resamples=300)

    assert (found.percentile.low, found.percentile.high) == pytest.approx((0.4, 0.4))


def test_the_floor_is_tested_as_scipy_and_statsmodels_do() -> None:
    """One-sided t against -2 pp in each stratum, Holm over strata."""
    rng = np.random.default_rng(1)
    deltas = rng.choice([-1.0, 0.0, 1.0], size=900, p=[0.1, 0.75, 0.15])
    strata = tuple(np.repeat(["p", "q", "r"], 300).tolist())
    tests = [stats.ttest_1samp(deltas[start : start + 300], -0.02, alternative="greater") for start in (0, 300, 600)]
    expected = multipletests([test.pvalue for test in tests], method="holm")[1]

    found = stratified(deltas, strata, Thresholds(), rng=rng, resamples=200)

    assert [each.p_holm for each in found.strata] == pytest.approx(expected.tolist())
    bounds = [test.confidence_interval(0.95).low for test in tests]
    assert [each.lower_bound for each in found.strata] == pytest.approx(bounds)
    assert [each.above_floor for each in found.strata] == (expected < 0.05).tolist()
    assert found.floor_shown == bool((expected < 0.05).all())


def test_a_stratum_without_spread_shows_nothing() -> None:
    """Equal differences give no test, and no claim."""
    deltas = np.concatenate([np.zeros(40), np.tile([1.0, 0.0], 30)])

    found = stratified(deltas, ("p",) * 40 + ("q",) * 60, Thresholds(), rng=RNG, resamples=200)

    assert (found.strata[0].p_holm, found.strata[0].lower_bound, found.strata[0].above_floor) == (None, None, False)
    assert not found.floor_shown


def test_the_minimum_gain_is_judged_by_the_lower_end() -> None:
    """Half the items gained: far above one point; none gained: not."""
    gained, level = (
        stratified(np.tile(pair, 100), ("p",) * 200, Thresholds(), rng=RNG, resamples=300)
        for pair in ([1.0, 0.0], [1.0, -1.0])
    )

    assert gained.gain_shown
    assert not level.gain_shown


def test_clusters_may_not_straddle_strata() -> None:
    """A cluster is drawn whole, so it lies in one stratum."""
    with pytest.raises(ComparisonError, match="Cluster 'c' lies in the strata 'p' and 'q'"):
        stratified(np.zeros(4), ("p", "p", "q", "q"), SMALL, rng=RNG, clusters=("a", "c", "c", "d"))
