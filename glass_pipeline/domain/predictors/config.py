"""Holds the settings of Frail-pi: architecture, loss, recipe and what it reads, as one frozen record each.

Never holds a default of the study (see ``glass.toml``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Loss = Literal["bce", "per_job_mean", "reliability_weighted", "soft_rank", "beta_binomial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a network is trained.

    Source: methods §5.2. Its 20 epochs and patience of 5 are for a fine-tuned encoder; a network on frozen
    features takes a hundredth of the time a step, sees as little as four batches an epoch, and needs more.
    """

    epochs: int = 150
    patience: int = 25
    """Epochs without a better validation score before training stops."""
    jobs_per_batch: int = 64
    learning_rate: float = 1e-3
    encoder_learning_rate: float = 2e-5
    """Of a fine-tuned encoder, where there is one."""
    weight_decay: float = 1e-2
    warm_up: float = 0.06
    """Share of all steps over which the learning rate rises."""
    largest_gradient: float = 1.0
    """Norm at which gradients are clipped."""
    microbatch: int = 16
    """Jobs that pass through a fine-tuned encoder at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FrailPiConfig:
    """Frail-pi with ``arch = "dose"``: p(break | base text, dose), from the base text alone."""

    features: str = "tfidf_svd"
    hidden: int = 256
    dropout: float = 0.25
    loss: Loss = "bce"
    rank_weight: float = 1.0
    """lambda_r of ``soft_rank``."""
    contrast_weight: float = 0.0
    """lambda_contrast: weight of the within-job contrast term."""
    family_heads: bool = False
    """True: the family is an input beside the dose, so p(break | text, dose, family)."""
    composition: Literal["suite", "job"] = "suite"
    """How dose (and family) are weighed into pi: as in all training twins, or as the job's own twins are
    planned. The latter reads the design of the job beside its text, no twin and no outcome."""
    worst_case_twins: tuple[int, ...] = (1, 3, 5, 7, 9)
    """K_m: twins at each dose among which the worst case is asked for."""
    recipe: Recipe = Recipe()
