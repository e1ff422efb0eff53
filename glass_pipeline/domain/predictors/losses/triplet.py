"""Holds the losses of the contrast architecture that need no label: triplets, and agreement on complexity.

Never looks at a break.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def triplet(anchor: Tensor, positive: Tensor, negative: Tensor, *, margin: float) -> Tensor:
    """Return the mean of max(0, |h - h+| - |h - h-| + margin) over L2-normalised vectors.

    Args:
        anchor: h, shape ``[J, d]``.
        positive: h+, a twin of each, shape ``[J, d]``.
        negative: h-, a text that asks something else, shape ``[J, d]``.
        margin: Distance by which a negative should lie farther.

    Source: methods §5.7.
    """
    from torch.nn.functional import normalize, relu

    a, p, n = (normalize(side, dim=1) for side in (anchor, positive, negative))
    return relu((a - p).norm(dim=1) - (a - n).norm(dim=1) + margin).mean()


def disagreement(base: Tensor, twin: Tensor, projection: Tensor) -> Tensor:
    """Return the mean of |P h - P h'|^2, the rows of P scaled to length 1, so that P cannot shrink to nothing.

    Args:
        base: h of each twin's base, shape ``[N, d]``.
        twin: h', shape ``[N, d]``.
        projection: P, shape ``[c, d]``.

    Source: methods §5.7.
    """
    from torch.nn.functional import normalize

    return ((base - twin) @ normalize(projection, dim=1).T).pow(2).sum(dim=1).mean()
