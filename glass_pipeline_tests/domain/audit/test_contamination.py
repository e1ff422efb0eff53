"""Rates from a sample by outcome, against the usual intervals and by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from glass_pipeline.domain.audit.contamination import Stratum, stratified_rate


@pytest.mark.parametrize(("found", "n"), [(0, 50), (1, 50), (7, 50), (50, 50), (0, 1)])
def test_one_stratum_has_the_usual_intervals(found: int, n: int) -> None:
    """Wilson and Clopper-Pearson are those of statsmodels."""
    rate = stratified_rate([Stratum(10_000, found, n)])

    assert rate is not None
    assert rate.rate == pytest.approx(found / n)
    assert rate.n_effective == pytest.approx(n)
    assert rate.wilson[:2] == pytest.approx(proportion_confint(found, n, method="wilson"), abs=1e-12)
    assert rate.clopper_pearson[:2] == pytest.approx(proportion_confint(found, n, method="beta"), abs=1e-12)


def test_strata_count_by_their_size_not_by_their_sample() -> None:
    """900 pairs with 0 of 30 and 100 pairs with 6 of 30: 0.1 * 0.2 = 2 %, not 6 of 60; n_eff = 30/(0.81+0.01)."""
    rate = stratified_rate([Stratum(900, 0, 30), Stratum(100, 6, 30)])

    assert rate is not None
    assert rate.rate == pytest.approx(0.02)
    assert rate.n_sampled == 60
    assert rate.n_effective == pytest.approx(30 / 0.82)


def test_proportional_strata_are_one_sample() -> None:
    """Where every stratum is sampled at the same rate, the sample is worth its size."""
    rate = stratified_rate([Stratum(900, 9, 90), Stratum(100, 1, 10), Stratum(0, 0, 0)])

    assert rate is not None
    assert (rate.rate, rate.n_effective) == (pytest.approx(0.1), pytest.approx(100))


@pytest.mark.parametrize("strata", [[], [Stratum(0, 0, 0)], [Stratum(5, 0, 0)], [Stratum(5, 0, 5), Stratum(1, 0, 0)]])
def test_what_was_not_looked_at_is_unknown(strata: list[Stratum]) -> None:
    """No sample is no zero, nor is half a one."""
    assert stratified_rate(strata) is None


@given(st.lists(st.tuples(st.integers(1, 500), st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=5))
def test_intervals_hold_the_rate(drawn: list[tuple[int, int, int]]) -> None:
    """Both intervals lie in [0, 1] around the rate, whatever the strata."""
    rate = stratified_rate([Stratum(size + a + b + 1, a, a + b + 1) for size, a, b in drawn])

    assert rate is not None
    for interval in (rate.wilson, rate.clopper_pearson):
        assert 0 <= interval.low <= rate.rate + 1e-12
        assert rate.rate - 1e-12 <= interval.high <= 1
