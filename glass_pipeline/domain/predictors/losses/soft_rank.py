"""Holds the differentiable rank correlation of predicted and measured break rates within a batch.

Never replaces the likelihood: it is added to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

if TYPE_CHECKING:
    from torch import Tensor

TEMPERATURE = 0.1
FEWEST_JOBS = 16
"""Below this many jobs in a batch a rank says too little, and the term is 0."""


def soft_ranks(scores: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """Return 1 + sum over l != i of sigmoid((z_i - z_l) / T), shape ``[J]``; the hard rank as T -> 0.

    Source: methods §5.3.
    """
    import torch

    # The job's own comparison is sigmoid(0) = 1/2, so the sum over all l exceeds the wanted one by that half.
    return 0.5 + torch.sigmoid((scores[:, None] - scores[None, :]) / temperature).sum(dim=1)


def rank_loss(logits: Tensor, breaks: Tensor, trials: Tensor, *, temperature: float = TEMPERATURE) -> Tensor:
    """Return 1 - Pearson(soft ranks of the mean logit, average ranks of k/n) over the jobs of a batch.

    The mean logit over the cells is standardised in the batch first. 0 for fewer than 16 jobs, or where all
    rates tie.

    Args:
        logits: z, shape ``[J, C]``.
        breaks: k, shape ``[J, C]``.
        trials: n, shape ``[J, C]``.
        temperature: T.

    Source: methods §5.3.
    """
    import torch

    rates = (breaks.sum(dim=1) / trials.sum(dim=1)).detach().cpu().numpy()
    if rates.size < FEWEST_JOBS or np.ptp(rates) == 0:
        return logits.sum() * 0.0
    score = logits.mean(dim=1)
    score = (score - score.mean()) / (score.std() + 1e-6)
    predicted = soft_ranks(score, temperature)
    measured = torch.as_tensor(scipy.stats.rankdata(rates), dtype=logits.dtype, device=logits.device)
    predicted, measured = predicted - predicted.mean(), measured - measured.mean()
    return torch.as_tensor(1 - (predicted @ measured) / (predicted.norm() * measured.norm() + 1e-12))
