"""Holds ridge regression whose penalty is chosen by leave-one-out error on the training jobs.

Never chooses what is regressed on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import RidgeCV

from glass_pipeline.domain.predictors.jobs import PredictorError

Floats = NDArray[np.float64]
PENALTIES = np.logspace(-3, 3, 13)
FEWEST_JOBS = 3


def fit_ridge(features: Floats, target: Floats, *, weights: Floats | None = None) -> Callable[[Floats], Floats]:
    """Return the fitted regression, a map from features ``[J, d]`` to predictions ``[J]``.

    Columns are centred and divided by one common scale, so that the penalties mean the same for any features.

    Args:
        features: Shape ``[J, d]``.
        target: Shape ``[J]``.
        weights: Of jobs, shape ``[J]``; None weighs all alike.

    Raises:
        PredictorError: fewer than three jobs.

    Source: methods §7.
    """
    if target.size < FEWEST_JOBS:
        raise PredictorError(f"ridge: {target.size} training jobs have a target; label at least {FEWEST_JOBS}.")
    centre = features.mean(axis=0)
    scale = float(np.sqrt(((features - centre) ** 2).mean())) or 1.0
    model = RidgeCV(alphas=PENALTIES).fit((features - centre) / scale, target, sample_weight=weights)
    return lambda new: np.asarray(model.predict((new - centre) / scale), dtype=np.float64)


def standardised(features: Floats) -> Callable[[Floats], Floats]:
    """Return the map that gives each column mean 0 and standard deviation 1 on these jobs; constants become 0."""
    centre, spread = features.mean(axis=0), features.std(axis=0)
    scale = np.where(spread > 0, spread, np.inf)
    return lambda new: (new - centre) / scale
