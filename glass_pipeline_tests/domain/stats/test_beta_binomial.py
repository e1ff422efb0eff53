"""Maximum likelihood of the beta-binomial: against scipy's pmf and optimum, and against the truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from glass_pipeline.domain.stats.beta_binomial import count_table, fit_beta_binomial


def test_the_fit_maximises_scipys_likelihood() -> None:
    """No other (alpha, beta) found by a direct search has a higher ``betabinom.logpmf``."""
    rng = np.random.default_rng(0)
    n = rng.integers(3, 20, 300)
    k = rng.binomial(n, rng.beta(0.4, 3.0, 300))

    def loss(log_parameters: np.ndarray) -> float:
        return -float(stats.betabinom.logpmf(k, n, *np.exp(log_parameters)).sum())

    direct = np.exp(optimize.minimize(loss, np.zeros(2), method="Nelder-Mead").x)

    fitted = fit_beta_binomial(k, n)

    assert (fitted.alpha, fitted.beta) == pytest.approx(direct, rel=2e-2)
    assert loss(np.log(fitted)) <= loss(np.log(direct)) + 1e-4


def test_the_truth_is_recovered() -> None:
    """Of 5,000 jobs with Beta(0.3, 1.8) rates, mean 1/7 and precision 2.1 are found to 5 and 15 %."""
    rng = np.random.default_rng(1)
    n = np.full(5000, 14)

    fitted = fit_beta_binomial(rng.binomial(n, rng.beta(0.3, 1.8, 5000)), n)

    assert fitted.mean == pytest.approx(1 / 7, rel=0.05)
    assert fitted.precision == pytest.approx(2.1, rel=0.15)


def test_jobs_that_share_one_rate_reach_the_largest_precision() -> None:
    """Binomial counts without extra spread drive the precision to its cap, e^9."""
    k = stats.binom.ppf((np.arange(400) + 0.5) / 400, 20, 0.3)

    assert fit_beta_binomial(k, np.full(400, 20)).precision > 1000


def test_jobs_without_trials_say_nothing() -> None:
    """Adding (0, 0) changes no parameter."""
    k, n = [1, 2, 0, 4], [5, 5, 5, 5]

    assert fit_beta_binomial([*k, 0], [*n, 0]) == fit_beta_binomial(k, n)


def test_counts_are_collapsed_and_found_again() -> None:
    """Three units with two distinct pairs make a table of two rows."""
    table = count_table([1, 0, 1], [5, 5, 5])

    assert table.successes.tolist() == [0, 1]
    assert table.units.tolist() == [1, 2]
    assert table.successes[table.row_of_unit].tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("k", "n", "message"),
    [([2], [1], "k < 0 or k > n"), ([1, 1], [2], "equal length"), ([0], [0], "no unit has a trial")],
)
def test_what_is_no_count_is_refused(k: list[int], n: list[int], message: str) -> None:
    """The error says what is wrong with the counts."""
    with pytest.raises(ValueError, match=message):
        fit_beta_binomial(k, n)
