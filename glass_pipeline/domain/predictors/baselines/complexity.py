"""Holds the baselines that know declared complexity: rank by C alone, and a ridge on complexity features.

Never reads words beyond counting keywords.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.baselines.ridge import fit_ridge, standardised
from glass_pipeline.domain.predictors.jobs import JobSet, break_rates
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted
from glass_pipeline.domain.problems.complexity import KEYWORDS, NUMERAL, SENTENCE_END, WORD

Floats = NDArray[np.float64]


class ComplexityRank:
    """C itself; a more complex job ranks as more fragile.

    Source: methods §7.
    """

    name = "declared complexity"
    reads: Reads = "text"
    is_rate = False

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Do nothing."""
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return C of each job."""
        return predictions(jobs.base_ids, declared(jobs))


class ComplexityRidge:
    """Ridge of pi on C, C^2 and the numbers of numerals, sentences and keywords.

    Source: methods §7.
    """

    name = "complexity ridge"
    reads: Reads = "text"
    is_rate = True

    def __init__(self) -> None:
        self._predict: Callable[[JobSet], Floats] | None = None

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Regress pi of the training jobs."""
        learning = train.labelled()
        scaled = standardised(complexity_features(learning))
        model = fit_ridge(scaled(complexity_features(learning)), break_rates(learning, learning.base_ids))
        self._predict = lambda jobs: model(scaled(complexity_features(jobs)))
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the fitted value of each job."""
        learned = require_fitted(self._predict, self.name)
        return predictions(jobs.base_ids, learned(jobs))


def declared(jobs: JobSet) -> Floats:
    """Return C of each job, shape ``[J]``; NaN where none is declared."""
    return jobs.problems["declared_complexity"].fill_null(float("nan")).to_numpy()


def complexity_features(jobs: JobSet) -> Floats:
    """Return C, C^2, numerals, sentences and keywords, shape ``[J, 5]``."""
    c = declared(jobs)
    counts = [
        (
            len(NUMERAL.findall(text)),
            max(1, len(SENTENCE_END.findall(text))),
            sum(word in KEYWORDS for word in WORD.findall(text.lower())),
        )
        for text in jobs.texts
    ]
    return np.column_stack([c, c**2, np.array(counts, dtype=np.float64).reshape(len(jobs), 3)])
