"""Prompt bytes, training rows and truncation as the lab has them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from glass_pipeline.domain.arc_lab.encoding import encoded_item, training_row
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import ChoiceItem
from glass_pipeline.domain.arc_lab.prompt import answer_text, prompt_for

ITEM = ChoiceItem(id="q1", question="Which is wet?", labels=("A", "B"), choices=("sand", "rain"), answer_index=1)
PROMPT = b"Question: Which is wet?\nA) sand\nB) rain\nAnswer:"
END = 999


def characters(text: str) -> list[int]:
    """One id a character."""
    return [ord(each) for each in text]


def test_the_prompt_has_real_newlines() -> None:
    """The published listing lost its backslashes; the prompt has newlines, and the answer starts with a blank."""
    assert prompt_for(ITEM).encode() == PROMPT
    assert answer_text("rain") == " rain"


def test_answer_and_end_are_supervised() -> None:
    """Labels are -100 on the prompt; nothing else is added."""
    row = training_row(ITEM, characters, eos=END, max_length=512)

    assert row.input_ids == (*PROMPT, *b" rain", END)
    assert row.labels == (*[-100] * len(PROMPT), *b" rain", END)


def test_a_long_training_prompt_loses_its_end() -> None:
    """The room is max_length - answer - 1: 20 - 5 - 1 = 14."""
    row = training_row(ITEM, characters, eos=END, max_length=20)

    assert row.input_ids == (*PROMPT[:14], *b" rain", END)


def test_a_long_scored_prompt_loses_its_end_for_each_answer() -> None:
    """The room is max_length - answer: 20 - 5 = 15, and 20 - 8 = 12 for the longer answer."""
    item = encoded_item(replace(ITEM, choices=("sand", "raining")), characters, max_length=20)

    assert item.prompt_before(0, 20) == tuple(b"Question: Which"[:15])
    assert item.prompt_before(1, 20) == tuple(b"Question: Which"[:12])


def test_an_answer_without_a_token_is_named() -> None:
    """A tokenizer may drop what it does not know."""
    with pytest.raises(LabError, match="Tokenized answer is empty for q1"):
        training_row(ITEM, lambda text: [] if text == " rain" else [1], eos=END, max_length=512)
    with pytest.raises(LabError, match="Tokenized answer is empty for q1"):
        encoded_item(ITEM, lambda text: [] if text == " sand" else [1], max_length=512)


def test_an_answer_that_leaves_no_room_is_named() -> None:
    """Without a token of the prompt the first token of the answer has no probability."""
    with pytest.raises(LabError, match="An answer of q1 has 5 tokens"):
        encoded_item(ITEM, characters, max_length=5)
    with pytest.raises(LabError, match="no room for its prompt"):
        training_row(ITEM, characters, eos=END, max_length=6)
