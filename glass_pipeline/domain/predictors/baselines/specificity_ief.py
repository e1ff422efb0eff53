"""Holds the specificity of a base in the training pool: how few training texts resemble it.

Never reads a twin. The published measure's own formula was not found; this is our reading, and its row says so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.baselines.signal import SignalBaseline, unit
from glass_pipeline.domain.predictors.features import Featurizer
from glass_pipeline.domain.predictors.jobs import JobSet
from glass_pipeline.domain.predictors.predictor import Reads

Floats = NDArray[np.float64]
QUANTILE = 0.95


class SpecificityIef(SignalBaseline):
    """IEF(J) = ln((N + 1) / (deg(J) + 1)), deg the training bases whose cosine with J is at least tau.

    tau is the 95th percentile of the cosines of distinct training bases.

    Args:
        featurizer: None takes TF-IDF + SVD.

    Source: methods §7.1, after Arabzadeh et al. (2020).
    """

    name = "specificity IEF (our reading)"
    reads: Reads = "text"

    def __init__(self, featurizer: Featurizer | None = None) -> None:
        super().__init__(featurizer)
        self._pool: Floats = np.zeros((0, 0))
        self._own: dict[str, int] = {}
        self._tau = 1.0

    def prepare(self, train: JobSet) -> None:
        """Fit the vectors, the pool of training bases and tau."""
        super().prepare(train)
        self._pool = unit(self.featurizer.transform(train.texts))
        self._own = {base_id: row for row, base_id in enumerate(train.base_ids)}
        self._tau = threshold(self._pool)

    def signal(self, jobs: JobSet) -> Floats:
        """Return IEF of each job; a training job is not counted as its own neighbour."""
        near = unit(self.featurizer.transform(jobs.texts)) @ self._pool.T >= self._tau
        for row, base_id in enumerate(jobs.base_ids):
            if base_id in self._own:
                near[row, self._own[base_id]] = False
        return inverse_entity_frequency(near)


def threshold(pool: Floats) -> float:
    """Return the 95th percentile of the cosines of distinct rows of unit vectors; 1 for fewer than two."""
    if len(pool) < 2:
        return 1.0
    return float(np.quantile((pool @ pool.T)[np.triu_indices(len(pool), 1)], QUANTILE))


def inverse_entity_frequency(near: NDArray[np.bool_]) -> Floats:
    """Return ln((N + 1) / (deg + 1)) of each row.

    Args:
        near: Whether a text and a training base are within tau, shape ``[J, N]``.
    """
    return np.asarray(np.log((near.shape[1] + 1) / (near.sum(axis=1) + 1)))
