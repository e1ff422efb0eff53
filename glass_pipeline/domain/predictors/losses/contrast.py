"""Holds the within-job contrast: of two twins of one job, the one that broke should have the higher logit.

Never compares twins of different jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def contrast(logits: Tensor, breaks: Tensor, trials: Tensor) -> Tensor:
    """Return the mean over within-job pairs with B_t != B_t' of softplus(-(z_t - z_t')(B_t - B_t')).

    Twins of one cell share their logit, so the pairs of a broken twin in cell c with an unbroken one in cell
    d number k_c (n_d - k_d). 0 where no job has both.

    Args:
        logits: z, shape ``[J, C]``.
        breaks: k, shape ``[J, C]``.
        trials: n, shape ``[J, C]``.

    Source: methods §5.3.
    """
    from torch.nn.functional import softplus

    pairs = breaks[:, :, None] * (trials - breaks)[:, None, :]
    gaps = logits[:, :, None] - logits[:, None, :]
    return (pairs * softplus(-gaps)).sum() / pairs.sum().clamp(min=1.0)
