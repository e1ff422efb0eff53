"""Holds the settings of Frail-pi: architecture, loss, recipe and what it reads, as one frozen record each.

Never holds a default of the study (see ``glass.toml``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

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
    schedule: Literal["cosine", "linear"] = "cosine"
    """How the learning rate falls to 0 after the warm-up."""
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


def frail_pi_config(record: Mapping[str, Any]) -> FrailPiConfig:
    """Return the settings of a stored record.

    Raises:
        KeyError, TypeError: a setting is missing or unknown.
    """
    recipe, twins = Recipe(**record["recipe"]), tuple(record["worst_case_twins"])
    return FrailPiConfig(**{**record, "recipe": recipe, "worst_case_twins": twins})


@dataclass(frozen=True, slots=True, kw_only=True)
class Lora:
    """Low-rank adapters on the attention's query and value, trained instead of the encoder's own weights.

    Source: methods §5.1; the source gives none for encoders.
    """

    rank: int = 8
    alpha: int = 16
    dropout: float = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderConfig:
    """Which encoder is fine-tuned, and how."""

    source: str = "minilm"
    """``minilm`` (the wheel), a folder, or the id of a model that lies in the local hub cache."""
    pooling: Literal["mean", "cls"] = "mean"
    longest: int = 512
    """Tokens; what is longer is cut, the longer text of a pair first."""
    lora: Lora | None = None
    device: str = "cpu"
    """``cpu``, ``cuda`` (in bfloat16) or ``mps``."""


def encoder_config(record: Mapping[str, Any]) -> EncoderConfig:
    """Return the settings of a stored record.

    Raises:
        KeyError, TypeError: a setting is missing or unknown.
    """
    lora = record["lora"]
    return EncoderConfig(**{**record, "lora": None if lora is None else Lora(**lora)})


FINE_TUNED = Recipe(epochs=20, patience=5)
"""Published recipe of ``arch = "dose"`` with a fine-tuned encoder (methods §5.2)."""
BERT_BASELINE = Recipe(
    epochs=2,
    jobs_per_batch=16,
    learning_rate=2.35e-5,
    encoder_learning_rate=2.35e-5,
    warm_up=0.0,
    schedule="linear",
)
"""Published recipe of BERTPE and VAP3 (methods §7.1)."""
