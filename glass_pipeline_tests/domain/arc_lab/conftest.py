"""A causal LM of 2 layers with random weights, a tokenizer, and a handful of invented exam items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from glass_pipeline.domain.arc_lab.encoding import training_row
from glass_pipeline.domain.arc_lab.items import ChoiceItem
from glass_pipeline.domain.arc_lab.predicting import Questions, encode_questions
from glass_pipeline.domain.arc_lab.prompt import prompt_for
from glass_pipeline.domain.arc_lab.scoring import Scorer
from glass_pipeline.domain.arc_lab.training import Material

VOCABULARY, EOS = 400, 0


class Tiny(NamedTuple):
    """A model, its tokenizer, and what to ask it."""

    model: Any
    encode: Callable[[str], list[int]]
    questions: Questions
    material: Material
    scorer: Scorer


@pytest.fixture
def items() -> tuple[ChoiceItem, ...]:
    """Twelve items of 2 to 5 choices of one word or several."""
    return tuple(
        ChoiceItem(
            id=f"sum-{number}",
            question=f"Which number of pears is left when {number + 5} pears lose {number + 2} of their number?",
            labels=tuple("ABCDE"[: 2 + number % 4]),
            choices=tuple(f"{value} pears" if value % 2 else f"exactly {value}" for value in range(2 + number % 4)),
            answer_index=number % 2,
        )
        for number in range(12)
    )


@pytest.fixture
def tiny(items: tuple[ChoiceItem, ...]) -> Tiny:
    """A GPT-NeoX whose weights come from one seed, and the items encoded for it."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import GPTNeoXConfig, GPTNeoXForCausalLM

    tokenizer = ByteLevelBPETokenizer()
    tokenizer.train_from_iterator(
        map(prompt_for, items), vocab_size=VOCABULARY, special_tokens=["<|endoftext|>"], show_progress=False
    )
    config = GPTNeoXConfig(
        vocab_size=VOCABULARY,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=512,
        initializer_range=0.3,
    )
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = GPTNeoXForCausalLM(config).eval()

    def encode(text: str) -> list[int]:
        return list(tokenizer.encode(text).ids)

    questions = encode_questions(items, encode, max_length=512)
    rows = tuple(training_row(item, encode, eos=EOS, max_length=512) for item in items)
    return Tiny(model, encode, questions, Material(rows, questions, EOS, "tiny", None), Scorer(512, "shared"))
