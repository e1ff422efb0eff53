"""Holds the linear probe: ridge of pi on a frozen vector of the base text, one row a job.

Never trains the encoder.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.baselines.ridge import fit_ridge
from glass_pipeline.domain.predictors.features import Featurizer, make_featurizer
from glass_pipeline.domain.predictors.jobs import JobSet, break_rates
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted

Floats = NDArray[np.float64]


class EmbeddingRidge:
    """RidgeCV of pi on the features of a name, e.g. TF-IDF + SVD job-level.

    Args:
        features: Name of the features.
        name: Row of the league table.
        featurizer: Instead of the one that ``features`` names, e.g. to share a cache.

    Source: methods §7.
    """

    reads: Reads = "text"
    is_rate = True

    def __init__(self, features: str, *, name: str | None = None, featurizer: Featurizer | None = None) -> None:
        self.name = name or f"{features} ridge"
        self._featurizer = featurizer or make_featurizer(features)
        self._predict: Callable[[JobSet], Floats] | None = None

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Fit the features on all training texts and regress pi of the training jobs."""
        learning, featurizer = train.labelled(), self._featurizer.fit(train.texts)
        model = fit_ridge(featurizer.transform(learning.texts), break_rates(learning, learning.base_ids))
        self._predict = lambda jobs: model(featurizer.transform(jobs.texts))
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the fitted value of each job."""
        learned = require_fitted(self._predict, self.name)
        return predictions(jobs.base_ids, learned(jobs))
