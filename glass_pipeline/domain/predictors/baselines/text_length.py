"""Holds the baseline that ranks by length: the number of words of the base text.

Never learns anything.
"""

from __future__ import annotations

from typing import Self

import polars as pl

from glass_pipeline.domain.predictors.features.surface import WORD
from glass_pipeline.domain.predictors.jobs import JobSet
from glass_pipeline.domain.predictors.predictor import Reads, predictions


class TextLength:
    """Word count; a longer text ranks as more fragile.

    Source: methods §7.
    """

    name = "text length"
    reads: Reads = "text"
    is_rate = False

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Do nothing."""
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the number of words of each base text."""
        return predictions(jobs.base_ids, [float(len(WORD.findall(text))) for text in jobs.texts])
