"""Holds the settings of one series of adapters, with the lab's own values as defaults.

Never holds a path, a device or anything else that two machines may do differently.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from glass_pipeline.domain.arc_lab.errors import LabError

SEEDS = (101, 211, 307, 401, 503, 601, 701, 809)
SPLITS = ("train", "validation", "test")
LARGEST_SEED = 2**32 - 1
"""The largest that numpy takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabConfig:
    """How every adapter of a series is trained; one value for all seeds, or their results may not be combined.

    Source: methods §10.1.
    """

    seeds: tuple[int, ...] = SEEDS
    """One adapter each; a seed sets LoRA's initial values, the order of the batches and dropout."""
    max_length: int = 512
    """Tokens of prompt and answer together; a longer prompt loses its end."""
    rank: int = 8
    """LoRA r."""
    alpha: int = 16
    """LoRA alpha; updates are scaled by alpha / rank."""
    dropout: float = 0.05
    """LoRA dropout in [0, 1)."""
    target_modules: tuple[str, ...] = ()
    """Modules that get an adapter; empty: those known for the model's architecture."""
    learning_rate: float = 2e-4
    """Of AdamW, without a schedule."""
    weight_decay: float = 0.01
    """Of AdamW."""
    batch_size: int = 8
    """Training rows between optimizer steps."""
    epochs: int = 3
    """Passes over the training split; the first best one on validation is kept."""
    clip_norm: float = 1.0
    """Largest norm of the gradient."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing.

        Raises:
            LabError: a value is out of its range, or a seed is repeated.
        """
        ranges = {
            "seeds": bool(self.seeds) and all(0 <= seed <= LARGEST_SEED for seed in self.seeds),
            "max_length": 8 <= self.max_length <= 1_000_000,
            "rank": 1 <= self.rank <= 4096,
            "alpha": 1 <= self.alpha <= 65_536,
            "dropout": 0 <= self.dropout < 1,
            "target_modules": all(self.target_modules),
            "learning_rate": 0 < self.learning_rate < math.inf,
            "weight_decay": 0 <= self.weight_decay < math.inf,
            "batch_size": 1 <= self.batch_size <= 65_536,
            "epochs": 1 <= self.epochs <= 10_000,
            "clip_norm": 0 < self.clip_norm < math.inf,
        }
        for name, fits in ranges.items():
            if not fits:
                raise LabError(f"{name} is {getattr(self, name)!r}, which is out of range.")
        if len(set(self.seeds)) < len(self.seeds):
            repeated = next(seed for seed in self.seeds if self.seeds.count(seed) > 1)
            raise LabError(f"Seed {repeated} is given twice; every adapter needs a seed of its own.")
