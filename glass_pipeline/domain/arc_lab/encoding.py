"""Holds the step from items to token ids: rows to train on, and prompts with their answers to score.

Never knows a tokenizer's library: a tokenizer is a function from text to ids, without special tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import ChoiceItem
from glass_pipeline.domain.arc_lab.prompt import answer_text, prompt_for

Encode = Callable[[str], list[int]]
UNSUPERVISED = -100
"""Label of a token that adds nothing to the loss."""


class TrainingRow(NamedTuple):
    """Token ids of prompt, right answer and end of text, and what of them is learned."""

    input_ids: tuple[int, ...]
    labels: tuple[int, ...]


class EncodedItem(NamedTuple):
    """Token ids of an item's prompt, not truncated, and of its answers."""

    id: str
    prompt: tuple[int, ...]
    answers: tuple[tuple[int, ...], ...]

    def prompt_before(self, choice: int, max_length: int) -> tuple[int, ...]:
        """Return the part of the prompt that an answer leaves room for."""
        return self.prompt[: max_length - len(self.answers[choice])]


def training_row(item: ChoiceItem, encode: Encode, *, eos: int, max_length: int) -> TrainingRow:
    """Encode an item with its right answer.

    The prompt is cut to ``max_length - answer - 1`` ids; answer and end of text are supervised, the prompt is not.

    Args:
        item: What to learn.
        encode: Text to ids.
        eos: Id of the end of text.
        max_length: Ids of the whole row at most.

    Raises:
        LabError: the answer has no token, or leaves no room for a prompt.

    Source: methods §10.1.
    """
    answer = _answer_ids(item, item.choices[item.answer_index], encode, max_length - 1)
    prompt = encode(prompt_for(item))[: max_length - len(answer) - 1]
    return TrainingRow(input_ids=(*prompt, *answer, eos), labels=(*(UNSUPERVISED for _ in prompt), *answer, eos))


def encoded_item(item: ChoiceItem, encode: Encode, *, max_length: int) -> EncodedItem:
    """Encode an item's prompt and all its answers.

    Raises:
        LabError: an answer has no token, or leaves no room for a prompt.
    """
    answers = tuple(tuple(_answer_ids(item, choice, encode, max_length)) for choice in item.choices)
    prompt = tuple(encode(prompt_for(item)))
    if not prompt:
        raise LabError(f"Tokenized prompt is empty for {item.id}; use the tokenizer that belongs to the model.")
    return EncodedItem(item.id, prompt, answers)


def _answer_ids(item: ChoiceItem, choice: str, encode: Encode, room: int) -> list[int]:
    found = encode(answer_text(choice))
    if not found:
        raise LabError(
            f"Tokenized answer is empty for {item.id}: the tokenizer has no token for {choice[:40]!r}; make the splits "
            "again with `glass arc clean --data` and `glass arc prepare`."
        )
    if len(found) >= room:
        raise LabError(
            f"An answer of {item.id} has {len(found)} tokens, which leaves no room for its prompt; raise --max-length "
            f"above {len(found) + 1}."
        )
    return found
