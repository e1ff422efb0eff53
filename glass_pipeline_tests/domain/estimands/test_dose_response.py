"""The hierarchical dose response: against scipy's optimum, degenerate jobs, and known truth."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, special, stats

from glass_pipeline.domain.estimands.dose_response import DosePrior, fit_dose_prior, fit_dose_response

DOSES = np.array([1.0, 3.0, 5.0, 7.0, 9.0])
PAIRS = np.array([1.0, 3.0, 5.0, 7.0, 9.0])
PRIOR = DosePrior(np.array([-2.6, 0.12]), np.array([[2.56, 0.072], [0.072, 0.0225]]))


def simulate(jobs: int, trials: NDArray[np.float64], seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Draw (a, b) from the prior of methods §1.6 and breaks from their curves."""
    rng = np.random.default_rng(seed)
    truth = rng.multivariate_normal(PRIOR.mean, PRIOR.covariance, size=jobs)
    p = special.expit(truth[:, :1] + truth[:, 1:] * (DOSES - 5))
    return truth, rng.binomial(trials.astype(int), p).astype(np.float64)


@pytest.mark.parametrize(
    "breaks", [[0, 0, 0, 0, 0], [1, 3, 5, 7, 9], [0, 1, 1, 4, 6]], ids=["never", "always", "rising"]
)
def test_the_mode_equals_scipys_optimum(breaks: list[int]) -> None:
    """Newton's mode of one job is the minimum that BFGS finds, to 1e-6."""
    k = np.array([breaks], dtype=np.float64)

    def loss(theta: NDArray[np.float64]) -> float:
        z = theta[0] + theta[1] * (DOSES - 5)
        off = theta - PRIOR.mean
        likelihood = k[0] @ z - PAIRS @ np.logaddexp(0, z)
        return float(-likelihood + 0.5 * off @ np.linalg.solve(PRIOR.covariance, off))

    expected = optimize.minimize(loss, PRIOR.mean, method="BFGS", options={"gtol": 1e-9}).x

    fit = fit_dose_response(k, PAIRS[None], DOSES, prior=PRIOR)

    assert (fit.a[0], fit.b[0]) == pytest.approx(expected, abs=1e-6)


def test_a_job_that_never_breaks_is_finite_and_pulled_to_the_prior() -> None:
    """Without a break a lies below mu, but not at minus infinity."""
    fit = fit_dose_response(np.zeros((1, 5)), PAIRS[None], DOSES, prior=PRIOR)

    assert -7 < fit.a[0] < PRIOR.mean[0]
    assert np.isfinite(fit.b[0])


def test_a_job_without_observations_sits_at_the_prior_mean() -> None:
    """No data, no news."""
    fit = fit_dose_response(np.zeros((1, 5)), np.zeros((1, 5)), DOSES, prior=PRIOR)

    assert (fit.a[0], fit.b[0]) == pytest.approx(PRIOR.mean)


def test_permuting_the_doses_of_a_flat_job_leaves_the_slope_alone() -> None:
    """Two breaks in four at every dose say nothing on the order of doses, and the slope is near 0."""
    flat = DosePrior(np.array([0.0, 0.0]), np.diag([2.0, 0.05]))
    k, n = np.full((1, 5), 2.0), np.full((1, 5), 4.0)

    fit = fit_dose_response(k, n, DOSES, prior=flat)
    permuted = fit_dose_response(k, n, DOSES[::-1].copy(), prior=flat)

    assert fit.b[0] == pytest.approx(0.0, abs=1e-9)
    assert permuted.b[0] == pytest.approx(fit.b[0], abs=1e-9)


def test_extreme_counts_and_wide_priors_converge() -> None:
    """Newton's bounded steps find the mode, where the gradient is 0, even far from the start."""
    wide = DosePrior(np.array([0.0, 0.0]), np.diag([400.0, 25.0]))
    k = np.array([[0.0, 0, 0, 0, 900.0], [900.0, 0, 0, 0, 0], [0.0, 0, 0, 0, 0]])
    n = np.full((3, 5), 900.0)

    fit = fit_dose_response(k, n, DOSES, prior=wide)

    p = special.expit(fit.a[:, None] + fit.b[:, None] * (DOSES - 5))
    gradient = np.stack([(k - n * p).sum(axis=1), ((k - n * p) * (DOSES - 5)).sum(axis=1)], axis=1)
    shrink = np.stack([fit.a / 400, fit.b / 25], axis=1)
    assert gradient == pytest.approx(shrink, abs=1e-6)


@pytest.mark.parametrize(
    ("trials", "rank_a", "rank_b"),
    [(PAIRS, 0.886, 0.525), (np.array([1.0, 2, 3, 4, 4]), 0.824, 0.459), (np.full(5, 5.0), 0.878, 0.529)],
    ids=["pairs", "unique", "five a dose"],
)
def test_truth_is_ranked_as_published(trials: NDArray[np.float64], rank_a: float, rank_b: float) -> None:
    """Spearman with the true a and b is that of the table in methods §1.6, to 0.05 at 1,243 jobs."""
    truth, k = simulate(1243, trials, seed=3)
    n = np.broadcast_to(trials, k.shape)

    fit = fit_dose_response(k, n, DOSES, prior=fit_dose_prior(k, n, DOSES))

    assert stats.spearmanr(fit.a, truth[:, 0]).statistic == pytest.approx(rank_a, abs=0.05)
    assert stats.spearmanr(fit.b, truth[:, 1]).statistic == pytest.approx(rank_b, abs=0.05)


def test_the_prior_is_recovered_with_its_known_bias() -> None:
    """The mean of b is found; a is drawn to 0 and its spread is 1.27 to 1.39 for a true 1.6 (methods §1.6)."""
    _, k = simulate(1243, PAIRS, seed=4)

    prior = fit_dose_prior(k, np.broadcast_to(PAIRS, k.shape), DOSES)

    assert prior.mean[1] == pytest.approx(0.12, abs=0.03)
    assert -2.6 < prior.mean[0] < -2.1
    assert 1.25 < np.sqrt(prior.covariance[0, 0]) < 1.45


def test_slopes_vary_less_than_those_of_single_jobs() -> None:
    """A nearly flat prior is the single-job fit; empirical Bayes has the smaller variance."""
    _, k = simulate(400, PAIRS, seed=5)
    n = np.broadcast_to(PAIRS, k.shape)

    together = fit_dose_response(k, n, DOSES, prior=fit_dose_prior(k, n, DOSES))
    alone = fit_dose_response(k, n, DOSES, prior=DosePrior(np.zeros(2), np.eye(2) * 1000))

    assert together.b.var() < 0.2 * alone.b.var()


@pytest.mark.parametrize("breaks", [0.0, 2.0], ids=["never", "always"])
def test_a_slice_of_one_outcome_is_finite(breaks: float) -> None:
    """Where every job breaks never, or always, prior and modes stay finite."""
    k, n = np.full((20, 5), breaks), np.full((20, 5), 2.0)

    prior = fit_dose_prior(k, n, DOSES)
    fit = fit_dose_response(k, n, DOSES, prior=prior)

    assert np.isfinite([*prior.mean, *prior.covariance.ravel(), *fit.a, *fit.b]).all()


@pytest.mark.parametrize(
    ("k", "n", "message"),
    [
        (np.zeros((2, 5)), np.array([[1.0, 0, 0, 0, 0]] * 2), "fewer than two doses"),
        (np.zeros((0, 5)), np.zeros((0, 5)), "fewer than two doses"),
        (np.ones((2, 5)), np.zeros((2, 5)), "k < 0 or k > n"),
        (np.zeros((2, 4)), np.zeros((2, 4)), r"pass \[J, M\]"),
    ],
    ids=["one dose", "no job", "more breaks than trials", "shape"],
)
def test_what_cannot_be_fitted_is_refused(k: NDArray[np.float64], n: NDArray[np.float64], message: str) -> None:
    """A slope needs two doses, and counts need to be counts."""
    with pytest.raises(ValueError, match=message):
        fit_dose_prior(k, n, DOSES)
