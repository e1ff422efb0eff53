"""A causal LM of 2 layers with random weights, its tokenizer, and a handful of invented exam items."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from glass_pipeline.domain.arc_lab.items import ChoiceItem

HIDDEN, LAYERS, VOCABULARY = 32, 2, 400


class TinyModel(NamedTuple):
    """A model in its own folder."""

    model: Any
    encode: Callable[[str], list[int]]
    eos: int
    folder: Path


def invented_items(count: int = 12) -> tuple[ChoiceItem, ...]:
    """Return arithmetic items of 2 to 5 choices of one or more words."""
    items = []
    for number in range(count):
        choices = tuple(f"{value} apples" if value % 2 else f"exactly {value}" for value in range(2 + number % 4))
        items.append(
            ChoiceItem(
                id=f"sum-{number}",
                question=f"Which is left when {number + 3} apples lose {number + 2} of their number?",
                labels=tuple("ABCDE"[: len(choices)]),
                choices=choices,
                answer_index=1,
            )
        )
    return tuple(items)


def write_tiny_model(folder: Path, texts: list[str]) -> None:
    """Write a GPT-NeoX with random weights and a byte-level tokenizer trained on texts."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import GPTNeoXConfig, GPTNeoXForCausalLM, PreTrainedTokenizerFast

    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(texts, vocab_size=VOCABULARY, special_tokens=["<|endoftext|>"], show_progress=False)
    fast = PreTrainedTokenizerFast(tokenizer_object=trained._tokenizer, eos_token="<|endoftext|>")
    fast.save_pretrained(folder)
    config = GPTNeoXConfig(
        vocab_size=VOCABULARY,
        hidden_size=HIDDEN,
        num_hidden_layers=LAYERS,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=512,
        bos_token_id=0,
        eos_token_id=0,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        GPTNeoXForCausalLM(config).save_pretrained(folder)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyModel:
    """The tiny model, loaded from its folder."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = tmp_path_factory.mktemp("tiny")
    write_tiny_model(folder, [item.question + " ".join(item.choices) for item in invented_items()])
    tokenizer = AutoTokenizer.from_pretrained(folder)

    def encode(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    return TinyModel(AutoModelForCausalLM.from_pretrained(folder), encode, tokenizer.eos_token_id, folder)
