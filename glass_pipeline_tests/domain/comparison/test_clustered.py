"""Means and errors of clustered differences."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from glass_pipeline.domain.comparison.clustered import Units, standard_error, t_interval, units_of

DELTAS = np.array([1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0])


def test_worked_example() -> None:
    """Clusters {1, 0} and {0, 1, -1}: mean 1/5, residuals 1 - 2/5 and 0 - 3/5, SE = sqrt(2 * .72) / 5 = .24."""
    units = units_of(np.array([1.0, 0.0, 0.0, 1.0, -1.0]), ("p", "p", "q", "q", "q"))

    assert (units.sums.tolist(), units.sizes.tolist()) == ([1.0, 0.0], [2.0, 3.0])
    assert units.mean == pytest.approx(0.2)
    assert standard_error(units) == pytest.approx(np.sqrt(2 * 0.72) / 5)


def test_single_items_give_the_usual_error_and_interval() -> None:
    """Without clusters it is scipy's sem and t interval."""
    units = units_of(DELTAS)
    expected = stats.ttest_1samp(DELTAS, 0).confidence_interval(0.95)

    assert standard_error(units) == pytest.approx(stats.sem(DELTAS))
    assert t_interval(units)[:2] == pytest.approx((expected.low, expected.high))


def test_the_error_is_that_of_statsmodels() -> None:
    """Cluster-robust error of an intercept, unequal clusters."""
    clusters = np.array([0, 0, 0, 1, 1, 2, 3, 3])
    fit = sm.OLS(DELTAS, np.ones(8)).fit(cov_type="cluster", cov_kwds={"groups": clusters})

    assert standard_error(units_of(DELTAS, tuple(map(str, clusters)))) == pytest.approx(float(fit.bse[0]))


def test_one_cluster_has_no_error() -> None:
    """A single unit shows no spread."""
    assert np.isnan(standard_error(Units(np.array([3.0]), np.array([5.0]))))
