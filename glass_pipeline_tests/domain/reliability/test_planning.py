"""Plans: the numbers of methods §12."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.reliability.planning import (
    expected_reliability,
    half_width,
    twins_for_half_width,
    twins_for_reliability,
    twins_for_training,
)


@pytest.mark.parametrize(("reliability", "twins"), [(0.8, 15), (0.9, 34)])
def test_twins_for_a_reliability(reliability: float, twins: int) -> None:
    """At s = 3.75, r = .8 needs 15 and r = .9 needs 33.75, so 34, twins a job (methods §12.2)."""
    assert twins_for_reliability(reliability, 3.75) == twins


@pytest.mark.parametrize(("twins", "reliability"), [(14, 0.789), (25, 0.870)])
def test_reliability_of_beta_jobs(twins: int, reliability: float) -> None:
    """Beta(.41, 3.34): n / (n + 3.75) (methods §2.5)."""
    assert expected_reliability(twins, 0.41 + 3.34) == pytest.approx(reliability, abs=5e-4)


def test_one_job_is_never_precise() -> None:
    """A half-width of .05 at pi = .1 needs 138 twins (methods §12.2), and 138 twins give it."""
    assert twins_for_half_width(0.05, 0.1) == 138
    assert half_width(0.1, 138) == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize(("base_cost", "twins"), [(1, 2), (5, 4)])
def test_twins_that_train_best(base_cost: float, twins: int) -> None:
    """sqrt(3.75) is about 2 twins at one base solve a job, sqrt(18.75) about 4 at five (methods §12.1)."""
    assert twins_for_training(base_cost, 3.75) == twins


def test_impossible_wishes_are_refused() -> None:
    """No number of twins gives r = 1 or a half-width of 0."""
    with pytest.raises(ValueError, match="lies between 0 and 1"):
        twins_for_reliability(1.0, 3.75)
    with pytest.raises(ValueError, match="above 0"):
        twins_for_half_width(0.0, 0.1)
