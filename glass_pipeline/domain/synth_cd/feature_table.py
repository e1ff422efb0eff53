"""Holds features that are looked up: what is known of a text because it was drawn.

Never computes anything from the words of a text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.features import FeatureState
from glass_pipeline.domain.predictors.jobs import PredictorError

Floats = NDArray[np.float64]


class FeatureTable:
    """Vectors by text.

    Args:
        rows: Vector of each text, all of one length.
    """

    name = "feature_table"

    def __init__(self, rows: Mapping[str, Sequence[float]]) -> None:
        self._rows = {text: tuple(float(value) for value in vector) for text, vector in rows.items()}

    def fit(self, texts: Sequence[str]) -> Self:
        """Do nothing: everything is known."""
        return self

    def transform(self, texts: Sequence[str]) -> Floats:
        """Return one vector a text, shape ``[J, d]``.

        Raises:
            PredictorError: a text is not in the table.
        """
        unknown = [text for text in texts if text not in self._rows]
        if unknown:
            raise PredictorError(f"feature table: no row for {unknown[0][:40]!r}; add it to the table.")
        return np.array([self._rows[text] for text in texts], dtype=np.float64).reshape(len(texts), -1)

    def state(self) -> FeatureState:
        """Return texts and vectors."""
        return FeatureState(self.name, {"vectors": np.array(list(self._rows.values()))}, {"texts": list(self._rows)})

    def restored(self, state: FeatureState) -> Self:
        """Return the table of a state."""
        return type(self)(dict(zip(state.texts["texts"], state.arrays["vectors"].tolist(), strict=True)))
