"""Tests of the clustered rate."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.report.intervals import Estimate, clustered_rate
from glass_pipeline.domain.seeding import child_generator


def rate(breaks: list[int], observations: list[int]) -> Estimate:
    """The rate with a generator of its own."""
    return clustered_rate(np.array(breaks), np.array(observations), rng=child_generator("test"))


def test_the_rate_pools_observations() -> None:
    """(1 + 2) / (4 + 6) = 0.3, over 10 observations, inside its interval."""
    found = rate([1, 2], [4, 6])

    assert (found.value, found.n) == (0.3, 10)
    assert found.low <= 0.3 <= found.high


@pytest.mark.parametrize(("breaks", "successes"), [([0, 0, 0], 0), ([5, 5, 5], 3)], ids=["none", "all"])
def test_at_a_boundary_the_interval_is_wilsons_over_items(breaks: list[int], successes: int) -> None:
    """Fifteen observations of three items are three independent units, not fifteen."""
    found = rate(breaks, [5, 5, 5])
    expected = stats.binomtest(successes, 3).proportion_ci(method="wilson")

    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_clusters_widen_the_interval() -> None:
    """Items that break as a whole say less than as many independent observations."""
    together = rate([10, 0] * 10, [10] * 20)
    apart = rate([5] * 20, [10] * 20)

    assert together.value == apart.value
    assert together.high - together.low > apart.high - apart.low


def test_no_items_have_no_rate() -> None:
    """An empty cell is an error of the caller, not a zero."""
    with pytest.raises(ValueError, match="no items"):
        rate([], [])
