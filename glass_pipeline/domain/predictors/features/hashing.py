"""Holds hashed word counts: features that need no fitting and no vocabulary.

Never remembers a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer

from glass_pipeline.domain.predictors.features.featurizer import FeatureState, Floats

DIMENSIONS = 1024


class Hashing:
    """Word 1-2-grams hashed with sign into 1,024 counts, scaled to length 1.

    Source: methods §5.1; the number of dimensions is ours.
    """

    name = "hashing"

    def fit(self, texts: Sequence[str]) -> Self:
        """Do nothing: there is nothing to learn."""
        return self

    def transform(self, texts: Sequence[str]) -> Floats:
        """Return unit vectors, shape ``[J, 1024]``."""
        hashed = HashingVectorizer(n_features=DIMENSIONS, ngram_range=(1, 2)).transform(texts)
        return np.asarray(hashed.toarray(), dtype=np.float64)

    def state(self) -> FeatureState:
        """Return the name alone."""
        return FeatureState(self.name, {}, {})

    def restored(self, state: FeatureState) -> Self:
        """Return a new featurizer."""
        return type(self)()
