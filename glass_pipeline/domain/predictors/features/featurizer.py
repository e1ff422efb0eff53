"""Holds what every featurizer is, and the state that a fitted one is stored as: arrays and plain values.

Never pickles: a stored model must be safe to open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class FeatureState(NamedTuple):
    """A fitted featurizer, ready to be stored."""

    name: str
    arrays: Mapping[str, Floats]
    texts: Mapping[str, Sequence[str]]
    """Lists of texts, such as a vocabulary."""


class Featurizer(Protocol):
    """Maps texts to vectors."""

    name: str

    def fit(self, texts: Sequence[str]) -> Self:
        """Learn from training texts."""
        ...

    def transform(self, texts: Sequence[str]) -> Floats:
        """Return one vector a text, shape ``[J, d]``."""
        ...

    def state(self) -> FeatureState:
        """Return what ``restored`` needs."""
        ...

    def restored(self, state: FeatureState) -> Self:
        """Return the featurizer of a state."""
        ...
