"""Intervals of one proportion, against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from glass_pipeline.domain.stats.intervals import beta_posterior, jeffreys, wilson

CASES = [(0, 10), (3, 10), (10, 10), (1, 1319)]


@pytest.mark.parametrize(("k", "n"), CASES)
def test_wilson_is_statsmodels(k: int, n: int) -> None:
    """Both solve the score equation."""
    found = wilson(k, n)

    assert (found.low, found.high) == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-9)


@pytest.mark.parametrize(("k", "n"), CASES)
def test_jeffreys_is_statsmodels(k: int, n: int) -> None:
    """Both take quantiles of Beta(k + 1/2, n - k + 1/2)."""
    low, high = jeffreys([k], [n], level=0.9)

    assert (low[0], high[0]) == pytest.approx(proportion_confint(k, n, alpha=0.1, method="jeffreys"))


def test_a_flat_prior_and_no_data_give_the_central_range() -> None:
    """Beta(1, 1) is uniform: its central 90 % is 0.05 to 0.95."""
    low, high = beta_posterior(np.array([0.0]), np.array([0.0]), alpha=1, beta=1, level=0.9)

    assert (low[0], high[0]) == pytest.approx((0.05, 0.95))
