"""Holds the baseline that knows only how many twins of each family a job has.

Never reads a text: what it ranks well is an artefact of the design, not of the item (methods §1.10).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.baselines.ridge import fit_ridge
from glass_pipeline.domain.predictors.jobs import JobSet, break_rates
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted

Floats = NDArray[np.float64]


class FamilyComposition:
    """Ridge of pi on n_f, the number of twins of each family.

    Source: methods §7.
    """

    name = "family composition"
    reads: Reads = "design"
    is_rate = True

    def __init__(self) -> None:
        self._predict: Callable[[JobSet], Floats] | None = None

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Regress pi of the training jobs."""
        learning = train.labelled()
        families = learning.twins["family"].unique().sort().to_list()
        model = fit_ridge(family_counts(learning, families), break_rates(learning, learning.base_ids))
        self._predict = lambda jobs: model(family_counts(jobs, families))
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the fitted value of each job."""
        learned = require_fitted(self._predict, self.name)
        return predictions(jobs.base_ids, learned(jobs))


def family_counts(jobs: JobSet, families: list[str]) -> Floats:
    """Return n_f, shape ``[J, F]``."""
    counted = jobs.twins.group_by("base_id").agg(
        ((pl.col("family") == family).sum().alias(family)) for family in families
    )
    joined = jobs.problems.select("base_id").join(counted, on="base_id", how="left", maintain_order="left")
    return joined.select(pl.col(families).fill_null(0).cast(pl.Float64())).to_numpy()
