"""Holds the seeding of one training run, and the putting back of whatever it disturbed.

Never leaves a trace: the generators and the switch are as before when the run is over.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np


@contextmanager
def reproducible(seed: int) -> Iterator[None]:
    """Seed every generator that training may draw from, and forbid operations without a fixed result.

    PyTorch and its libraries offer no generator of their own for initial values and dropout, so the global ones are
    seeded here, as the lab does, and restored afterwards. On CUDA the variable ``CUBLAS_WORKSPACE_CONFIG=:4096:8``
    must be set before the first operation.

    Args:
        seed: From 0 to 2^32 - 1.

    Source: methods §10.1.
    """
    import torch

    drawn, drawn_by_numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    strict, warns = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    with torch.random.fork_rng(device_type="cuda"):
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        torch.manual_seed(seed)
        torch.use_deterministic_algorithms(True)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(strict, warn_only=warns)
            random.setstate(drawn)
            np.random.set_state(drawn_by_numpy)  # noqa: NPY002
