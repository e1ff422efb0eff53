"""Holds what Frail-pi is measured against, one baseline a file, and the visible list of all.

Never holds what needs weights in its list: see ``embedding_ridge``, ``bertpe`` and ``vap3``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glass_pipeline.domain.predictors.baselines.amortised_irt import AmortisedIrt
from glass_pipeline.domain.predictors.baselines.base_pass_rate import BasePassRate
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
from glass_pipeline.domain.predictors.predictor import Predictor

BASELINES: Mapping[str, Callable[[], Predictor]] = {
    "random": RandomOrder,
    "text length": TextLength,
    "declared complexity": ComplexityRank,
    "complexity ridge": ComplexityRidge,
    "base pass rate": BasePassRate,
    "surface GBT": SurfaceGbt,
    "family composition": FamilyComposition,
    "TF-IDF ridge": lambda: EmbeddingRidge("tfidf_svd", name="TF-IDF ridge"),
    "score predictor": ScorePredictor,
    "amortised IRT": AmortisedIrt,
    "twin distance": TwinDistance,
    "prompt clarity": PromptClarity,
    "prompt clarity (kl)": KlClarity,
    "embedding entropy": EmbeddingEntropy,
    "specificity IEF (our reading)": SpecificityIef,
}
"""Rows of methods §7 that need no download; the embedding probe is ``EmbeddingRidge("minilm", ...)``."""

__all__ = ["BASELINES", "EmbeddingRidge"]
