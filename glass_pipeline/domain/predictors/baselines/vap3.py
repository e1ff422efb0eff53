"""Holds VAP3: one encoder reads base and twin together, with perturbed embeddings, and regresses the break.

Never reads an outcome when it predicts, but reads the twins that are to be solved.
"""

from __future__ import annotations

from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.calibration import Line, calibrate
from glass_pipeline.domain.predictors.config import BERT_BASELINE, EncoderConfig, Recipe
from glass_pipeline.domain.predictors.jobs import JobSet
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted
from glass_pipeline.domain.predictors.regression_tower import Adversary, Rows, Tower, fit_tower, predict_tower

DEFAULT = EncoderConfig(pooling="cls")
ADVERSARY = Adversary()


class Vap3:
    """Squared error on B, one row a pair; a job's pi is the mean of its calibrated pairs.

    Args:
        encoder: Which encoder; the published one is bert-base-uncased.
        recipe: How it is trained.
        adversary: Step and weight of the perturbed copy.

    Source: methods §7.1.
    """

    name = "VAP3"
    reads: Reads = "twins"
    is_rate = True

    def __init__(
        self, encoder: EncoderConfig = DEFAULT, recipe: Recipe = BERT_BASELINE, adversary: Adversary = ADVERSARY
    ) -> None:
        self._encoder, self._recipe, self._adversary = encoder, recipe, adversary
        self._fitted: tuple[Tower, Line] | None = None

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Fine-tune on every observed pair of the training jobs."""
        tower = fit_tower(
            pairs_of(train),
            train.twins["is_break"].to_numpy(),
            encoder=self._encoder,
            recipe=self._recipe,
            seed=seed,
            adversary=self._adversary,
        )
        raw = predict_tower(tower, pairs_of(validation))
        self._fitted = tower, calibrate(raw, validation.twins["is_break"].to_numpy())
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the mean over each job's twins; a job without twins cannot be predicted."""
        tower, line = require_fitted(self._fitted, self.name)
        return predictions(jobs.base_ids, job_means(jobs, line(predict_tower(tower, pairs_of(jobs)))))


def pairs_of(jobs: JobSet) -> Rows:
    """Return base and twin texts, one row a twin, in the order of ``jobs.twins``."""
    bases = jobs.problems.select("base_id", base="text")
    pairs = jobs.twins.join(bases, on="base_id", how="left", maintain_order="left")
    return Rows(pairs["base"].to_list(), pairs["text"].to_list())


def job_means(jobs: JobSet, by_pair: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each job's pairs, shape ``[J]``; NaN for a job without twins."""
    means = jobs.twins.select("base_id").with_columns(value=pl.Series(by_pair)).group_by("base_id").mean()
    joined = jobs.problems.select("base_id").join(means, on="base_id", how="left", maintain_order="left")
    return joined["value"].fill_null(float("nan")).to_numpy()
