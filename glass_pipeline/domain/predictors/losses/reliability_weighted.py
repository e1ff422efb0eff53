"""Holds cross-entropy in which a job counts as much as its measured rate is reliable.

Never fits the prior whose precision it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from glass_pipeline.domain.predictors.losses.bce import job_means

if TYPE_CHECKING:
    from torch import Tensor


def reliability_weighted(logits: Tensor, breaks: Tensor, trials: Tensor, *, precision: float) -> Tensor:
    """Return the weighted mean over jobs of each job's mean BCE, w_j = n_j / (n_j + s) rescaled to mean 1.

    Args:
        logits: z, shape ``[J, C]``.
        breaks: k, shape ``[J, C]``.
        trials: n, shape ``[J, C]``.
        precision: s = alpha + beta of the beta-binomial fitted to the training jobs.

    Source: methods §5.3.
    """
    n = trials.sum(dim=1)
    weights = n / (n + precision)
    return (weights / weights.mean() * job_means(logits, breaks, trials)).mean()
