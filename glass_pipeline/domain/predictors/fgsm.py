"""Holds the fast gradient sign perturbation of word embeddings.

Never knows what the loss is of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def perturbed(embedded: torch.Tensor, gradient: torch.Tensor, mask: torch.Tensor, *, epsilon: float) -> torch.Tensor:
    """Return e + epsilon sign(g) on words and e on padding, cut off from the graph.

    Args:
        embedded: Word embeddings e, shape ``[J, L, d]``.
        gradient: g = d loss / d e, shape ``[J, L, d]``.
        mask: 1 on words, 0 on padding, shape ``[J, L]``.
        epsilon: Size of the step.

    Source: methods §7.1, after Goodfellow et al. (2015).
    """
    return (embedded + epsilon * gradient.sign() * mask.unsqueeze(-1)).detach()
