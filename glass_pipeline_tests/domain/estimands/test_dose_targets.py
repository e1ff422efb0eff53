"""Targets that a curve over doses implies: the numbers of methods §5.4."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from glass_pipeline.domain.estimands.dose_targets import (
    at_least,
    dose_line,
    mean_rate,
    predicted_at_least,
    worst_case,
)

CURVE = np.array([[0.05, 0.08, 0.10, 0.15, 0.20]])
DOSES = [1, 3, 5, 7, 9]
RATES = st.lists(st.floats(0.001, 0.999), min_size=1, max_size=3)


def test_line_and_mean_rates_of_the_example() -> None:
    """The curve has a = -2.1410, b = 0.1912, pi .1160 uniform and .1456 with weights 1, 3, 5, 7, 9."""
    line = dose_line(CURVE, DOSES)

    assert line.a[0] == pytest.approx(-2.1410, abs=5e-5)
    assert line.b[0] == pytest.approx(0.1912, abs=5e-5)
    assert mean_rate(CURVE, np.ones(5))[0] == pytest.approx(0.1160)
    assert mean_rate(CURVE, DOSES)[0] == pytest.approx(0.1456)


def test_worst_case_and_quantile_of_nine_twins() -> None:
    """At p = .1 and K = 9 at least one breaks with .6126, at least two with .2252."""
    assert worst_case([[0.1]], [9])[0] == pytest.approx(0.6126, abs=5e-5)
    assert at_least([[0.1]], [9], 2)[0] == pytest.approx(0.2252, abs=5e-5)


@given(RATES, st.integers(0, 6))
def test_one_dose_is_the_binomial_tail(rates: list[float], breaks: int) -> None:
    """For one dose scipy's survival function gives the same."""
    found = at_least(np.array(rates)[:, None], [5], breaks)

    assert found == pytest.approx(stats.binom.sf(breaks - 1, 5, rates), abs=1e-12)


@given(RATES, st.integers(0, 5))
def test_several_doses_equal_an_enumeration(rates: list[float], breaks: int) -> None:
    """All outcomes of one or two twins a dose, added up one by one, give the Poisson-binomial tail."""
    twins = [1 + place % 2 for place in range(len(rates))]
    each = np.repeat(rates, twins)
    total = sum(
        np.prod([p if broke else 1 - p for p, broke in zip(each, outcome, strict=True)])
        for outcome in product([0, 1], repeat=len(each))
        if sum(outcome) >= breaks
    )

    assert at_least([rates], twins, breaks)[0] == pytest.approx(total, abs=1e-12)


@given(RATES)
def test_bounds_of_the_targets(rates: list[float]) -> None:
    """Worst case >= largest p >= pi >= smallest p, and a larger budget is never safer."""
    one, two = np.ones(len(rates)), np.full(len(rates), 2)
    pi = mean_rate([rates], one)[0]

    assert worst_case([rates], one)[0] >= max(rates) - 1e-12
    assert max(rates) + 1e-12 >= pi >= min(rates) - 1e-12
    assert worst_case([rates], two)[0] >= worst_case([rates], one)[0]
    assert worst_case([rates], two)[0] == pytest.approx(at_least([rates], two, 1)[0])


def test_certain_rates_have_finite_lines() -> None:
    """Rates of 0 and 1 are clipped before the logit."""
    line = dose_line([[0.0, 0.0, 0.5, 1.0, 1.0]], DOSES)

    assert np.isfinite([*line.a, *line.b]).all()
    assert worst_case([[0.0, 1.0]], [3, 1])[0] == 1.0
    assert worst_case([[0.0, 1.0]], [3, 0])[0] == 0.0


@given(st.floats(0.05, 50), st.floats(0.05, 50), st.integers(0, 30), st.integers(0, 32))
def test_an_unknown_rate_gives_the_beta_binomial_tail(alpha: float, beta: float, twins: int, breaks: int) -> None:
    """Scipy's beta-binomial has the same tail; more breaks than twins never happen."""
    found = predicted_at_least([alpha], [beta], twins, breaks)[0]

    assert found == pytest.approx(stats.betabinom.sf(breaks - 1, twins, alpha, beta), abs=1e-9)


def test_not_knowing_the_rate_makes_one_break_less_and_many_breaks_more_likely() -> None:
    """A rate of .1 for certain breaks one of nine with .6126; Beta(1, 9), of the same mean, with 1 - 9/18 = 1/2."""
    assert predicted_at_least([1.0], [9.0], 9, 1)[0] == pytest.approx(0.5)
    assert predicted_at_least([1.0], [9.0], 9, 5)[0] > at_least([[0.1]], [9], 5)[0]
