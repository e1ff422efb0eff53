"""Holds the network of ``arch = dose``: text vector and cell in, logit of a break out.

Never imports torch before it is built, and never trains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]


def dose_network(inputs: int, *, hidden: int, dropout: float, start_rate: float) -> torch.nn.Sequential:
    """Return dropout, Linear(inputs, hidden), GELU, dropout, Linear(hidden, 1).

    Args:
        inputs: Text dimensions and cell features together.
        hidden: Width.
        dropout: Probability.
        start_rate: Break rate of the training jobs; the output's bias starts at its logit.

    Source: methods §5.2.
    """
    from torch import nn

    out = nn.Linear(hidden, 1)
    rate = min(max(start_rate, 1e-3), 1 - 1e-3)
    nn.init.constant_(out.bias, float(np.log(rate / (1 - rate))))
    return nn.Sequential(nn.Dropout(dropout), nn.Linear(inputs, hidden), nn.GELU(), nn.Dropout(dropout), out)


def cell_logits(network: torch.nn.Module, texts: torch.Tensor, cells: torch.Tensor) -> torch.Tensor:
    """Return z of every job in every cell, shape ``[J, C]``; a text is encoded once, not once an observation.

    Args:
        network: Of ``dose_network``.
        texts: Shape ``[J, d]``.
        cells: Shape ``[C, e]``.
    """
    import torch

    jobs, conditions = texts.shape[0], cells.shape[0]
    grid = torch.cat([texts[:, None, :].expand(-1, conditions, -1), cells[None, :, :].expand(jobs, -1, -1)], dim=2)
    return torch.as_tensor(network(grid)).squeeze(2)
