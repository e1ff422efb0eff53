"""Holds the baseline of boosted trees on surface features.

Never reads a word's meaning.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import polars as pl
from sklearn.ensemble import HistGradientBoostingRegressor

from glass_pipeline.domain.predictors.features.surface import Surface
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, break_rates
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted
from glass_pipeline.domain.seeding import seed_of

MOST_ITERATIONS = 300
PATIENCE = 20
FEWEST_JOBS = 2


class SurfaceGbt:
    """HistGradientBoostingRegressor of pi, weight n, stopped on the validation jobs.

    Source: methods §7.
    """

    name = "surface GBT"
    reads: Reads = "text"
    is_rate = True

    def __init__(self) -> None:
        self._model: HistGradientBoostingRegressor | None = None
        self._features = Surface()

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Boost trees of depth 3, at most 300, until 20 in a row do not help the validation jobs.

        Raises:
            PredictorError: fewer than two training or validation jobs have a break rate.
        """
        learning, watched = train.labelled(), validation.labelled()
        if min(len(learning), len(watched)) < FEWEST_JOBS:
            raise PredictorError(
                f"surface GBT: {len(learning)} training and {len(watched)} validation jobs have a break rate; "
                f"label at least {FEWEST_JOBS} of each."
            )
        self._model = HistGradientBoostingRegressor(
            max_depth=3,
            learning_rate=0.05,
            max_iter=MOST_ITERATIONS,
            min_samples_leaf=20,
            early_stopping=True,
            n_iter_no_change=PATIENCE,
            random_state=seed_of("surface_gbt", seed) % 2**32,
        ).fit(
            self._features.transform(learning.texts),
            break_rates(learning, learning.base_ids),
            sample_weight=learning.counts()["n"].to_numpy(),
            X_val=self._features.transform(watched.texts),
            y_val=break_rates(watched, watched.base_ids),
        )
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the fitted value of each job."""
        learned = require_fitted(self._model, self.name)
        return predictions(jobs.base_ids, np.asarray(learned.predict(self._features.transform(jobs.texts))))
