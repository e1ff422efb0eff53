"""Holds every score of one method on one test fold: ranks, rates where it predicts rates, and curation.

Never averages over folds, and never normalises by a ceiling.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.evaluation.curation import curate
from glass_pipeline.domain.predictors.evaluation.metrics import Measured, rank_scores, rate_scores
from glass_pipeline.domain.seeding import child_generator

Floats = NDArray[np.float64]
PERCENTS = (5, 10, 20, 50)


def fold_scores(prediction: Floats, measured: Measured, *, is_rate: bool, seed: int, target: str) -> dict[str, float]:
    """Return the scores by name; NaN where one is undefined.

    Args:
        prediction: Shape ``[J]``.
        measured: Of the same jobs.
        is_rate: Whether predictions are break rates, so that their calibration can be scored.
        seed: Seed of the fold; with the target's name it seeds the order of ties.
        target: ``pi`` or ``pi_std``.

    Source: methods §5.6, §9.
    """
    found = rank_scores(prediction, measured)
    if is_rate:
        found |= rate_scores(prediction, measured)
    return found | recalls(prediction, measured.target, seed=seed, target=target)


def recalls(prediction: Floats, rates: Floats, *, seed: int, target: str) -> dict[str, float]:
    """Return recall of fragile jobs, its best possible value, and the mean-pi ratio at 5, 10, 20 and 50 %."""
    found: dict[str, float] = {}
    for percent in PERCENTS:
        chosen = curate(prediction, rates, percent=percent, rng=child_generator("curation", seed, target, percent))
        found |= {
            f"recall_{percent}": chosen.recall,
            f"best_recall_{percent}": chosen.oracle_recall,
            f"mean_ratio_{percent}": chosen.mean_ratio,
        }
    return found
