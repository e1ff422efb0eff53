"""Holds the check of a reordering that somebody wrote: the same sentences, each once, the question where it was.

Never accepts a sentence that was reworded on the way.
"""

from __future__ import annotations

import math

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins.operator import Edit
from glass_pipeline.domain.twins.segmentation import sentences_of
from glass_pipeline.domain.twins.sentence_reorder import reordered, setup_size
from glass_pipeline.domain.twins.writer_text import Unfaithful, check_written_length, squeezed

MOST_COUNTED = 6
"""Sentences whose orders are counted; more have more orders than anybody asks for."""


def n_orders(n_sentences: int) -> int:
    """Return how many orders so many sentences have, at most those of ``MOST_COUNTED``."""
    return math.factorial(min(n_sentences, MOST_COUNTED))


def recovered_reordering(problem: Problem, text: str) -> Edit:
    """Return the reordering that a written text makes of its base.

    Raises:
        Unfaithful: a sentence is changed, missing, new or twice, the question moved, or nothing did.
        Declined: the base has no question at its end, or too little before it.
    """
    check_written_length(problem.text, text)
    sentences = sentences_of(problem.text, latex=problem.answer_type == "math")
    n_setup = setup_size(sentences)
    order = _order_of([squeezed(sentence.core) for sentence in sentences], squeezed(text))
    if order[n_setup:] != tuple(range(n_setup, len(sentences))):
        raise Unfaithful("moves the question")
    if order == tuple(range(len(sentences))):
        raise Unfaithful("leaves every sentence in its place")
    return reordered(sentences, order[:n_setup])


def _order_of(cores: list[str], text: str) -> tuple[int, ...]:
    """Return the index of each sentence in the order of a text; of two that fit, the longer one is meant."""
    order: list[int] = []
    unused = dict(enumerate(cores))
    while text:
        fitting = [index for index, core in unused.items() if _opens_with(text, core)]
        if not fitting:
            raise Unfaithful("has a sentence that the problem does not have, or has it twice", text)
        index = max(fitting, key=lambda each: (len(cores[each]), -each))
        text = text[len(unused.pop(index)) :].lstrip()
        order.append(index)
    if unused:
        raise Unfaithful("lacks a sentence of the problem", next(iter(unused.values())))
    return tuple(order)


def _opens_with(text: str, core: str) -> bool:
    return text.startswith(core) and text[len(core) : len(core) + 1] in ("", " ")
