"""Holds how a problem text becomes a vector, one way a file, and the visible list of ways.

Never sees a label: features are fitted on training texts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glass_pipeline.domain.predictors.features.featurizer import FeatureState, Featurizer
from glass_pipeline.domain.predictors.features.hashing import Hashing
from glass_pipeline.domain.predictors.features.minilm import MiniLM
from glass_pipeline.domain.predictors.features.surface import Surface
from glass_pipeline.domain.predictors.features.tfidf_svd import TfidfSvd
from glass_pipeline.domain.predictors.jobs import PredictorError

__all__ = ["FEATURIZERS", "FeatureState", "Featurizer", "make_featurizer", "restore_featurizer"]

FEATURIZERS: Mapping[str, Callable[[], Featurizer]] = {
    "tfidf_svd": TfidfSvd,
    "surface": Surface,
    "hashing": Hashing,
    "minilm": MiniLM,
}


def make_featurizer(name: str) -> Featurizer:
    """Return a new featurizer.

    Raises:
        PredictorError: there is none of this name.
    """
    if name not in FEATURIZERS:
        raise PredictorError(f"features: {name!r} is unknown; choose among {', '.join(FEATURIZERS)}.")
    return FEATURIZERS[name]()


def restore_featurizer(state: FeatureState) -> Featurizer:
    """Return the fitted featurizer that a state was taken from.

    Raises:
        PredictorError: there is none of this name.
    """
    return make_featurizer(state.name).restored(state)
