"""Holds the trainable text encoder: loaded offline, with or without adapters, texts or pairs in, vectors out.

Never downloads weights, never imports torch or transformers before it is used, and never trains by itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from glass_pipeline.domain.predictors.config import EncoderConfig, Lora
from glass_pipeline.domain.predictors.features.minilm import weights_folder
from glass_pipeline.domain.predictors.jobs import MissingPart

if TYPE_CHECKING:
    import torch

ADAPTED = {"deberta-v2": ("query_proj", "value_proj"), "distilbert": ("q_lin", "v_lin")}
"""Names of query and value by model type; BERT and its kin call them so."""
QUERY_AND_VALUE = ("query", "value")
WORDPIECES = "input_ids"


class Encoder(NamedTuple):
    """Tokenizer and model, on the device of the settings."""

    config: EncoderConfig
    tokenizer: Any
    model: Any
    """A transformers encoder, or a peft model around one; a ``torch.nn.Module``."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self.model.config.hidden_size)


def load_encoder(config: EncoderConfig) -> Encoder:
    """Load tokenizer and weights from this machine.

    Raises:
        MissingPart: transformers or peft is not installed, or there are no such weights here.
    """
    if find_spec("transformers") is None:
        raise MissingPart("encoder: transformers is not installed; install it or take the features tfidf_svd.")
    from transformers import AutoModel, AutoTokenizer

    source: str | Path = weights_folder() if config.source == "minilm" else config.source
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, local_files_only=True)
        model = AutoModel.from_pretrained(source, local_files_only=True)
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise MissingPart(
            f"encoder: no weights of {config.source!r} on this machine ({reason}); name a folder that holds them, or "
            'take "minilm".'
        ) from None
    if config.lora is not None:
        model = _adapted(model, config.lora)
    return Encoder(config, tokenizer, model.to(config.device))


def tokens(encoder: Encoder, texts: Sequence[str], others: Sequence[str] | None = None) -> dict[str, torch.Tensor]:
    """Return the padded word pieces of texts, or of pairs of texts with their token types.

    Args:
        encoder: Of ``load_encoder``.
        texts: J texts.
        others: Second texts of J pairs; ``[CLS] text [SEP] other [SEP]``, the longer one cut first.
    """
    batch = encoder.tokenizer(
        list(texts),
        None if others is None else list(others),
        padding=True,
        truncation="longest_first",
        max_length=encoder.config.longest,
        return_tensors="pt",
    )
    return {name: values.to(encoder.config.device) for name, values in batch.items()}


def encode(encoder: Encoder, batch: dict[str, torch.Tensor], embedded: torch.Tensor | None = None) -> torch.Tensor:
    """Return one vector a text, shape ``[J, d]``, float32.

    Args:
        encoder: Of ``load_encoder``.
        batch: Of ``tokens``.
        embedded: Word embeddings to use instead of the word pieces, shape ``[J, L, d]``. The model itself adds
            those of position and type.
    """
    given = {name: values for name, values in batch.items() if embedded is None or name != WORDPIECES}
    if embedded is not None:
        given["inputs_embeds"] = embedded
    with _precision(encoder.config.device):
        hidden: torch.Tensor = encoder.model(**given).last_hidden_state
    hidden = hidden.float()
    if encoder.config.pooling == "cls":
        return hidden[:, 0]
    mask = batch["attention_mask"].unsqueeze(-1).to(hidden.dtype)
    return (hidden * mask).sum(dim=1) / mask.sum(dim=1)


def word_embeddings(encoder: Encoder, batch: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return the word embeddings alone, without position and type, shape ``[J, L, d]``."""
    embedded: torch.Tensor = encoder.model.get_input_embeddings()(batch[WORDPIECES])
    return embedded


def _adapted(model: Any, lora: Lora) -> Any:
    if find_spec("peft") is None:
        raise MissingPart("encoder: peft is not installed; install it or fine-tune without adapters.")
    from peft import LoraConfig, get_peft_model

    targets = list(ADAPTED.get(model.config.model_type, QUERY_AND_VALUE))
    settings = LoraConfig(r=lora.rank, lora_alpha=lora.alpha, lora_dropout=lora.dropout, target_modules=targets)
    with warnings.catch_warnings():
        # peft 0.21 asks transformers 5 for an attribute by its old name; nothing here depends on it.
        warnings.filterwarnings("ignore", message="`is_gradient_checkpointing`", category=FutureWarning)
        return get_peft_model(model, settings)


def _precision(device: str) -> AbstractContextManager[Any]:
    import torch

    kind = torch.device(device).type
    return torch.autocast(kind, dtype=torch.bfloat16, enabled=kind == "cuda")
