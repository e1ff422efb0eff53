"""Intervals of break rates by predicted rate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.predictors.rate_intervals import RateIntervals, fit_rate_intervals, rate_intervals_from

TWO = RateIntervals(edges=(0.2,), alphas=(1.0, 3.0), betas=(9.0, 3.0))


def test_a_prediction_gets_the_beta_of_its_bin() -> None:
    """From .2 on Beta(3, 3), its quantiles 5 % and 95 %; below it Beta(1, 9), most likely 0: from 0 to its 90 %."""
    low, high = TWO.bounds([0.1, 0.2, 0.5])

    assert low[1:] == pytest.approx(stats.beta.ppf(0.05, 3, 3))
    assert high[1:] == pytest.approx(stats.beta.ppf(0.95, 3, 3))
    assert (low[0], high[0]) == pytest.approx((0.0, 1 - 0.1 ** (1 / 9)))


def test_the_interval_holds_the_prediction() -> None:
    """.99 lies above the 95 % quantile of Beta(3, 3), .81: the interval reaches up to it."""
    low, high = TWO.bounds([0.99, 0.0])

    assert high[0] == 0.99
    assert low[1] == 0.0


def test_solved_twins_move_a_prediction_by_the_precision_of_its_bin() -> None:
    """S = 10: (10 · .1 + 4) / (10 + 10) = .25; s = 6: (6 · .5 + 0) / (6 + 6) = .25; without twins nothing moves."""
    assert TWO.updated([0.1, 0.5, 0.3], [4, 0, 0], [10, 6, 0]) == pytest.approx([0.25, 0.25, 0.3])


def test_bins_are_of_equal_size_and_at_least_50_jobs() -> None:
    """399 jobs make seven bins, 60 one; a bin that never broke is joined with others."""
    rng = np.random.default_rng(0)
    predicted, trials = rng.random(399), np.full(399, 12)
    breaks = rng.binomial(trials, predicted)
    some = fit_rate_intervals(predicted, breaks, trials)
    few = fit_rate_intervals(predicted[:60], breaks[:60], trials[:60])
    calm = fit_rate_intervals(predicted, np.where(predicted < 0.5, 0, breaks), trials)

    assert some is not None
    assert few is not None
    assert calm is not None
    assert (len(some.alphas), len(some.edges), list(some.edges)) == (7, 6, sorted(some.edges))
    assert len(few.alphas) == 1
    assert 0 < len(calm.alphas) < 7
    assert fit_rate_intervals(predicted, np.zeros(399), trials) is None


def test_nominal_90_percent_covers_about_90() -> None:
    """Rates Beta(.41, 3.34) and a noisy prediction of each: of 2,000 new items 86 to 93 % lie inside."""
    rng = np.random.default_rng(5)
    rates = rng.beta(0.41, 3.34, 3_000)
    predicted = np.clip(0.1 + 0.5 * (rates - 0.1) + rng.normal(0, 0.15, rates.size), 0.001, 0.999)
    trials = np.full(1_000, 14)
    fitted = fit_rate_intervals(predicted[:1_000], rng.binomial(trials, rates[:1_000]), trials)
    assert fitted is not None
    low, high = fitted.bounds(predicted[1_000:])
    covered = float(((low <= rates[1_000:]) & (rates[1_000:] <= high)).mean())

    assert 0.86 < covered < 0.93
    assert float((high - low).mean()) < 0.35


def test_intervals_survive_their_record() -> None:
    """JSON-able lists and back."""
    assert rate_intervals_from(TWO.to_record()) == TWO
