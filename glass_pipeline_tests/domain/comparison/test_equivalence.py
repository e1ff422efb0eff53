"""Two one-sided tests."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.weightstats import DescrStatsW

from glass_pipeline.domain.comparison.clustered import units_of
from glass_pipeline.domain.comparison.equivalence import equivalence

DELTAS = np.random.default_rng(2).choice([-1.0, 0.0, 1.0], size=400, p=[0.05, 0.89, 0.06])


@pytest.mark.parametrize("margin", [0.01, 0.03, 0.06])
def test_the_p_value_is_that_of_statsmodels(margin: float) -> None:
    """TOST of one sample of differences."""
    found = equivalence(units_of(DELTAS), margin)

    assert found is not None
    assert found.p_value == pytest.approx(float(DescrStatsW(DELTAS).ttost_mean(-margin, margin)[0]))


@pytest.mark.parametrize("margin", [0.01, 0.03, 0.04, 0.06])
def test_the_interval_says_the_same_as_the_test(margin: float) -> None:
    """Equivalence is shown exactly where the 90 % interval lies within the margin."""
    found = equivalence(units_of(DELTAS), margin)

    assert found is not None
    assert found.interval.level == pytest.approx(0.9)
    assert found.equivalent == (-margin < found.interval.low and found.interval.high < margin)


def test_identical_differences_test_nothing() -> None:
    """No spread, no test."""
    assert equivalence(units_of(np.zeros(10)), 0.01) is None
