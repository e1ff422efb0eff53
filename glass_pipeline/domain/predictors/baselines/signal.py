"""Holds what the frozen-geometry baselines share: a signal of each job, and its one-feature linear calibration to pi.

Never holds a signal (see ``twin_distance``, ``prompt_clarity``, ``embedding_entropy``, ``specificity_ief``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.features import Featurizer, make_featurizer
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, break_rates
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted

Floats = NDArray[np.float64]


class SignalBaseline(ABC):
    """pi_hat = intercept + slope * signal, fitted by least squares on the training jobs.

    The slope can be negative, so held-out Spearman is plus or minus that of the signal.

    Args:
        featurizer: Vectors the geometry is taken in; None takes TF-IDF + SVD.

    Source: methods §7.
    """

    name = "signal"
    reads: Reads = "twins"
    is_rate = True

    def __init__(self, featurizer: Featurizer | None = None) -> None:
        self.featurizer = featurizer or make_featurizer("tfidf_svd")
        self._line: tuple[float, float] | None = None

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Fit the vectors on all training texts and the line on the training jobs with a break rate.

        Raises:
            PredictorError: fewer than two training jobs have a break rate.
        """
        learning = train.labelled()
        if len(learning) < 2:
            raise PredictorError(f"{self.name}: {len(learning)} training jobs have a break rate; label at least 2.")
        self.prepare(train)
        x, y = self.signal(learning), break_rates(learning, learning.base_ids)
        spread = float(((x - x.mean()) ** 2).sum())
        slope = float((x - x.mean()) @ y) / spread if spread > 0 else 0.0
        self._line = (float(y.mean()) - slope * float(x.mean()), slope)
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the calibrated signal of each job.

        Raises:
            PredictorError: not fitted.
        """
        intercept, slope = require_fitted(self._line, self.name)
        return predictions(jobs.base_ids, intercept + slope * self.signal(jobs))

    def prepare(self, train: JobSet) -> None:
        """Fit what the signal needs on training texts: the vectors."""
        self.featurizer.fit(train.texts)

    @abstractmethod
    def signal(self, jobs: JobSet) -> Floats:
        """Return the signal of each job, shape ``[J]``."""


def twin_texts(jobs: JobSet) -> list[list[str]]:
    """Return the texts of each job's twins, in the order of ``base_ids``."""
    grouped = dict(jobs.twins.group_by("base_id").agg("text").iter_rows())
    return [sorted(grouped.get(base_id, [])) for base_id in jobs.base_ids]


def unit(vectors: Floats) -> Floats:
    """Return vectors scaled to length 1; zero stays zero."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0, length, 1.0))


def mean_cosines(featurizer: Featurizer, jobs: JobSet) -> Floats:
    """Return the mean cosine between each base and its twins, shape ``[J]``; 1 for a job without twins."""
    bases = unit(featurizer.transform(jobs.texts))
    texts = twin_texts(jobs)
    twins = unit(featurizer.transform([text for own in texts for text in own])) if any(texts) else bases[:0]
    row = np.repeat(np.arange(len(texts)), [len(own) for own in texts])
    cosines = (bases[row] * twins).sum(axis=1)
    counts = np.bincount(row, minlength=len(texts))
    sums = np.bincount(row, weights=cosines, minlength=len(texts))
    return np.where(counts > 0, sums / np.maximum(counts, 1), 1.0)
