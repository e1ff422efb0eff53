"""Priors of break rates: the NPMLE against a plain EM, and draws against exact posteriors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.reliability.priors import Beta, Discrete, default_prior, fit_npmle, fit_prior

DrawSample = Callable[..., Any]


def test_the_npmle_equals_a_plain_loop() -> None:
    """EM written with loops over jobs and grid points gives the same weights."""
    k, n = np.array([0.0, 1, 3, 3, 7, 10]), np.array([10.0, 10, 10, 8, 9, 10])

    fitted = fit_npmle(k, n)

    weights = [1 / 62] * 62
    for _ in range(200):
        sums = [0.0] * 62
        for breaks, trials in zip(k, n, strict=True):
            terms = [w * p**breaks * (1 - p) ** (trials - breaks) for w, p in zip(weights, fitted.points, strict=True)]
            sums = [total + term / sum(terms) for total, term in zip(sums, terms, strict=True)]
        weights = [total / len(k) for total in sums]
    assert fitted.weights == pytest.approx(np.array(weights), abs=1e-10)
    assert fitted.weights.sum() == pytest.approx(1.0)


def test_the_grid_is_that_of_the_specification() -> None:
    """62 points: 1e-6, 60 from 0.0005 to 0.9995 equally spaced in logits, 1 - 1e-6."""
    points = fit_npmle([1], [2]).points

    assert points.size == 62
    assert (points[0], points[1], points[60], points[61]) == pytest.approx((1e-6, 0.0005, 0.9995, 1 - 1e-6))
    assert np.ptp(np.diff(np.log(points[1:61] / (1 - points[1:61])))) == pytest.approx(0, abs=1e-9)


def test_the_npmle_finds_two_kinds_of_jobs() -> None:
    """Half the jobs at 0.1 and half at 0.7 give half the weight below 0.4."""
    rng = np.random.default_rng(0)
    k = rng.binomial(40, np.repeat([0.1, 0.7], 300))

    fitted = fit_npmle(k, np.full(600, 40))

    assert fitted.weights[fitted.points < 0.4].sum() == pytest.approx(0.5, abs=0.02)
    assert fitted.points @ fitted.weights == pytest.approx(0.4, abs=0.02)


def test_beta_draws_have_the_conjugate_posterior() -> None:
    """Draws for 3 of 10 under Beta(2, 5) follow Beta(5, 12)."""
    draws = Beta(2, 5).posterior_draws(np.array([3.0]), np.array([10.0]), np.random.default_rng(1), 4000)

    assert stats.kstest(draws[:, 0], stats.beta(5, 12).cdf).pvalue > 0.001


def test_discrete_draws_have_bayes_probabilities() -> None:
    """Rates .2 and .6 equally likely a priori, 2 of 3: .8 * .04 against .4 * .36, so .6 has 9/11."""
    prior = Discrete(np.array([0.2, 0.6]), np.array([0.5, 0.5]))
    k, n = np.array([2.0, 0.0]), np.array([3.0, 0.0])

    draws = prior.posterior_draws(k, n, np.random.default_rng(1), 20_000)

    assert (draws[:, 0] == 0.6).mean() == pytest.approx(9 / 11, abs=0.012)
    assert (draws[:, 1] == 0.6).mean() == pytest.approx(0.5, abs=0.015)


def test_each_kind_is_fitted_by_name(draw_sample: DrawSample) -> None:
    """The mean of either prior is the mean rate of the jobs, 1/7 for Beta(.3, 1.8)."""
    sample = draw_sample("Beta(.3, 1.8)", seed=0, jobs=4000)

    beta, npmle = (fit_prior(sample.breaks, sample.trials, kind) for kind in ("beta", "npmle"))

    assert isinstance(beta, Beta)
    assert isinstance(npmle, Discrete)
    assert beta.alpha / (beta.alpha + beta.beta) == pytest.approx(1 / 7, abs=0.01)
    assert npmle.points @ npmle.weights == pytest.approx(1 / 7, abs=0.01)


def test_the_default_changes_at_300_jobs() -> None:
    """Few jobs cannot carry 62 weights."""
    assert default_prior(299) == "beta"
    assert default_prior(300) == "npmle"
