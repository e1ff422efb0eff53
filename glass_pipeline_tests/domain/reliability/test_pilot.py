"""What a pilot says about a larger study."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from glass_pipeline.domain.reliability.pilot import (
    Pilot,
    PilotError,
    for_difference,
    for_half_width,
    for_reliability,
    pilot_of,
)

KNOWN = Pilot(jobs=100, twins_per_job=14.0, mean_pi=0.1, precision=3.75, reliability=14 / 17.75)


def test_the_published_plans_come_out() -> None:
    """At s = 3.75 a reliability of .8 needs 15 twins and .9 needs 34; ± .05 at π = .1 needs 138 (methods §12.2)."""
    assert for_reliability(KNOWN, 0.8, samples=5).twins_per_job == 15
    assert for_reliability(KNOWN, 0.9, samples=5).twins_per_job == 34
    assert for_half_width(KNOWN, 0.05, samples=5).twins_per_job == 138


def test_calls_are_samples_of_twins_and_of_the_base() -> None:
    """100 jobs × (15 twins + 1 base) × 5 samples."""
    assert for_reliability(KNOWN, 0.8, samples=5).calls == 100 * 16 * 5


def test_a_difference_is_planned_with_the_variance_of_a_rate() -> None:
    """Var = .09/14 × (1 + 13/4.75) = .02402; J = 2 × (2.8016/.05)² × .02402 = 150.8, rounded up."""
    need = for_difference(KNOWN, 0.05, samples=5)

    assert need.jobs == 151
    assert need.twins_per_job == 14


def test_the_planned_number_of_jobs_has_the_promised_power() -> None:
    """In simulated pairs of independent solvers that differ by .08, about 80 % of z-tests reject at 5 %."""
    rng = np.random.default_rng(7)
    low, high = stats.beta(0.375, 3.375), stats.beta(0.675, 3.075)
    need = for_difference(KNOWN, 0.08, samples=5)

    def rates(prior: object) -> np.ndarray:
        p = prior.rvs(size=(2000, need.jobs), random_state=rng)  # type: ignore[attr-defined]
        return rng.binomial(14, p) / 14

    first, second = rates(low), rates(high)
    error = np.sqrt((first.var(axis=1, ddof=1) + second.var(axis=1, ddof=1)) / need.jobs)
    power = np.mean(np.abs(second.mean(axis=1) - first.mean(axis=1)) / error > 1.96)
    # The second solver's rates vary more than the pilot's, so a little power is lost.
    assert 0.68 < power < 0.86


def test_a_pilot_recovers_what_was_planted() -> None:
    """2,000 jobs with rates from Beta(.4, 3.6): mean .1 and precision 4, within sampling error."""
    rng = np.random.default_rng(3)
    n = np.full(2000, 14)
    k = rng.binomial(n, rng.beta(0.4, 3.6, size=2000))
    pilot = pilot_of(pl.DataFrame({"n": n, "k": k}))

    assert pilot.mean_pi == pytest.approx(0.1, abs=0.01)
    assert pilot.precision == pytest.approx(4.0, abs=0.5)
    assert pilot.reliability == pytest.approx(14 / 18, abs=0.03)


@pytest.mark.parametrize(
    ("n", "k", "sentence"),
    [([5] * 9, [1] * 9, "pilot of 9 jobs"), ([5] * 10, [0] * 10, "0 of 50 twins"), ([5] * 10, [5] * 10, "50 of 50")],
)
def test_a_pilot_that_says_nothing_is_refused(n: list[int], k: list[int], sentence: str) -> None:
    """Too few jobs, no break and nothing but breaks are one sentence each."""
    with pytest.raises(PilotError, match=sentence):
        pilot_of(pl.DataFrame({"n": n, "k": k}))


@pytest.mark.parametrize("plan", [for_reliability, for_half_width, for_difference])
def test_an_impossible_wish_is_refused(plan: object) -> None:
    """Nothing is planned for 0, 1 or beyond."""
    with pytest.raises(PilotError, match="between 0 and 1"):
        plan(KNOWN, 1.0, samples=5)  # type: ignore[operator]
