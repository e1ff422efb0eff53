"""Holds complexity-residualised difficulty: what is left of a quantity without its regression on C.

Never decides what C is (see ``problems``) or who is in a fold of the main evaluation (see ``splits``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glass_pipeline.domain.seeding import unit_interval

Floats = NDArray[np.float64]
Regression = Callable[[ArrayLike], Floats]
"""Maps complexities, shape ``[J]``, to fitted values, shape ``[J]``."""
RegressionKind = Literal["auto", "levels", "spline", "cubic", "linear"]

FOLDS = 5
SHRINKAGE = 5.0
"""kappa: jobs of the overall mean that each level's mean is mixed with."""
MOST_LEVELS = 12
"""Up to this many distinct complexities ``auto`` takes level means, above it a spline."""
SPLINE_DF = 4


class CrossFit(NamedTuple):
    """Out-of-fold fitted values and residuals, in the order of the data."""

    fitted: Floats
    residual: Floats


def descriptive_folds(base_ids: Sequence[str], *, seed: int) -> NDArray[np.int64]:
    """Return each job's fold in 0..4 by its id and the seed alone, so that solvers and slices share folds."""
    return np.array([int(FOLDS * unit_interval("crd", seed, base_id)) for base_id in base_ids], dtype=np.int64)


def cross_fitted_residual(
    quantity: ArrayLike,
    complexity: ArrayLike,
    folds: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    kind: RegressionKind = "auto",
) -> CrossFit:
    """Take the regression on C away, each job's fitted without its own fold.

    gamma(c) = E[Q | C = c]; residual = Q - gamma_without_fold(C). A prediction gets its own regression:
    taking the target's away from it would put one error into both and inflate their correlation (methods §0
    C11).

    Args:
        quantity: Q, a measured quantity or a prediction, shape ``[J]``.
        complexity: C, shape ``[J]``.
        folds: Fold of each job, shape ``[J]``, at least two distinct ones.
        weights: Positive weight of each job (its n), shape ``[J]``; None weighs all alike.
        kind: Regression of ``fit_regression``.

    Raises:
        ValueError: fewer than two folds: nothing is left to fit on.

    Source: methods §1.7.
    """
    q, c = np.asarray(quantity, dtype=np.float64), np.asarray(complexity, dtype=np.float64)
    fold = np.asarray(folds)
    w = np.ones_like(q) if weights is None else np.asarray(weights, dtype=np.float64)
    if np.unique(fold).size < 2:
        raise ValueError("crd: all jobs are in one fold; cross-fitting needs two.")
    fitted = np.empty_like(q)
    for held_out in np.unique(fold):
        inside = fold == held_out
        gamma = fit_regression(q[~inside], c[~inside], weights=w[~inside], kind=kind)
        fitted[inside] = gamma(c[inside])
    return CrossFit(fitted, q - fitted)


def fit_regression(
    quantity: ArrayLike,
    complexity: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    kind: RegressionKind = "auto",
    shrinkage: float = SHRINKAGE,
) -> Regression:
    """Regress a quantity on C.

    levels: mean of each level, shrunk to the overall mean, (sum w q + kappa q-bar) / (sum w + kappa) with
    weights scaled to mean 1; an unseen level gets the overall mean. spline: natural cubic, 4 degrees of
    freedom, a line where quantile knots coincide. cubic: polynomial of degree 3 on centred C. linear: a line.

    Args:
        quantity: Q, shape ``[J]``, J >= 1.
        complexity: C, shape ``[J]``.
        weights: Positive weight of each job, shape ``[J]``; None weighs all alike.
        kind: Form of the regression; ``auto`` is ``chosen_kind``.
        shrinkage: kappa, in jobs; used by ``levels`` only.

    Source: methods §1.7.
    """
    q, c = np.asarray(quantity, dtype=np.float64), np.asarray(complexity, dtype=np.float64)
    w = np.ones_like(q) if weights is None else np.asarray(weights, dtype=np.float64)
    if q.size == 0:
        raise ValueError("crd: no job to fit the regression on.")
    form = chosen_kind(c) if kind == "auto" else kind
    if form == "levels":
        return _level_means(q, c, w / w.mean(), np.unique(c), shrinkage)
    knots = np.unique(np.quantile(c, np.linspace(0, 1, SPLINE_DF + 1)))
    if form == "spline" and knots.size >= 3:
        return _least_squares(q, c, w, lambda at: natural_spline_basis(at, knots))
    centre, scale, degree = c.mean(), max(float(np.ptp(c)), 1e-12), 3 if form == "cubic" else 1
    return _least_squares(q, c, w, lambda at: np.vander((at - centre) / scale, degree + 1))


def chosen_kind(complexity: ArrayLike) -> RegressionKind:
    """Return levels for at most 12 distinct C, else spline (methods §1.7)."""
    return "levels" if np.unique(np.asarray(complexity)).size <= MOST_LEVELS else "spline"


def natural_spline_basis(at: Floats, knots: Floats) -> Floats:
    """Return the natural cubic spline basis: cubic between the knots, linear outside, intercept included.

    N_1 = 1, N_2 = x, N_k+2 = d_k - d_K-1 with d_k = ((x - t_k)+^3 - (x - t_K)+^3) / (t_K - t_k).

    Args:
        at: Points, shape ``[J]``.
        knots: Increasing knots t_1 .. t_K, K >= 3.

    Returns:
        Shape ``[J, K]``.

    Source: Hastie, Tibshirani and Friedman (2009), equations 5.4 and 5.5.
    """
    # Scaling the axis to the knots' range keeps the cubes of the columns comparable; the space is the same.
    x, t = (at - knots[0]) / (knots[-1] - knots[0]), (knots - knots[0]) / (knots[-1] - knots[0])
    cubes = np.maximum(x[:, None] - t, 0.0) ** 3
    d = (cubes[:, :-1] - cubes[:, -1:]) / (t[-1] - t[:-1])
    return np.concatenate([np.ones((x.size, 1)), x[:, None], d[:, :-1] - d[:, -1:]], axis=1)


def _level_means(q: Floats, c: Floats, w: Floats, levels: Floats, shrinkage: float) -> Regression:
    overall = float(w @ q / w.sum())
    place = np.searchsorted(levels, c)
    sums = np.bincount(place, weights=w * q, minlength=levels.size)
    counts = np.bincount(place, weights=w, minlength=levels.size)
    means = (sums + shrinkage * overall) / (counts + shrinkage)

    def gamma(at: ArrayLike) -> Floats:
        wanted = np.asarray(at, dtype=np.float64)
        nearest = np.minimum(np.searchsorted(levels, wanted), levels.size - 1)
        return np.where(levels[nearest] == wanted, means[nearest], overall)

    return gamma


def _least_squares(q: Floats, c: Floats, w: Floats, basis: Callable[[Floats], Floats]) -> Regression:
    root = np.sqrt(w)
    coefficients = np.linalg.lstsq(basis(c) * root[:, None], q * root, rcond=None)[0]

    def gamma(at: ArrayLike) -> Floats:
        return np.asarray(basis(np.asarray(at, dtype=np.float64)) @ coefficients)

    return gamma
