"""Permutation p-values of a correlation."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from glass_pipeline.domain.stats.permutation import correlation_p_value, correlation_p_values, random_orders


def test_p_is_the_share_of_permutations_that_correlate_as_much() -> None:
    """All 120 permutations of five values, counted by hand, agree with the random ones to 0.02."""
    x, y = np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 4, 3, 5])
    observed = abs(np.corrcoef(x, y)[0, 1])
    null = [abs(np.corrcoef(x, order)[0, 1]) for order in permutations(y)]
    exact = np.mean(np.array(null) >= observed - 1e-12)

    found = correlation_p_value(x, y, rng=np.random.default_rng(0), permutations=20_000)

    assert found == pytest.approx(exact, abs=0.02)


def test_p_is_never_zero() -> None:
    """A perfect correlation of 50 points has the smallest p of 999 permutations, 1 / 1000."""
    x = np.arange(50.0)

    assert correlation_p_value(x, x, rng=np.random.default_rng(0), permutations=999) == pytest.approx(0.001)


def test_a_constant_side_has_no_p() -> None:
    """Without a correlation there is nothing to test."""
    assert np.isnan(correlation_p_value([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], rng=np.random.default_rng(0)))


def test_several_variables_are_tested_in_the_same_orders() -> None:
    """Each row's p is that of a plain loop over the orders; a constant row has none."""
    rng = np.random.default_rng(2)
    x, y = np.stack([rng.random(30), rng.integers(3, size=30) * 1.0, np.ones(30)]), rng.random(30)
    orders = random_orders(30, rng=rng, permutations=700)

    found = correlation_p_values(x, y, orders)

    for row in (0, 1):
        observed = abs(np.corrcoef(x[row], y)[0, 1])
        null = [abs(np.corrcoef(x[row], y[order])[0, 1]) for order in orders]
        assert found[row] == pytest.approx((1 + sum(r >= observed - 1e-12 for r in null)) / 701)
    assert np.isnan(found[2])


def test_orders_are_permutations() -> None:
    """Every unit occurs once in each order, and the orders differ."""
    orders = random_orders(7, rng=np.random.default_rng(0), permutations=50)

    assert (np.sort(orders, axis=1) == np.arange(7)).all()
    assert len({tuple(order) for order in orders}) > 40
