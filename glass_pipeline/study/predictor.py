"""Holds what a ``[[predictors]]`` entry of glass.toml may say.

Never makes a predictor (see ``domain.predictors.declared``), and knows nothing of suites and solvers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, field_validator, model_validator

from glass_pipeline.study.record import Record, Slug

PredictorKind = Literal[
    "frail_pi",
    "random",
    "text_length",
    "declared_complexity",
    "complexity_ridge",
    "base_pass_rate",
    "surface_gbt",
    "family_composition",
    "embedding_ridge",
    "score_predictor",
    "amortised_irt",
    "twin_distance",
    "prompt_clarity",
    "kl_clarity",
    "embedding_entropy",
    "specificity_ief",
    "bertpe",
    "vap3",
]
_ENCODER_KEYS = frozenset({"encoder", "lora", "device", "epochs"})
PREDICTOR_KEYS: Mapping[str, frozenset[str]] = {
    "frail_pi": frozenset(
        {"arch", "head", "features", "loss", "contrast_weight", "family_heads", "composition", "starts"}
    )
    | _ENCODER_KEYS,
    "embedding_ridge": frozenset({"features"}),
    "bertpe": _ENCODER_KEYS,
    "vap3": _ENCODER_KEYS,
}
"""Keys that a kind reads beside name, kind, slice and seeds."""

CONTRAST_LACKS = frozenset({"loss", "contrast_weight", "family_heads", "composition", "encoder", "lora", "device"})
"""Keys of frail_pi that only arch dose reads."""


class Predictor(Record):
    """One way of telling how fragile an item is before its twins are solved: Frail-π, or a baseline."""

    name: Slug
    kind: PredictorKind
    slice: Literal["pooled", "m1", "m3", "m5", "m7", "m9"] = "pooled"
    """Twins whose break rate is learned and scored: of all doses, or of one."""
    seeds: tuple[int, ...] = Field(default=(0, 1, 2, 3, 4), min_length=1)
    """Seeds of splits and of training, 0 to 9."""
    features: Literal["tfidf_svd", "surface", "hashing", "minilm", "encoder"] = "tfidf_svd"
    """``encoder``: one that is trained with the head, see ``encoder`` and ``lora``."""
    arch: Literal["dose", "contrast"] = "dose"
    """contrast: base and twins in one tower, trained on triplets first; on frozen features."""
    head: Literal["single", "contrast"] = "single"
    """Of arch contrast: single reads the base alone, contrast the planned twins too."""
    loss: Literal["bce", "per_job_mean", "reliability_weighted", "soft_rank", "beta_binomial"] = "bce"
    contrast_weight: float = Field(default=0.0, ge=0)
    family_heads: bool = False
    composition: Literal["suite", "job"] = "suite"
    """``job`` weighs doses and families as the job's own twins are planned."""
    starts: int = Field(default=1, ge=1, le=20)
    """Trainings from different starts whose rates are averaged."""
    encoder: str = "minilm"
    """``minilm`` (the wheel), a folder, or a model of the local hub cache."""
    lora: bool = False
    device: str = "cpu"
    epochs: int | None = Field(default=None, ge=1)
    """None: the recipe's own."""

    @field_validator("seeds")
    @classmethod
    def _distinct_seeds(cls, seeds: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(seeds)) != len(seeds) or not set(seeds) <= set(range(10)):
            raise ValueError("seeds are distinct whole numbers from 0 to 9")
        return tuple(sorted(seeds))

    @model_validator(mode="after")
    def _only_keys_that_it_reads(self) -> Predictor:
        ignored = (
            self.model_fields_set - {"name", "kind", "slice", "seeds"} - PREDICTOR_KEYS.get(self.kind, frozenset())
        )
        if ignored:
            raise ValueError(
                f"predictor {self.name!r}: kind {self.kind} does not read {sorted(ignored)[0]!r}; remove it"
            )
        wrong = CONTRAST_LACKS if self.arch == "contrast" else frozenset({"head"})
        if self.model_fields_set & wrong or (self.arch == "contrast" and self.features == "encoder"):
            key = next(iter(sorted(self.model_fields_set & wrong)), "features = encoder")
            raise ValueError(f"predictor {self.name!r}: arch {self.arch} does not read {key!r}; remove it")
        if self.features == "encoder" and self.kind != "frail_pi":
            raise ValueError(f"predictor {self.name!r}: only frail_pi trains an encoder; take frozen features")
        return self
