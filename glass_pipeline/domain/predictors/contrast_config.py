"""Holds the settings of the contrast architecture, and the published and our own recipes as named records.

Never holds a default of the study (see ``glass.toml``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from glass_pipeline.domain.predictors.config import Recipe

TRIPLETS = Recipe(epochs=60, patience=60, jobs_per_batch=64)
LABELS = Recipe()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastConfig:
    """One tower for bases and twins, a contrast head on h - h', a single-tower head on h, and a complexity projection.

    Source: methods §5.7.
    """

    features: str = "tfidf_svd"
    hidden: int = 64
    complexity: int = 32
    """Rows of the projection on which base and twin should agree."""
    dropout: float = 0.25
    contrast_layers: int = 2
    single_layers: int = 2
    margin: float = 0.5
    loss: Literal["bce", "huber"] = "bce"
    """bce: breaks and break rates (Frail-pi); huber: score differences (Frail-tau)."""
    huber_delta: float = 0.1
    contrast_weight: float = 1.0
    """Weight of the twin term; 0 leaves the single-tower head alone."""
    invariance_weight: float = 0.0
    """lambda_inv."""
    context: Literal["none", "pair"] = "none"
    """pair: the contrast head also reads [h; h']."""
    first: Recipe = TRIPLETS
    """Stage 1, triplets without labels; 0 epochs leave it out."""
    second: Recipe = LABELS
    """Stage 2, labels."""


FROZEN = ContrastConfig()
"""Ours, for frozen features of real suites: the published 1,000 epochs are cut by the validation jobs."""
SYNTH = ContrastConfig(
    features="minilm",
    hidden=256,
    complexity=64,
    dropout=0.15,
    contrast_layers=3,
    single_layers=4,
    loss="huber",
    huber_delta=0.05,
    invariance_weight=1.5,
    first=Recipe(epochs=150, patience=150, jobs_per_batch=128),
    second=Recipe(epochs=400, patience=400, jobs_per_batch=128, learning_rate=3e-4, weight_decay=1e-4),
)
"""Published recipe of Synth-CD on frozen MiniLM."""


def contrast_config(record: Mapping[str, Any]) -> ContrastConfig:
    """Return the settings of a stored record.

    Raises:
        KeyError, TypeError: a setting is missing or unknown.
    """
    return ContrastConfig(**{**record, "first": Recipe(**record["first"]), "second": Recipe(**record["second"])})
