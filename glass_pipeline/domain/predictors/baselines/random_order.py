"""Holds the baseline that knows nothing: a seeded random order of jobs.

Never looks at a job beyond its id.
"""

from __future__ import annotations

from typing import Self

import polars as pl

from glass_pipeline.domain.predictors.jobs import JobSet
from glass_pipeline.domain.predictors.predictor import Reads, predictions
from glass_pipeline.domain.seeding import unit_interval


class RandomOrder:
    """A uniform number for each job id and seed.

    Source: methods §7.
    """

    name = "random"
    reads: Reads = "text"
    is_rate = False

    def __init__(self) -> None:
        self._seed = 0

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Remember the seed."""
        self._seed = seed
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return a random number for each job."""
        return predictions(jobs.base_ids, [unit_interval("random_order", self._seed, job) for job in jobs.base_ids])
