"""Holds the way from a declared predictor to an unfitted one: every kind there is, on one visible list.

Never reads a study file (see ``study``), and never trains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from glass_pipeline.domain.predictors.baselines.amortised_irt import AmortisedIrt
from glass_pipeline.domain.predictors.baselines.base_pass_rate import BasePassRate
from glass_pipeline.domain.predictors.baselines.bertpe import BertPe
from glass_pipeline.domain.predictors.baselines.complexity import ComplexityRank, ComplexityRidge
from glass_pipeline.domain.predictors.baselines.embedding_entropy import EmbeddingEntropy
from glass_pipeline.domain.predictors.baselines.embedding_ridge import EmbeddingRidge
from glass_pipeline.domain.predictors.baselines.family_composition import FamilyComposition
from glass_pipeline.domain.predictors.baselines.prompt_clarity import KlClarity, PromptClarity
from glass_pipeline.domain.predictors.baselines.random_order import RandomOrder
from glass_pipeline.domain.predictors.baselines.score_predictor import ScorePredictor
from glass_pipeline.domain.predictors.baselines.specificity_ief import SpecificityIef
from glass_pipeline.domain.predictors.baselines.surface_gbt import SurfaceGbt
from glass_pipeline.domain.predictors.baselines.text_length import TextLength
from glass_pipeline.domain.predictors.baselines.twin_distance import TwinDistance
from glass_pipeline.domain.predictors.baselines.vap3 import Vap3
from glass_pipeline.domain.predictors.config import (
    BERT_BASELINE,
    FINE_TUNED,
    EncoderConfig,
    FrailPiConfig,
    Lora,
    Loss,
    Recipe,
)
from glass_pipeline.domain.predictors.contrast_config import FROZEN
from glass_pipeline.domain.predictors.ensemble import Ensemble
from glass_pipeline.domain.predictors.frail_contrast import FrailContrast
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.frail_pi_encoder import FrailPiEncoder
from glass_pipeline.domain.predictors.jobs import PredictorError
from glass_pipeline.domain.predictors.predictor import Predictor

TRAINED_ENCODER = "encoder"
FRAIL_PI = "frail_pi"
CONTRAST = "contrast"
DEFAULT_FEATURES = "tfidf_svd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What glass.toml says of a predictor; a kind reads only what concerns it."""

    name: str
    kind: str
    """``frail_pi``, or a baseline of ``KINDS``."""
    features: str = DEFAULT_FEATURES
    """Frozen features, or ``encoder``: one that is trained."""
    arch: str = "dose"
    """``dose``, or ``contrast``: base and twins in one tower, trained in two stages."""
    head: str = "single"
    """Of ``contrast``: ``single`` reads the base alone, ``contrast`` the planned twins too."""
    loss: Loss = "bce"
    contrast_weight: float = 0.0
    family_heads: bool = False
    composition: str = "suite"
    starts: int = 1
    encoder: str = "minilm"
    lora: bool = False
    device: str = "cpu"
    epochs: int | None = None
    """None: the recipe's own."""

    @property
    def variant(self) -> str:
        """The kind, and the features where they are not the default, e.g. ``frail_pi:encoder``."""
        return self.kind if self.features == DEFAULT_FEATURES else f"{self.kind}:{self.features}"


KINDS: Mapping[str, Callable[[Declared], Predictor]] = {
    "random": lambda _: RandomOrder(),
    "text_length": lambda _: TextLength(),
    "declared_complexity": lambda _: ComplexityRank(),
    "complexity_ridge": lambda _: ComplexityRidge(),
    "base_pass_rate": lambda _: BasePassRate(),
    "surface_gbt": lambda _: SurfaceGbt(),
    "family_composition": lambda _: FamilyComposition(),
    "embedding_ridge": lambda declared: EmbeddingRidge(declared.features),
    "score_predictor": lambda _: ScorePredictor(),
    "amortised_irt": lambda _: AmortisedIrt(),
    "twin_distance": lambda _: TwinDistance(),
    "prompt_clarity": lambda _: PromptClarity(),
    "kl_clarity": lambda _: KlClarity(),
    "embedding_entropy": lambda _: EmbeddingEntropy(),
    "specificity_ief": lambda _: SpecificityIef(),
    "bertpe": lambda declared: BertPe(_encoder(declared, "cls"), _recipe(declared, BERT_BASELINE)),
    "vap3": lambda declared: Vap3(_encoder(declared, "cls"), _recipe(declared, BERT_BASELINE)),
    FRAIL_PI: lambda declared: _frail_pi(declared),
}
"""Every kind of predictor, and how one is made from what is declared of it."""


def make_predictor(declared: Declared) -> Predictor:
    """Return an unfitted predictor.

    Raises:
        PredictorError: there is no such kind.
    """
    if declared.kind not in KINDS:
        raise PredictorError(f"predictor {declared.name!r}: no kind {declared.kind!r}; there are {', '.join(KINDS)}.")
    return KINDS[declared.kind](declared)


def trains_encoder(declared: Declared) -> bool:
    """Return whether a predictor trains an encoder, which gains from every core; heads on frozen features do not."""
    return declared.features == TRAINED_ENCODER or declared.kind in {"bertpe", "vap3"}


def _frail_pi(declared: Declared) -> Predictor:
    def one() -> Predictor:
        if declared.arch == CONTRAST:
            return _contrast(declared)
        if declared.features == TRAINED_ENCODER:
            return FrailPiEncoder(_config(declared, FINE_TUNED), _encoder(declared, "mean"), name=declared.name)
        return FrailPi(_config(declared, Recipe()), name=declared.name)

    return one() if declared.starts == 1 else Ensemble(one, members=declared.starts, name=declared.name)


def _contrast(declared: Declared) -> FrailContrast:
    config = replace(FROZEN, features=declared.features, second=_recipe(declared, FROZEN.second))
    return FrailContrast(config, head="contrast" if declared.head == CONTRAST else "single", name=declared.name)


def _config(declared: Declared, recipe: Recipe) -> FrailPiConfig:
    return FrailPiConfig(
        features=declared.features,
        loss=declared.loss,
        contrast_weight=declared.contrast_weight,
        family_heads=declared.family_heads,
        composition="job" if declared.composition == "job" else "suite",
        recipe=_recipe(declared, recipe),
    )


def _recipe(declared: Declared, recipe: Recipe) -> Recipe:
    return recipe if declared.epochs is None else replace(recipe, epochs=declared.epochs)


def _encoder(declared: Declared, pooling: str) -> EncoderConfig:
    return EncoderConfig(
        source=declared.encoder,
        pooling="cls" if pooling == "cls" else "mean",
        lora=Lora() if declared.lora else None,
        device=declared.device,
    )
