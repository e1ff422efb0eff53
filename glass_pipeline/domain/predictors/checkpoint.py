"""Holds the two halves of a stored model: arrays as safetensors bytes, everything else as JSON.

Never pickles, and never opens a file: whoever stores a model writes the bytes and the text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from glass_pipeline.domain.predictors.jobs import PredictorError


class Checkpoint(NamedTuple):
    """A stored model."""

    tensors: bytes
    """For a file ``*.safetensors``."""
    description: str
    """For a JSON file beside it."""


def pack(arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any]) -> Checkpoint:
    """Return a checkpoint; equal contents give equal bytes."""
    tensors = save({name: np.ascontiguousarray(array) for name, array in sorted(arrays.items())})
    return Checkpoint(tensors, json.dumps(description, sort_keys=True, ensure_ascii=False, allow_nan=False))


def unpack(checkpoint: Checkpoint) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return arrays and description.

    Raises:
        PredictorError: either half is not what ``pack`` writes.
    """
    try:
        arrays, description = load(checkpoint.tensors), json.loads(checkpoint.description)
    except (SafetensorError, ValueError, RecursionError) as error:
        raise PredictorError(f"model: the stored model cannot be read ({error}); train it again.") from None
    if not isinstance(description, dict):
        raise PredictorError("model: the description beside the tensors is not an object; train the model again.")
    return arrays, description
