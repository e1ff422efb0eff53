"""The reliability ceiling on simulated jobs whose true reliability is known (methods §2.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.reliability.ceiling import Ceiling, reliability_ceiling
from glass_pipeline.domain.stats.rank import spearman

TRUTH = {
    "Beta(.3, 1.8)": (0.797, 0.860),
    "Beta(.15, 1)": (0.842, 0.827),
    "Beta(2, 6)": (0.600, 0.770),
    "45 % at the floor": (0.780, 0.850),
    "logit-normal": (0.722, 0.831),
}
"""True r and oracle at 14 twins a job."""
DrawSample = Callable[..., Any]


@pytest.mark.parametrize("name", TRUTH)
def test_r_and_oracle_are_those_of_the_truth(draw_sample: DrawSample, name: str) -> None:
    """One data set of 1,319 jobs gives r and oracle to 0.05, with the default prior."""
    sample = draw_sample(name, seed=11)

    ceiling = reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(0))

    assert ceiling is not None
    assert ceiling.prior == "npmle"
    assert ceiling.r == pytest.approx(TRUTH[name][0], abs=0.05)
    assert ceiling.oracle == pytest.approx(TRUTH[name][1], abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("name", TRUTH)
def test_r_is_unbiased_over_data_sets(draw_sample: DrawSample, name: str) -> None:
    """Over six data sets the mean error is below 0.02 and no error above 0.05."""
    errors = []
    for seed in range(6):
        sample = draw_sample(name, seed=seed)
        ceiling = reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(seed))
        assert ceiling is not None
        assert ceiling.r is not None
        errors.append(ceiling.r - TRUTH[name][0])

    assert abs(np.mean(errors)) < 0.02
    assert np.abs(errors).max() < 0.05


def test_a_beta_prior_overstates_where_it_is_wrong(draw_sample: DrawSample) -> None:
    """On logit-normal rates the beta prior reads higher than the non-parametric one, so it is not the default."""
    sample = draw_sample("logit-normal", seed=11, twins=25)

    beta, npmle = (
        reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(0), prior=prior)
        for prior in ("beta", "npmle")
    )

    assert beta.r > npmle.r


def test_r_rises_with_the_number_of_twins(draw_sample: DrawSample) -> None:
    """More twins a job measure it better."""
    found = []
    for twins in (4, 14, 40):
        sample = draw_sample("Beta(.3, 1.8)", seed=5, twins=twins)
        found.append(reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(0)).r)

    assert found == sorted(found)


def test_the_correlation_of_beta_jobs_follows_theory(draw_sample: DrawSample) -> None:
    """Beta(2, 6) rates have few ties: r is near n / (n + alpha + beta) = 14 / 22."""
    sample = draw_sample("Beta(2, 6)", seed=3)

    ceiling = reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(0))

    assert ceiling.r == pytest.approx(14 / 22, abs=0.06)
    assert ceiling.sqrt_r == pytest.approx(ceiling.oracle, abs=0.03)


def test_jobs_that_share_one_rate_have_no_reliability() -> None:
    """Where only chance tells jobs apart, r goes to 0."""
    rng = np.random.default_rng(8)
    k = rng.binomial(14, 0.2, 1319)

    ceiling = reliability_ceiling(k, np.full(1319, 14), rng=rng, prior="beta")

    assert ceiling.r == pytest.approx(0.0, abs=0.06)


def test_repeated_outcomes_inflate_r(draw_sample: DrawSample) -> None:
    """Counting each of 14 outcomes about twice reads higher, though nothing new was measured (methods §2.4)."""
    sample = draw_sample("Beta(.3, 1.8)", seed=2)

    once = reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(0))
    twice = reliability_ceiling(2 * sample.breaks, 2 * sample.trials, rng=np.random.default_rng(0))

    assert twice.r > once.r + 0.05


@pytest.mark.parametrize(
    "name",
    [name if name == "45 % at the floor" else pytest.param(name, marks=pytest.mark.slow) for name in TRUTH],
)
def test_nothing_that_knows_the_truth_beats_the_oracle(draw_sample: DrawSample, name: str) -> None:
    """Over six data sets the true rates correlate with the measured ones as the oracle says, to two standard errors.

    Both vary by about 0.012 between data sets, so their mean difference by 0.017 / sqrt(6).
    """
    above = []
    for seed in range(6):
        sample = draw_sample(name, seed=seed)
        ceiling = reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(seed))
        above.append(spearman(sample.rates, sample.breaks / sample.trials) - ceiling.oracle)

    assert np.mean(above) <= 2 * 0.017 / np.sqrt(6)


def test_with_many_ties_the_root_is_out_of_reach(draw_sample: DrawSample) -> None:
    """Beta(.15, 1), 14 twins: sqrt(.838) = .915 but the oracle .823; with a spike .883 and .850 (methods §2.3)."""
    for name, root, oracle in (("Beta(.15, 1)", 0.915, 0.823), ("45 % at the floor", 0.883, 0.850)):
        sample = draw_sample(name, seed=11)
        ceiling = reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(0))

        assert (ceiling.sqrt_r, ceiling.oracle) == pytest.approx((root, oracle), abs=0.03)
        assert ceiling.oracle < ceiling.sqrt_r


def test_the_interval_has_the_width_of_other_jobs(draw_sample: DrawSample) -> None:
    """The half-width is about 1.96 times the spread over data sets, 0.01 to 0.016 (methods §2.2)."""
    sample = draw_sample("Beta(.3, 1.8)", seed=11)

    interval = reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(0)).r_interval

    assert 0.012 < (interval.high - interval.low) / 2 < 0.045


def test_the_same_generator_gives_the_same_ceiling(draw_sample: DrawSample) -> None:
    """All randomness comes from the generator handed in."""
    sample = draw_sample("Beta(2, 6)", seed=1, jobs=200)

    first, second = (reliability_ceiling(sample.breaks, sample.trials, rng=np.random.default_rng(4)) for _ in range(2))

    assert first == second
    assert first.prior == "beta"


@pytest.mark.parametrize("breaks", [0, 14], ids=["never", "always"])
def test_one_outcome_gives_no_nan(breaks: int) -> None:
    """Where no job, or every job, always breaks, what cannot be correlated is None."""
    k, n = np.full(400, breaks), np.full(400, 14)

    for prior in ("npmle", "beta"):
        ceiling = reliability_ceiling(k, n, rng=np.random.default_rng(0), prior=prior)
        for value in (ceiling.r, ceiling.sqrt_r, ceiling.oracle, ceiling.r_sd):
            assert value is None or np.isfinite(value)


def test_few_jobs_have_no_ceiling() -> None:
    """Nine jobs cannot be crossed with five folds."""
    assert reliability_ceiling([1] * 9, [5] * 9, rng=np.random.default_rng(0)) is None


def test_a_job_without_twins_is_refused() -> None:
    """A rate of 0/0 is no rate."""
    with pytest.raises(ValueError, match="leave jobs with n = 0 out"):
        reliability_ceiling([0] * 10, [0] + [5] * 9, rng=np.random.default_rng(0))


@pytest.mark.parametrize(("r", "root"), [(0.939, 0.96902), (0.945, 0.97211)])
def test_published_ceilings_are_roots(r: float, root: float) -> None:
    """The published 0.969 and 0.972 are sqrt(r), not r (methods §0 C6)."""
    ceiling = Ceiling(prior="beta", n_jobs=373, r=r, r_sd=None, r_interval=None, oracle=None, oracle_sd=None)

    assert ceiling.sqrt_r == pytest.approx(root, abs=5e-6)


@pytest.mark.parametrize(("share", "bound"), [(0.492, 0.939), (0.35, 0.978)])
def test_ties_cap_a_predictor_without_ties(share: float, bound: float) -> None:
    """Against a target with a share t of one value no untied ranking exceeds sqrt(1 - t^3) (methods §2.3)."""
    target = np.concatenate([np.zeros(round(4000 * share)), np.arange(1, 4001 - round(4000 * share))])

    best = stats.spearmanr(np.arange(target.size), target).statistic

    assert best == pytest.approx(bound, abs=1e-3)
    assert best == pytest.approx(np.sqrt(1 - share**3), abs=1e-3)
