"""Holm's correction, against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from glass_pipeline.domain.stats.multiplicity import holm


def test_worked_example() -> None:
    """Sorted .01, .03, .04 become .03, .06 and, as it may not fall, .06."""
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])


@pytest.mark.parametrize("tests", [1, 2, 5, 12])
def test_adjusted_values_are_statsmodels(tests: int) -> None:
    """Step-down by Holm, capped at 1."""
    p_values = np.random.default_rng(tests).random(tests) ** 3

    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_adjusting_keeps_the_order_and_never_lowers(p_values: list[float]) -> None:
    """An adjusted value is at least the raw one, at most 1, and ranks as the raw ones do."""
    adjusted = holm(p_values)

    assert (adjusted >= np.array(p_values) - 1e-15).all()
    assert (adjusted <= 1).all()
    assert (np.diff(adjusted[np.argsort(p_values, kind="stable")]) >= 0).all()


def test_no_test_has_no_value() -> None:
    """An empty family is an empty answer."""
    assert holm([]).size == 0
