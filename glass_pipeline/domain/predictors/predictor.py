"""Holds what every predictor of break rates is: a name, fit and predict, and whether it reads held-out twins.

Never holds a predictor (see ``frail_pi`` and ``baselines``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, Self, TypeVar

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError

T = TypeVar("T")
Reads = Literal["text", "design", "twins", "solver"]
"""What a predictor is shown of a new job besides what it was trained on: its text; how many twins of which family
and dose are planned; the twins' texts; or solves of its base."""


class Predictor(Protocol):
    """Predicts each job's break rate pi, or a score that ranks like it."""

    name: str
    reads: Reads
    is_rate: bool
    """Whether predictions are break rates, not only scores that rank; only rates are scored for calibration."""

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Learn from jobs with outcomes; deterministic given the seed."""
        ...

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return ``base_id, pi_hat`` of every job, in the order of ``jobs.base_ids``."""
        ...


def predictions(base_ids: Sequence[str], pi_hat: ArrayLike) -> pl.DataFrame:
    """Return the table of predictions.

    Raises:
        PredictorError: a prediction is not finite.
    """
    values = np.asarray(pi_hat, dtype=np.float64)
    if not bool(np.isfinite(values).all()):
        missing = base_ids[int(np.flatnonzero(~np.isfinite(values))[0])]
        raise PredictorError(f"prediction: none for job {missing!r}; what the predictor reads is missing there.")
    return pl.DataFrame(
        {"base_id": list(base_ids), "pi_hat": values}, schema={"base_id": pl.String(), "pi_hat": pl.Float64()}
    )


def require_fitted(learned: T | None, name: str) -> T:
    """Return what a predictor has learned, or refuse to predict before learning.

    Raises:
        PredictorError: the predictor was not fitted.
    """
    if learned is None:
        raise PredictorError(f"{name}: not fitted; call fit(train, validation, seed=...) first.")
    return learned
