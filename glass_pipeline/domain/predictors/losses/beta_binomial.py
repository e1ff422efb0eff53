"""Holds the beta-binomial likelihood of a job's breaks: twins of one job are not independent.

Never holds the precision, which is a parameter of the network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

LEAST_PRECISION, GREATEST_PRECISION = 0.1, 1000.0
SMALLEST_MEAN = 1e-6


def beta_binomial(logits: Tensor, breaks: Tensor, trials: Tensor, *, log_precision: Tensor) -> Tensor:
    """Return the mean over jobs of -log BetaBin(k_j | n_j, mu_j s, (1 - mu_j) s).

    mu_j is the mean of p over the job's own twins, s = exp(log_precision) within [0.1, 1000].

    Args:
        logits: z, shape ``[J, C]``.
        breaks: k, shape ``[J, C]``.
        trials: n, shape ``[J, C]``, at least one a job.
        log_precision: Scalar.

    Source: methods §5.3.
    """
    import torch

    n, k = trials.sum(dim=1), breaks.sum(dim=1)
    mean = ((torch.sigmoid(logits) * trials).sum(dim=1) / n).clamp(SMALLEST_MEAN, 1 - SMALLEST_MEAN)
    precision = log_precision.exp().clamp(LEAST_PRECISION, GREATEST_PRECISION)
    alpha, beta = mean * precision, (1 - mean) * precision
    choose = torch.lgamma(n + 1) - torch.lgamma(k + 1) - torch.lgamma(n - k + 1)
    return -(choose + _log_beta(k + alpha, n - k + beta) - _log_beta(alpha, beta)).mean()


def _log_beta(a: Tensor, b: Tensor) -> Tensor:
    import torch

    return torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b)
