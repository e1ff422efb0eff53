"""The Bernoulli variant: what was calibrated, and that Frail-pi learns it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.synth_cd.bernoulli import BernoulliJobs, draw_bernoulli
from glass_pipeline.domain.synth_cd.operators import TIER_OF


def rho(x: np.ndarray, y: np.ndarray) -> float:
    """Spearman's rank correlation."""
    return float(stats.spearmanr(x, y).statistic)


@pytest.fixture(scope="module")
def many() -> BernoulliJobs:
    """4,000 jobs."""
    return draw_bernoulli(np.random.default_rng(0), jobs=4_000)


def test_the_calibrated_figures_hold(many: BernoulliJobs) -> None:
    """Solved .942, mean pi .111, fragile .539, rho(pi, C) .394, rho(pi, E) .602, dose means .074 to .151."""
    inside = many.solved
    pi, c, e = many.pi[inside], many.complexity[inside], many.expertise[inside]
    by_dose = [float(many.breaks[inside][:, many.dose == dose].mean()) for dose in (1, 3, 5, 7, 9)]
    tiers = TIER_OF[many.operator[inside]]
    by_tier = [float(many.breaks[inside][tiers == tier].mean()) for tier in range(4)]

    assert inside.mean() == pytest.approx(0.942, abs=0.015)
    assert pi.mean() == pytest.approx(0.111, abs=0.01)
    assert (pi > 0.05).mean() == pytest.approx(0.539, abs=0.03)
    assert rho(pi, c) == pytest.approx(0.394, abs=0.05)
    assert rho(pi, e) == pytest.approx(0.602, abs=0.04)
    assert by_dose == pytest.approx([0.074, 0.088, 0.112, 0.132, 0.151], abs=0.012)
    assert by_tier == pytest.approx([0.023, 0.108, 0.132, 0.185], abs=0.015)


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_bands_of_the_published_size(seed: int) -> None:
    """500 jobs: mean pi .09 to .13, fragile .45 to .62, and E says more than C."""
    jobs = draw_bernoulli(np.random.default_rng(seed))
    inside = jobs.solved
    pi = jobs.pi[inside]

    assert 0.09 < pi.mean() < 0.13
    assert 0.45 < (pi > 0.05).mean() < 0.62
    assert rho(pi, jobs.expertise[inside]) > rho(pi, jobs.complexity[inside]) > 0.25


def test_breaks_and_repairs_are_told_apart(many: BernoulliJobs) -> None:
    """A twin of an unsolved base never breaks it; three in ten are solved."""
    unsolved = ~many.solved

    assert not many.breaks[unsolved].any()
    assert np.isnan(many.pi[unsolved]).all()
    assert many.twin_solved[unsolved].mean() == pytest.approx(0.3, abs=0.02)
