"""Complexity-residualised difficulty: the toy of methods §1.7, and what regression must do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import interpolate, stats

from glass_pipeline.domain.estimands.crd import (
    chosen_kind,
    cross_fitted_residual,
    descriptive_folds,
    fit_regression,
    natural_spline_basis,
)


def test_exact_toy() -> None:
    """Each fold's line goes exactly through the other fold's three points (methods §1.7)."""
    c = [1, 1, 2, 2, 3, 3]

    fit = cross_fitted_residual([0, 0.1, 0.2, 0.3, 0.4, 0.5], c, [0, 1, 0, 1, 0, 1], kind="linear")

    assert fit.fitted == pytest.approx([0.1, 0, 0.3, 0.2, 0.5, 0.4])
    assert fit.residual == pytest.approx([-0.1, 0.1, -0.1, 0.1, -0.1, 0.1])
    assert stats.pearsonr(fit.residual, c).statistic == pytest.approx(0, abs=1e-12)


def test_level_means_are_shrunk_by_five_jobs_of_the_overall_mean() -> None:
    """Levels of means 0 and 1 with 10 jobs each, overall 0.5: (0 + 5/2) / 15 = 1/6 and (10 + 5/2) / 15 = 5/6."""
    gamma = fit_regression([0.0] * 10 + [1.0] * 10, [1] * 10 + [2] * 10)

    assert gamma([1, 2, 7]) == pytest.approx([1 / 6, 5 / 6, 0.5])


def test_weights_count_in_jobs_not_in_observations() -> None:
    """Weighing every job by 14 observations instead of 1 changes no fitted value."""
    q, c = np.arange(12.0), np.repeat([1.0, 2.0, 3.0], 4)

    assert fit_regression(q, c, weights=np.full(12, 14.0))(c) == pytest.approx(fit_regression(q, c)(c))


def test_residuals_of_unshrunk_level_means_are_orthogonal_to_levels() -> None:
    """In sample, with kappa = 0, the residuals of every level sum to 0."""
    rng = np.random.default_rng(0)
    q, c = rng.random(60), rng.integers(1, 5, 60).astype(np.float64)

    residual = q - fit_regression(q, c, shrinkage=0.0)(c)

    assert [residual[c == level].sum() for level in np.unique(c)] == pytest.approx([0] * 4, abs=1e-12)


def test_a_complexity_that_says_nothing_takes_only_the_mean_away() -> None:
    """With C shuffled, residual and Q minus its mean agree but for noise of the fitted means."""
    rng = np.random.default_rng(2)
    q = rng.random(2000)
    c = rng.integers(1, 6, 2000).astype(np.float64)

    fit = cross_fitted_residual(q, c, rng.integers(0, 5, 2000))

    assert stats.pearsonr(fit.residual, q - q.mean()).statistic > 0.995


def test_complexity_is_taken_away_out_of_fold() -> None:
    """Q rises with C; its residual does not, for level means and for the spline alike."""
    rng = np.random.default_rng(3)
    for c in (rng.integers(1, 8, 1200).astype(np.float64), rng.random(1200) * 4):
        q = 0.1 * c**1.5 + rng.normal(0, 0.4, 1200)

        fit = cross_fitted_residual(q, c, rng.integers(0, 5, 1200))

        assert stats.spearmanr(q, c).statistic > 0.4
        assert abs(stats.pearsonr(fit.residual, c).statistic) < 3 / np.sqrt(1200)


def test_a_job_does_not_inform_its_own_fitted_value() -> None:
    """Changing one job's Q leaves the fitted values of its fold as they were."""
    rng = np.random.default_rng(4)
    q, c, folds = rng.random(50), rng.integers(1, 4, 50), np.arange(50) % 5
    changed = q.copy()
    changed[0] += 10

    before, after = cross_fitted_residual(q, c, folds), cross_fitted_residual(changed, c, folds)

    assert after.fitted[folds == 0] == pytest.approx(before.fitted[folds == 0])
    assert after.fitted[folds == 1] != pytest.approx(before.fitted[folds == 1])


def test_the_spline_basis_spans_natural_cubic_splines() -> None:
    """Every natural spline through values at the knots is a combination of the basis (scipy's interpolant)."""
    knots = np.array([0.0, 1.0, 2.5, 4.0, 7.0])
    inside = np.linspace(0, 7, 71)
    values = np.array([1.0, -2.0, 0.5, 3.0, 1.5])

    coefficients = np.linalg.solve(natural_spline_basis(knots, knots), values)

    expected = interpolate.CubicSpline(knots, values, bc_type="natural")(inside)
    assert natural_spline_basis(inside, knots) @ coefficients == pytest.approx(expected)


def test_the_spline_is_linear_outside_its_knots() -> None:
    """Second differences beyond the last knot are 0."""
    basis = natural_spline_basis(np.array([8.0, 9.0, 10.0]), np.array([0.0, 1.0, 2.5, 4.0, 7.0]))

    assert np.diff(basis, n=2, axis=0) == pytest.approx(np.zeros((1, 5)), abs=1e-9)


@pytest.mark.parametrize(("kind", "degree"), [("linear", 1), ("cubic", 3)])
def test_polynomials_are_numpys(kind: Any, degree: int) -> None:
    """Weighted least squares of that degree gives numpy's polynomial, far from zero as near it."""
    rng = np.random.default_rng(6)
    for offset in (0.0, 1000.0):
        c, q, w = offset + rng.random(80) * 9, rng.random(80), rng.integers(1, 20, 80).astype(np.float64)
        expected = np.polyval(np.polyfit(c - c.mean(), q, degree, w=np.sqrt(w)), c - c.mean())

        assert fit_regression(q, c, weights=w, kind=kind)(c) == pytest.approx(expected)


@pytest.mark.parametrize(("levels", "kind"), [(1, "levels"), (12, "levels"), (13, "spline")])
def test_up_to_twelve_levels_are_means(levels: int, kind: str) -> None:
    """Twelve distinct complexities are levels, thirteen a spline (methods §1.7)."""
    assert chosen_kind(np.arange(60) % levels) == kind


def test_one_level_is_the_overall_mean_of_every_kind() -> None:
    """Where C never varies a regression on it can only take the mean away."""
    for kind in ("levels", "spline", "cubic", "linear"):
        assert fit_regression([0.1, 0.3, 0.2], [2.0, 2, 2], kind=kind)([2.0]) == pytest.approx([0.2])


def test_many_equal_complexities_fall_back_to_a_line() -> None:
    """Quantile knots that coincide leave too few for a spline."""
    c = np.array([1.0] * 95 + [2.0, 3, 4, 5, 6])

    assert fit_regression(2 * c + 1, c, kind="spline")(c) == pytest.approx(2 * c + 1)


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=20, unique=True), st.integers(0, 5))
def test_a_jobs_fold_depends_on_nothing_but_its_id_and_the_seed(base_ids: list[str], seed: int) -> None:
    """Folds of a reversed list are the reversed folds, so that slices and solvers share them."""
    folds = descriptive_folds(base_ids, seed=seed)

    assert descriptive_folds(base_ids[::-1], seed=seed)[::-1].tolist() == folds.tolist()
    assert set(folds) <= {0, 1, 2, 3, 4}


def test_folds_are_about_equal_and_change_with_the_seed() -> None:
    """1,000 jobs make folds of 200, give or take 4 sd of 12.6."""
    base_ids = [f"job-{number}" for number in range(1000)]

    sizes = np.bincount(descriptive_folds(base_ids, seed=42))

    assert sizes.size == 5
    assert abs(sizes - 200).max() < 51
    assert descriptive_folds(base_ids, seed=42).tolist() != descriptive_folds(base_ids, seed=43).tolist()


def test_one_fold_is_refused() -> None:
    """With every job held out nothing is left to fit on."""
    with pytest.raises(ValueError, match="cross-fitting needs two"):
        cross_fitted_residual([0.1, 0.2], [1, 2], [0, 0])
