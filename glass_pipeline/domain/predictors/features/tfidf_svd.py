"""Holds TF-IDF of words and word pairs, reduced by a singular value decomposition and scaled to length 1.

Never sees a text outside the training jobs when it is fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from glass_pipeline.domain.predictors.features.featurizer import FeatureState, Floats
from glass_pipeline.domain.predictors.jobs import PredictorError
from glass_pipeline.domain.seeding import seed_of

MOST_TERMS = 20_000
FEWEST_TEXTS_WITH_TERM = 2
MOST_COMPONENTS = 256


class TfidfSvd:
    """Word 1-2-grams, sublinear tf, min_df 2, at most 20,000 terms and 256 components.

    Source: methods §5.1.
    """

    name = "tfidf_svd"

    def __init__(self) -> None:
        self._terms: tuple[str, ...] = ()
        self._idf: Floats = np.zeros(0)
        self._components: Floats = np.zeros((0, 0))

    def fit(self, texts: Sequence[str]) -> Self:
        """Learn vocabulary, document frequencies and components.

        Raises:
            PredictorError: fewer than three terms occur in two texts.
        """
        vectorizer = TfidfVectorizer(
            ngram_range=(1, 2), sublinear_tf=True, min_df=FEWEST_TEXTS_WITH_TERM, max_features=MOST_TERMS
        )
        try:
            weights = vectorizer.fit_transform(texts)
        except ValueError:
            weights = None
        if weights is None or min(weights.shape) < 3:
            raise PredictorError(
                f"tfidf_svd: {len(texts)} training texts share too few words; train on more jobs or take hashing."
            )
        components = min(MOST_COMPONENTS, min(weights.shape) - 1)
        svd = TruncatedSVD(components, random_state=seed_of("tfidf_svd") % 2**32).fit(weights)
        self._terms = tuple(vectorizer.get_feature_names_out().tolist())
        self._idf = vectorizer.idf_.astype(np.float64)
        self._components = svd.components_.astype(np.float64)
        return self

    def transform(self, texts: Sequence[str]) -> Floats:
        """Return unit vectors, shape ``[J, d]``; zero for a text without a known term."""
        vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, vocabulary=list(self._terms))
        vectorizer.idf_ = self._idf
        weights = vectorizer.transform(texts)
        return np.asarray(normalize(weights @ self._components.T), dtype=np.float64)

    def state(self) -> FeatureState:
        """Return vocabulary, document frequencies and components."""
        return FeatureState(self.name, {"idf": self._idf, "components": self._components}, {"terms": self._terms})

    def restored(self, state: FeatureState) -> Self:
        """Return the featurizer of a state."""
        restored = type(self)()
        restored._terms = tuple(state.texts["terms"])
        restored._idf, restored._components = state.arrays["idf"], state.arrays["components"]
        return restored
