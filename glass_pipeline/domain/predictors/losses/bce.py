"""Holds binary cross-entropy over observations, held as counts of each job and cell.

Never weighs jobs by reliability (see ``reliability_weighted``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def bce(logits: Tensor, breaks: Tensor, trials: Tensor) -> Tensor:
    """Return the mean of BCE(p(j, m_t), B_t) over observations.

    Sum over jobs and cells of n softplus(z) - k z, divided by the number of observations.

    Args:
        logits: z, shape ``[J, C]``.
        breaks: k, shape ``[J, C]``.
        trials: n, shape ``[J, C]``.

    Source: methods §5.3.
    """
    return summed_bce(logits, breaks, trials).sum() / trials.sum()


def per_job_mean(logits: Tensor, breaks: Tensor, trials: Tensor) -> Tensor:
    """Return the mean over jobs of each job's mean BCE; shapes as in ``bce``."""
    return job_means(logits, breaks, trials).mean()


def job_means(logits: Tensor, breaks: Tensor, trials: Tensor) -> Tensor:
    """Return each job's mean BCE, shape ``[J]``; shapes as in ``bce``."""
    return summed_bce(logits, breaks, trials).sum(dim=1) / trials.sum(dim=1)


def summed_bce(logits: Tensor, breaks: Tensor, trials: Tensor) -> Tensor:
    """Return the BCE summed over the observations of each cell, shape ``[J, C]``; shapes as in ``bce``."""
    from torch.nn.functional import softplus

    return trials * softplus(logits) - breaks * logits
