"""Agreement of two solvers: against scipy and scikit-learn, and against a plain jackknife."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from glass_pipeline.domain.reliability.solver_agreement import (
    cohen_kappa,
    disattenuate,
    jackknife_spearman_se,
    solver_agreement,
)


def jobs(base_ids: list[str], k: list[int], n: int = 10) -> pl.DataFrame:
    """Return counts of jobs with n twins each."""
    return pl.DataFrame({"base_id": base_ids, "n": n, "k": k}).with_columns(pi=pl.col("k") / pl.col("n"))


def test_the_jackknife_equals_a_plain_loop() -> None:
    """Leaving one job out and ranking again gives the same standard error, ties included."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, 40).astype(float), rng.integers(0, 5, 40).astype(float)
    left_out = np.array([stats.spearmanr(np.delete(x, j), np.delete(y, j)).statistic for j in range(40)])
    expected = np.sqrt(39 / 40 * ((left_out - left_out.mean()) ** 2).sum())

    assert jackknife_spearman_se(x, y) == pytest.approx(expected)


def test_only_jointly_measured_jobs_count() -> None:
    """Jobs of one solver alone, or without pi, are left out."""
    first = jobs(["a", "b", "c", "d"], [0, 1, 2, 3])
    second = jobs(["b", "c", "d", "e"], [1, 2, 4, 5]).with_columns(
        pi=pl.when(pl.col("base_id") == "d").then(None).otherwise(pl.col("pi"))
    )

    found = solver_agreement(first, second, rng=np.random.default_rng(0))

    assert found.n_jobs == 2
    assert found.spearman == pytest.approx(1.0)
    assert found.disattenuated is None


def test_disattenuation_finds_the_agreement_behind_the_noise() -> None:
    """Two solvers with one and the same true rate per job agree with 0.6 as measured and near 1 as corrected."""
    rng = np.random.default_rng(5)
    rates = rng.beta(2, 6, 1500)
    ids = [f"j{number}" for number in range(1500)]
    first, second = (jobs(ids, rng.binomial(14, rates).tolist(), n=14) for _ in range(2))

    found = solver_agreement(first, second, rng=np.random.default_rng(0))

    assert found.spearman == pytest.approx(0.60, abs=0.05)
    assert found.disattenuated == pytest.approx(1.0, abs=0.06)
    assert found.kendall == pytest.approx(stats.kendalltau(first["pi"], second["pi"]).statistic)


def test_kappa_is_scikit_learns() -> None:
    """Chance agreement is that of the two margins."""
    rng = np.random.default_rng(1)
    x, y = rng.random(50) < 0.4, rng.random(50) < 0.5

    assert cohen_kappa(x, y) == pytest.approx(cohen_kappa_score(x, y))


def test_disattenuation_by_hand() -> None:
    """0.4 / sqrt(0.64 * 0.25) = 1; without a reliability there is no correction."""
    assert disattenuate(0.4, 0.64, 0.25) == pytest.approx(1.0)
    assert disattenuate(0.4, None, 0.25) is None
    assert disattenuate(0.4, 0.0, 0.25) is None


@pytest.mark.parametrize("size", [0, 1, 2, 12])
def test_constant_rates_leave_agreement_undefined(size: int) -> None:
    """Jobs that never break have no rank to agree on."""
    ids = [f"j{number}" for number in range(size)]

    found = solver_agreement(jobs(ids, [0] * size), jobs(ids, [0] * size), rng=np.random.default_rng(0))

    assert (found.spearman, found.kendall, found.kappa, found.disattenuated) == (None, None, None, None)
