"""Holds the baseline that predicts whether the base is solved and takes the opposite as fragility.

Never sees a twin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.baselines.ridge import fit_ridge
from glass_pipeline.domain.predictors.features import Featurizer, make_featurizer
from glass_pipeline.domain.predictors.jobs import JobSet
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted

Floats = NDArray[np.float64]


class ScorePredictor:
    """RidgeCV from text to Ȳ, over all training jobs in or out of the stratum; difficulty = 1 - Ŷ.

    Args:
        featurizer: None takes TF-IDF + SVD.

    Source: methods §7.
    """

    name = "score predictor"
    reads: Reads = "text"
    is_rate = False

    def __init__(self, featurizer: Featurizer | None = None) -> None:
        self._featurizer = featurizer or make_featurizer("tfidf_svd")
        self._predict: Callable[[JobSet], Floats] | None = None

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Regress the pass rate of the training bases that were asked."""
        asked = train.problems.drop_nulls("base_pass_rate")
        featurizer = self._featurizer.fit(train.texts)
        model = fit_ridge(featurizer.transform(asked["text"].to_list()), asked["base_pass_rate"].to_numpy())
        self._predict = lambda jobs: 1 - model(featurizer.transform(jobs.texts))
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return one minus the fitted pass rate of each job."""
        learned = require_fitted(self._predict, self.name)
        return predictions(jobs.base_ids, learned(jobs))
