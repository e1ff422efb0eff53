"""Correlations with average ranks, against scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from glass_pipeline.domain.stats.rank import pearson, row_spearman, spearman

TIED = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=30)


@given(TIED)
def test_spearman_with_ties_is_scipys(points: list[tuple[int, int]]) -> None:
    """Average ranks make ties count half each way; a constant side has no correlation."""
    x, y = zip(*points, strict=True)

    found = spearman(x, y)

    if len(set(x)) == 1 or len(set(y)) == 1:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


@pytest.mark.parametrize("size", [0, 1])
def test_fewer_than_two_points_have_no_correlation(size: int) -> None:
    """NaN, without a warning."""
    assert np.isnan(spearman([1.0] * size, [2.0] * size))
    assert np.isnan(pearson([1.0] * size, [2.0] * size))


def test_tiny_values_are_not_taken_for_constant() -> None:
    """Rates of 1e-9 correlate like any others."""
    assert pearson([1e-9, 2e-9, 3e-9], [1.0, 2.0, 3.0]) == pytest.approx(1.0)


def test_rows_are_correlated_one_by_one() -> None:
    """Row by row equals one call a row."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, (6, 20)).astype(float), rng.integers(0, 4, (6, 20)).astype(float)

    rows = row_spearman(x, y)

    assert rows == pytest.approx([spearman(a, b) for a, b in zip(x, y, strict=True)])
