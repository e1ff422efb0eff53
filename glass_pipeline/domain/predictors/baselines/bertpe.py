"""Holds BERTPE: one encoder reads the base text and regresses its break rate.

Never reads a twin.
"""

from __future__ import annotations

from typing import Self

import polars as pl

from glass_pipeline.domain.predictors.calibration import Line, calibrate
from glass_pipeline.domain.predictors.config import BERT_BASELINE, EncoderConfig, Recipe
from glass_pipeline.domain.predictors.jobs import JobSet, break_rates
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted
from glass_pipeline.domain.predictors.regression_tower import Rows, Tower, fit_tower, predict_tower

DEFAULT = EncoderConfig(pooling="cls")


class BertPe:
    """Squared error on pi, one row a job; output calibrated on the validation jobs.

    Args:
        encoder: Which encoder; the published one is bert-base-uncased.
        recipe: How it is trained.

    Source: methods §7.1.
    """

    name = "BERTPE"
    reads: Reads = "text"
    is_rate = True

    def __init__(self, encoder: EncoderConfig = DEFAULT, recipe: Recipe = BERT_BASELINE) -> None:
        self._encoder, self._recipe = encoder, recipe
        self._fitted: tuple[Tower, Line] | None = None

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Fine-tune on the training jobs with a break rate."""
        learning, watched = train.labelled(), validation.labelled()
        target = break_rates(learning, learning.base_ids)
        tower = fit_tower(Rows(learning.texts), target, encoder=self._encoder, recipe=self._recipe, seed=seed)
        raw = predict_tower(tower, Rows(watched.texts))
        self._fitted = tower, calibrate(raw, break_rates(watched, watched.base_ids))
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the calibrated output of each job."""
        tower, line = require_fitted(self._fitted, self.name)
        return predictions(jobs.base_ids, line(predict_tower(tower, Rows(jobs.texts))))
