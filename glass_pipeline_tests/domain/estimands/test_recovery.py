"""Bias and error of pi, a and b on simulated jobs of known truth: a few data sets in CI, many in the slow suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import optimize, special, stats

from glass_pipeline.domain.estimands.ccd import rate_prior
from glass_pipeline.domain.estimands.dose_response import fit_dose_prior, fit_dose_response, mean_dose

DOSES = np.array([1.0, 3.0, 5.0, 7.0, 9.0])
DISTRIBUTIONS: dict[str, Callable[[np.random.Generator], Any]] = {
    "Beta(.3, 1.8)": lambda rng: rng.beta(0.3, 1.8, 1319),
    "Beta(.15, 1)": lambda rng: rng.beta(0.15, 1.0, 1319),
    "Beta(2, 6)": lambda rng: rng.beta(2.0, 6.0, 1319),
    "45 % at the floor": lambda rng: np.where(rng.random(1319) < 0.45, 0.011, rng.beta(0.8, 2.5, 1319)),
    "logit-normal": lambda rng: special.expit(rng.normal(-2.5, 1.8, 1319)),
}
"""Rates over jobs, methods §2.2."""
DESIGNS = {
    "pairs": (np.array([1, 3, 5, 7, 9]), (0.886, 0.525), (0.827, 0.503), (0.795, 0.434)),
    "unique": (np.array([1, 2, 3, 4, 4]), (0.824, 0.459), (0.725, 0.469), (0.670, 0.411)),
    "five a dose": (np.full(5, 5), (0.878, 0.529), (0.782, 0.412), (0.805, 0.459)),
}
"""Twins at each dose; ranks of a and b by EB, EB on new twins, and ridge ML (methods §1.6)."""


def draw_curves(trials: Any, seed: int, jobs: int = 1243) -> tuple[Any, Any, Any]:
    """Draw (a, b) of methods §1.6 and two independent sets of breaks."""
    rng = np.random.default_rng(seed)
    theta = rng.multivariate_normal([-2.6, 0.12], [[2.56, 0.072], [0.072, 0.0225]], size=jobs)
    p = special.expit(theta[:, :1] + theta[:, 1:] * (DOSES - 5))
    return theta, rng.binomial(trials, p), rng.binomial(trials, p)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("replications", [5, pytest.param(200, marks=pytest.mark.slow)])
def test_pi_is_unbiased_and_the_posterior_mean_errs_less(name: str, replications: int) -> None:
    """Over data sets k/n and the posterior mean have no bias beyond .002, and the latter has the smaller RMSE.

    The README's table has RMSE .068 to .114 for k/n, .065 to .088 for the posterior mean.
    """
    raw, shrunk = [], []
    for replication in range(replications):
        rng = np.random.default_rng(replication)
        rates, n = DISTRIBUTIONS[name](rng), np.maximum(rng.poisson(14, 1319), 1)
        k = rng.binomial(n, rates)
        prior = rate_prior(pl.DataFrame({"n": n, "k": k}))
        assert prior is not None
        raw.append(k / n - rates)
        shrunk.append((k + prior.alpha) / (n + prior.precision) - rates)
    errors, rmse = np.array([raw, shrunk]), np.sqrt(np.mean(np.array([raw, shrunk]) ** 2, axis=(1, 2)))
    allowed = 0.001 + 3 * errors.mean(axis=2).std(axis=1) / np.sqrt(replications)

    assert (np.abs(errors.mean(axis=(1, 2))) < allowed).all()
    assert rmse[1] < rmse[0] < 0.12
    assert rmse[1] < 0.092


@pytest.mark.parametrize("name", DESIGNS)
@pytest.mark.parametrize("replications", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_a_and_b_have_the_known_bias_and_error(name: str, replications: int) -> None:
    """Modes draw a towards 0 by .2 to .5; b has no bias beyond .01; RMSE stay below 1.1 and .145 (README)."""
    trials, ranks, _, _ = DESIGNS[name]
    errors, found = [], []
    for seed in range(replications):
        theta, k, _ = draw_curves(trials, seed)
        n = np.broadcast_to(trials, k.shape)
        fit = fit_dose_response(k, n, DOSES, prior=fit_dose_prior(k, n, DOSES))
        estimated = np.stack([fit.a, fit.b], axis=1)
        errors.append(estimated - theta)
        found.append([stats.spearmanr(estimated[:, place], theta[:, place]).statistic for place in (0, 1)])
    bias, noise = np.mean(errors, axis=(0, 1)), 3 * 0.009 / np.sqrt(replications)

    assert 0.2 < bias[0] < 0.5
    assert abs(bias[1]) < 0.01 + noise
    assert (np.sqrt(np.mean(np.square(errors), axis=(0, 1))) < [1.1, 0.145]).all()
    assert np.mean(found, axis=0) == pytest.approx(ranks, abs=0.03 if replications > 2 else 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_new_twins_rank_a_and_b_as_published(name: str) -> None:
    """EB on two sets of twins of the same jobs correlates as in the last column of methods §1.6, to its own noise.

    Between data sets the two correlations vary by .017 and .05; the published ones are allowed two of these.
    """
    trials, _, retest, _ = DESIGNS[name]
    found = np.zeros(2)
    for seed in range(10):
        _, first, second = draw_curves(trials, seed)
        n = np.broadcast_to(trials, first.shape)
        one, two = (fit_dose_response(k, n, DOSES, prior=fit_dose_prior(k, n, DOSES)) for k in (first, second))
        found += [stats.spearmanr(one.a, two.a).statistic / 10, stats.spearmanr(one.b, two.b).statistic / 10]

    assert found[0] == pytest.approx(retest[0], abs=0.034)
    assert found[1] == pytest.approx(retest[1], abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_single_job_fits_rank_worse(name: str) -> None:
    """Ridge ML of penalty 1e-3 ranks a and b as in methods §1.6 (to .04), below EB; k/n ranks a as well as EB does."""
    trials, ranks, _, alone = DESIGNS[name]
    theta, k, _ = draw_curves(trials, 0)

    def ridge(breaks: Any) -> Any:
        def loss(t: Any) -> float:
            z = t[0] + t[1] * (DOSES - 5)
            return float(-(breaks @ z - trials @ np.logaddexp(0, z)) + 0.5e-3 * t @ t)

        return optimize.minimize(loss, np.zeros(2), method="BFGS").x

    fits = {tuple(row): ridge(np.array(row)) for row in {tuple(row) for row in k.tolist()}}
    single = np.array([fits[tuple(row)] for row in k.tolist()])
    rate = k.sum(axis=1) / trials.sum()
    found = [stats.spearmanr(single[:, place], theta[:, place]).statistic for place in (0, 1)]

    assert found == pytest.approx(alone, abs=0.05)
    assert (np.array(found) < ranks).all()
    assert stats.spearmanr(rate, theta[:, 0]).statistic == pytest.approx(ranks[0], abs=0.03)


@pytest.mark.parametrize(("trials", "share"), [([1, 2, 3, 4, 4], 0.36), ([1, 3, 5, 7, 9], 0.24)])
def test_jobs_of_one_outcome_are_the_norm(trials: list[int], share: float) -> None:
    """36 % of jobs with 14 observations and 24 % with 25 break never or always, where ML diverges (methods §1.6)."""
    _, k, _ = draw_curves(np.array(trials), seed=1, jobs=20_000)
    one_outcome = (k.sum(axis=1) == 0) | (k.sum(axis=1) == sum(trials))

    assert one_outcome.mean() == pytest.approx(share, abs=0.02)


def test_the_mean_dose_of_m_pairs_a_dose() -> None:
    """(1 + 9 + 25 + 49 + 81) / 25 = 6.6 (methods §1.6); with five pairs a dose it is 5."""
    trials = np.array([[1.0, 3, 5, 7, 9]])

    assert mean_dose(trials, DOSES) == pytest.approx(6.6)
    assert mean_dose(np.full((3, 5), 5.0), DOSES) == pytest.approx(5.0)


def test_another_middle_moves_a_along_the_line_and_leaves_b() -> None:
    """Centred at 6.6 the model is the same: a is a + 1.6 b, to the tolerance of EM."""
    trials = np.array([1, 3, 5, 7, 9])
    _, k, _ = draw_curves(trials, seed=2, jobs=300)
    n = np.broadcast_to(trials, k.shape)

    at_five = fit_dose_response(k, n, DOSES, prior=fit_dose_prior(k, n, DOSES))
    moved = fit_dose_response(k, n, DOSES, prior=fit_dose_prior(k, n, DOSES, middle=6.6), middle=6.6)

    assert moved.b == pytest.approx(at_five.b, abs=0.01)
    assert moved.a == pytest.approx(at_five.a + 1.6 * at_five.b, abs=0.03)
