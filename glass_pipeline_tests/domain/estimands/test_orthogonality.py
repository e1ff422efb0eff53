"""Diagnostics of residual dependence on C."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.estimands.orthogonality import orthogonality, stratified_rank_correlation


def test_correlations_are_scipys() -> None:
    """Each number is the textbook correlation of the two sides it names."""
    rng = np.random.default_rng(0)
    c = rng.integers(1, 6, 120).astype(np.float64)
    target, prediction = rng.random(120), rng.random(120) + 0.1 * c

    found = orthogonality(target, prediction, c, rng=np.random.default_rng(1))

    assert found.corr_target_c == pytest.approx(stats.pearsonr(target, c).statistic)
    assert found.corr_prediction_c == pytest.approx(stats.pearsonr(prediction, c).statistic)
    assert found.corr_prediction_c_squared == pytest.approx(stats.pearsonr(prediction, c**2).statistic)
    assert found.rho_prediction_c == pytest.approx(stats.spearmanr(prediction, c).statistic)
    assert found.bound == pytest.approx(3 / np.sqrt(120))


def test_a_dependent_prediction_fails_and_an_independent_one_passes() -> None:
    """The bound is three null standard deviations, and the p-value agrees with it."""
    rng = np.random.default_rng(5)
    c = rng.integers(1, 6, 400).astype(np.float64)
    noise = rng.normal(size=400)

    independent = orthogonality(noise, rng.normal(size=400), c, rng=np.random.default_rng(1))
    dependent = orthogonality(noise, c + rng.normal(size=400), c, rng=np.random.default_rng(1))

    assert independent.is_orthogonal
    assert independent.prediction_p_value > 0.01
    assert not dependent.is_orthogonal
    assert dependent.prediction_p_value == pytest.approx(1 / 2001)


def test_stratified_correlation_is_weighted_by_level_size() -> None:
    """Level 1 has 10 jobs with rho 1, level 2 has 20 with rho -1, level 3 only 9: (10 - 20) / 30 = -1/3."""
    ten, twenty, nine = np.arange(10.0), np.arange(20.0), np.arange(9.0)
    prediction = np.concatenate([ten, twenty, nine])
    target = np.concatenate([ten, -twenty, nine])
    c = np.repeat([1.0, 2.0, 3.0], [10, 20, 9])

    assert stratified_rank_correlation(prediction, target, c) == pytest.approx(-1 / 3)


@pytest.mark.parametrize("jobs", [0, 1, 5])
def test_what_is_undefined_is_none(jobs: int) -> None:
    """A constant C, or too few jobs, leaves no correlation, no p-value and no verdict."""
    side = np.arange(jobs, dtype=np.float64)

    found = orthogonality(side, side, np.ones(jobs), rng=np.random.default_rng(1))

    assert found.corr_target_c is None
    assert found.prediction_p_value is None
    assert found.stratified_rho is None
    assert found.is_orthogonal is None
