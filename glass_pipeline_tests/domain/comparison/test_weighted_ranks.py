"""Spearman's correlation of weighted jobs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from glass_pipeline.domain.comparison.weighted_ranks import rank_plan, weighted_correlation, weighted_ranks


def score(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Correlate two vectors under each column of weights."""
    return weighted_correlation(weighted_ranks(rank_plan(x), weights), weighted_ranks(rank_plan(y), weights), weights)


def test_worked_ranks() -> None:
    """Values 5, 3, 3 with weights 2, 1, 1: ranks of 3, 3, 5, 5 are 1.5, 1.5, 3.5, 3.5, centred at 2.5."""
    ranks = weighted_ranks(rank_plan(np.array([5.0, 3.0, 3.0])), np.array([[2.0], [1.0], [1.0]]))

    assert ranks[:, 0].tolist() == [1.0, -1.0, -1.0]


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_weights_are_repetitions(seed: int) -> None:
    """A job of weight w counts as w jobs in scipy's spearmanr, ties and all."""
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 5, 25).astype(float), rng.normal(size=25).round(1)
    weights = rng.multinomial(25, np.full(25, 1 / 25), size=3).T.astype(float)
    expected = [
        stats.spearmanr(np.repeat(x, column.astype(int)), np.repeat(y, column.astype(int))).statistic
        for column in weights.T
    ]

    assert score(x, y, weights) == pytest.approx(expected, abs=1e-10)


def test_a_constant_side_has_no_correlation() -> None:
    """Also where only the drawn jobs are constant."""
    found = score(np.array([1.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0]), np.array([[1.0, 1.0], [2.0, 1.0], [0.0, 1.0]]))

    assert np.isnan(found[0])
    assert found[1] == pytest.approx(np.sqrt(3) / 2)
