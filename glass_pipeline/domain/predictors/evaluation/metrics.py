"""Holds the scores of one method on one test fold: ranks, discrimination, and calibration per observation.

Never averages over seeds (see ``evaluate``) and never normalises by a ceiling it computed itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.metrics import roc_auc_score

from glass_pipeline.domain.estimands.ccd import FRAGILE_FROM
from glass_pipeline.domain.stats.rank import pearson, spearman

Floats = NDArray[np.float64]
TOP = 10
BINS = 10
SMALLEST_RATE = 1e-6


class Measured(NamedTuple):
    """What was measured of the jobs of a fold, each of shape ``[J]``."""

    target: Floats
    """pi, or the family-standardised pi."""
    breaks: Floats
    trials: Floats


def rank_scores(prediction: Floats, measured: Measured) -> dict[str, float]:
    """Return spearman, pearson, kendall, auroc and ndcg_10; NaN where one is undefined.

    auroc is that of pi > 0.05; gain of ndcg is the target.

    Args:
        prediction: Shape ``[J]``.
        measured: Of the same jobs.

    Source: methods §5.6.
    """
    target = measured.target
    is_flat = prediction.size < 2 or np.ptp(prediction) == 0 or np.ptp(target) == 0
    fragile = target > FRAGILE_FROM
    return {
        "spearman": spearman(prediction, target),
        "pearson": pearson(prediction, target),
        "kendall": float("nan") if is_flat else float(stats.kendalltau(prediction, target).statistic),
        "auroc": float(roc_auc_score(fragile, prediction)) if 0 < fragile.sum() < fragile.size else float("nan"),
        "ndcg_10": ndcg(prediction, target),
    }


def rate_scores(prediction: Floats, measured: Measured) -> dict[str, float]:
    """Return mae against the target, and brier, log_loss and ece over observations.

    Args:
        prediction: Predicted rates, shape ``[J]``; clipped to [0, 1].
        measured: Of the same jobs.

    Source: methods §5.6.
    """
    p, k, n = np.clip(prediction, 0.0, 1.0), measured.breaks, measured.trials
    q = np.clip(p, SMALLEST_RATE, 1 - SMALLEST_RATE)
    return {
        "mae": float(np.abs(p - measured.target).mean()),
        # sum over observations of (p - B)^2 = n p^2 - 2 p k + k, since B^2 = B.
        "brier": float((n * p**2 - 2 * p * k + k).sum() / n.sum()),
        "log_loss": float(-(k * np.log(q) + (n - k) * np.log1p(-q)).sum() / n.sum()),
        "ece": calibration_error(p, k, n),
    }


def ndcg(prediction: Floats, target: Floats, *, top: int = TOP) -> float:
    """Return the discounted cumulative gain of the first ten over that of the ideal order.

    sum over ranks i = 1..10 of gain_i / log2(i + 1); tied predictions share the mean gain of their jobs, so that
    the order of rows does not matter. NaN where no job has a gain.

    Args:
        prediction: Shape ``[J]``.
        target: Gain of each job, 0 or more, shape ``[J]``.
        top: Ranks that count.
    """
    _, group = np.unique(-prediction, return_inverse=True)
    means = np.bincount(group, weights=target) / np.bincount(group)
    order = np.argsort(group, kind="stable")
    discounts = 1 / np.log2(np.arange(2, min(top, target.size) + 2))
    best = float(np.sort(target)[::-1][: discounts.size] @ discounts)
    return float(means[group[order]][: discounts.size] @ discounts) / best if best > 0 else float("nan")


def calibration_error(prediction: Floats, breaks: Floats, trials: Floats, *, bins: int = BINS) -> float:
    """Return the expected calibration error over observations, in bins of equal numbers of jobs.

    sum_b N_b / N |mean prediction_b - breaks_b / N_b|, N the observations.

    Args:
        prediction: Shape ``[J]``, in [0, 1].
        breaks: Shape ``[J]``.
        trials: Shape ``[J]``.
        bins: At most this many.

    Source: methods §5.6.
    """
    order = np.argsort(prediction, kind="stable")
    gaps = [
        abs(float(trials[own] @ prediction[own] - breaks[own].sum()))
        for own in np.array_split(order, min(bins, order.size))
    ]
    return sum(gaps) / float(trials.sum())
