"""Holds the baseline of frozen distance: how far the twins' vectors lie from the base's.

Never trains the vectors on labels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.baselines.signal import SignalBaseline, mean_cosines
from glass_pipeline.domain.predictors.jobs import JobSet


class TwinDistance(SignalBaseline):
    """mean_T 1 - cos(e_J, e_T), calibrated.

    Source: methods §7.
    """

    name = "twin distance"

    def signal(self, jobs: JobSet) -> NDArray[np.float64]:
        """Return the mean distance of each job's twins."""
        return 1 - mean_cosines(self.featurizer, jobs)
