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


def cell_logits(network: torch.nn.Sequential, texts: torch.Tensor, cells: torch.Tensor) -> torch.Tensor:
    """Return z of every job in every cell, shape ``[J, C]``.

    Linear([x, c]) = W_x x + W_c c + bias, so a text is multiplied once a job and not once a cell. Dropout falls on x.

    Args:
        network: Of ``dose_network``.
        texts: x, shape ``[J, d]``.
        cells: c, shape ``[C, e]``.
    """
    import torch

    drop, first, *rest = network
    weight, bias = first.get_parameter("weight"), first.get_parameter("bias")
    dimensions = texts.shape[1]
    by_text = drop(texts) @ weight[:, :dimensions].T
    by_cell = cells @ weight[:, dimensions:].T + bias
    hidden = by_text[:, None, :] + by_cell[None, :, :]
    for layer in rest:
        hidden = layer(hidden)
    return torch.as_tensor(hidden).squeeze(2)
