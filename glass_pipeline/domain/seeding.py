"""Holds the only makers of random generators: every draw is seeded from names, never from order.

Never holds a generator of its own, so two processes can share nothing by accident.
"""

from __future__ import annotations

import hashlib
import random

import numpy as np


def seed_of(*names: str | int) -> int:
    """Return the 128-bit seed that belongs to a path of names.

    Args:
        *names: What is drawn, from the study down to the item, e.g. ``(42, "gsm8k", "gsm8k-test-7", "m3")``.

    Returns:
        An integer in [0, 2^128), the same in every process and on every platform.
    """
    # The unit separator cannot occur in a slug, so ("a", "bc") and ("ab", "c") stay apart.
    digest = hashlib.sha256("\x1f".join(str(name) for name in names).encode()).digest()
    return int.from_bytes(digest[:16], "big")


def child_rng(*names: str | int) -> random.Random:
    """Return the standard-library generator that belongs to a path of names."""
    return random.Random(seed_of(*names))


def child_generator(*names: str | int) -> np.random.Generator:
    """Return the numpy generator that belongs to a path of names."""
    return np.random.default_rng(seed_of(*names))


def unit_interval(*names: str | int) -> float:
    """Return the one uniform draw in [0, 1) that belongs to a path of names."""
    return (seed_of(*names) >> 75) / 2**53
