"""Holds the homogeneous ensemble: one predictor trained several times from other random starts, predictions averaged.

Never mixes different predictors, and is a system of its own in any comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np
import polars as pl
import scipy

from glass_pipeline.domain.estimands.dose_targets import SMALLEST_RATE
from glass_pipeline.domain.predictors.jobs import JobSet
from glass_pipeline.domain.predictors.predictor import Predictor, predictions, require_fitted
from glass_pipeline.domain.seeding import seed_of

MEMBERS = 5


class Ensemble:
    """sigmoid of the mean logit of the members' rates.

    Args:
        make: Makes an unfitted member, whose predictions are rates.
        members: How many.
        name: Row of the league table; None says how many of what.

    Source: methods §12.1, idea 8.
    """

    is_rate = True

    def __init__(self, make: Callable[[], Predictor], *, members: int = MEMBERS, name: str | None = None) -> None:
        self._make, self._members = make, members
        example = make()
        self.name = name or f"{members} x {example.name}"
        self.reads = example.reads
        self._fitted: tuple[Predictor, ...] = ()

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Fit every member on the same jobs, each from a start of its own."""
        starts = [seed_of("ensemble", seed, member) for member in range(self._members)]
        self._fitted = tuple(self._make().fit(train, validation, seed=start) for start in starts)
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the averaged rate of each job."""
        members = require_fitted(self._fitted or None, self.name)
        rates = np.stack([member.predict(jobs)["pi_hat"].to_numpy() for member in members])
        logits = scipy.special.logit(np.clip(rates, SMALLEST_RATE, 1 - SMALLEST_RATE))
        return predictions(jobs.base_ids, scipy.special.expit(logits.mean(axis=0)))
