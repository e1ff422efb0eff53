"""The continuous variant: what was calibrated, and the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.synth_cd.continuous import (
    ContinuousJobs,
    draw_continuous,
    expected_by_complexity,
    expected_drop,
    oracle_residual,
)
from glass_pipeline.domain.synth_cd.operators import MU, TIER_OF, ZETA


def rho(x: np.ndarray, y: np.ndarray) -> float:
    """Spearman's rank correlation."""
    return float(stats.spearmanr(x, y).statistic)


@pytest.fixture(scope="module")
def many() -> ContinuousJobs:
    """40,000 jobs."""
    return draw_continuous(np.random.default_rng(0), jobs=40_000)


def test_operators_are_four_tiers_of_three() -> None:
    """Weights of the table, and its twelve operators."""
    assert pytest.approx([0.004, 0.005, 0.006, 0.08, 0.1, 0.12, 0.016, 0.02, 0.024, 0.08, 0.1, 0.12]) == MU
    assert pytest.approx([0.004, 0.005, 0.006, 0.016, 0.02, 0.024, 0.08, 0.1, 0.12, 0.08, 0.1, 0.12]) == ZETA
    assert TIER_OF.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_the_calibrated_correlations_hold(many: ContinuousJobs) -> None:
    """rho(D, C) .604, rho(D, E) .595, rho(residual, E) .760, rho(C, E) 0; mean D .1156; 11 % of the drops are 0."""
    assert rho(many.d_avg, many.complexity) == pytest.approx(0.604, abs=0.03)
    assert rho(many.d_avg, many.expertise) == pytest.approx(0.595, abs=0.03)
    assert rho(oracle_residual(many), many.expertise) == pytest.approx(0.760, abs=0.03)
    assert rho(many.complexity, many.expertise) == pytest.approx(0.0, abs=0.03)
    assert many.d_avg.mean() == pytest.approx(0.1156, abs=0.001)
    assert (many.drops == 0).mean() == pytest.approx(0.11, abs=0.01)


def test_quantiles_base_scores_and_noise_caps(many: ContinuousJobs) -> None:
    """Quantiles of D_avg, mean base score .726, its rank correlation with D .558, and what knowing C and E reaches."""
    assert np.quantile(many.d_avg, [0.05, 0.25, 0.5, 0.75, 0.95]) == pytest.approx(
        [0.082, 0.101, 0.115, 0.130, 0.149], abs=0.002
    )
    assert many.score.mean() == pytest.approx(0.726, abs=0.005)
    assert rho(-many.score, many.d_avg) == pytest.approx(0.558, abs=0.02)
    assert rho(expected_drop(many.complexity, many.expertise), many.d_avg) == pytest.approx(0.848, abs=0.01)
    assert (many.twin_scores == 0).mean() == pytest.approx(0.0002, abs=0.0003)


@pytest.mark.parametrize(
    ("seed", "expected"),
    [(17, (0.603, 0.614, 0.029, 0.771)), (25, (0.616, 0.590, 0.018, 0.748)), (42, (0.633, 0.607, 0.022, 0.788))],
)
def test_the_holdouts_of_named_seeds(seed: int, expected: tuple[float, ...]) -> None:
    """300 held-out jobs of 1,000, drawn in the order C, E, noise, permutation: the recorded four correlations."""
    jobs = draw_continuous(np.random.default_rng(seed))
    own, residual = jobs.held_out, oracle_residual(jobs)
    c, e, d = jobs.complexity[own], jobs.expertise[own], jobs.d_avg[own]
    found = (rho(d, c), rho(d, e), abs(rho(c, e)), rho(residual[own], e))

    assert found == pytest.approx(expected, abs=0.004)


def test_gamma_is_the_mean_drop_at_a_complexity(many: ContinuousJobs) -> None:
    """The closed form agrees with a cubic fit to 40,000 drawn jobs to 1e-3 between the 2 % quantiles of C."""
    cubic = np.polynomial.Polynomial.fit(many.complexity, many.d_avg, 3)
    at = np.linspace(0.1, 0.9, 17)

    assert expected_by_complexity(at) == pytest.approx(cubic(at), abs=1e-3)
