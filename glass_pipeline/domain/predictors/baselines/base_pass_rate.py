"""Holds the baseline that knows how often the base itself was solved.

Never flips the sign: it is expected to correlate negatively with fragility.
"""

from __future__ import annotations

from typing import Self

import polars as pl

from glass_pipeline.domain.predictors.jobs import JobSet
from glass_pipeline.domain.predictors.predictor import Reads, predictions


class BasePassRate:
    """Ȳ(J), measured.

    Source: methods §7.
    """

    name = "base pass rate"
    reads: Reads = "solver"
    is_rate = False

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Do nothing."""
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the pass rate of each base."""
        return predictions(jobs.base_ids, jobs.problems["base_pass_rate"].fill_null(float("nan")).to_numpy())
