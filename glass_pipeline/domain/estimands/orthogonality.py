"""Holds the diagnostics of whether a residualised target or its prediction still follows C.

Never residualises anything (see ``crd``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from glass_pipeline.domain.stats.permutation import correlation_p_value
from glass_pipeline.domain.stats.rank import pearson, spearman

FEWEST_JOBS_IN_LEVEL = 10
NULL_DEVIATIONS = 3.0
"""A correlation within so many null standard deviations, 1/sqrt(n), passes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orthogonality:
    """Correlations with C on one set of jobs; None where one side is constant or there are too few jobs."""

    n_jobs: int
    corr_target_c: float | None
    corr_prediction_c: float | None
    corr_prediction_c_squared: float | None
    rho_prediction_c: float | None
    """Spearman of prediction and C, with its sign."""
    stratified_rho: float | None
    """Mean of Spearman(prediction, target) within levels of C with at least 10 jobs, weighted by jobs."""
    bound: float | None
    """3 / sqrt(n): |correlation| below it passes."""
    target_p_value: float | None
    """Permutation p of corr_target_c."""
    prediction_p_value: float | None
    """Permutation p of corr_prediction_c."""
    rho_p_value: float | None
    """Permutation p of rho_prediction_c."""

    @property
    def is_orthogonal(self) -> bool | None:
        """Whether target and prediction both pass the bound; None where a correlation is undefined."""
        if self.corr_target_c is None or self.corr_prediction_c is None or self.bound is None:
            return None
        return max(abs(self.corr_target_c), abs(self.corr_prediction_c)) < self.bound


def orthogonality(
    target: ArrayLike, prediction: ArrayLike, complexity: ArrayLike, *, rng: np.random.Generator
) -> Orthogonality:
    """Correlate target and prediction with C.

    Args:
        target: Residualised target, shape ``[J]``.
        prediction: Its prediction, shape ``[J]``.
        complexity: C, shape ``[J]``.
        rng: Source of the permutations.

    Source: methods §1.8.
    """
    y, p, c = (np.asarray(side, dtype=np.float64) for side in (target, prediction, complexity))
    ranks_p, ranks_c = scipy.stats.rankdata(p), scipy.stats.rankdata(c)
    return Orthogonality(
        n_jobs=y.size,
        corr_target_c=_defined(pearson(y, c)),
        corr_prediction_c=_defined(pearson(p, c)),
        corr_prediction_c_squared=_defined(pearson(p, c**2)),
        rho_prediction_c=_defined(spearman(p, c)),
        stratified_rho=stratified_rank_correlation(p, y, c),
        bound=NULL_DEVIATIONS / np.sqrt(y.size) if y.size else None,
        target_p_value=_defined(correlation_p_value(y, c, rng=rng)),
        prediction_p_value=_defined(correlation_p_value(p, c, rng=rng)),
        rho_p_value=_defined(correlation_p_value(ranks_p, ranks_c, rng=rng)),
    )


def stratified_rank_correlation(prediction: ArrayLike, target: ArrayLike, complexity: ArrayLike) -> float | None:
    """Return the rank correlation within levels of C, averaged by level size.

    sum_c n_c Spearman_c / sum_c n_c over levels with n_c >= 10 in which both sides vary; None if there is
    none.

    Source: methods §1.8.
    """
    p, y, c = (np.asarray(side, dtype=np.float64) for side in (prediction, target, complexity))
    inside = [c == level for level in np.unique(c)]
    levels = [(int(own.sum()), spearman(p[own], y[own])) for own in inside if own.sum() >= FEWEST_JOBS_IN_LEVEL]
    defined = [(size, rho) for size, rho in levels if not np.isnan(rho)]
    if not defined:
        return None
    return sum(size * rho for size, rho in defined) / sum(size for size, _ in defined)


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
