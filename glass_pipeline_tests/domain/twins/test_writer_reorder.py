"""Reorderings that somebody wrote: the same sentences, each once, the question last."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins import OPERATORS
from glass_pipeline.domain.twins.writer_reorder import n_orders, recovered_reordering
from glass_pipeline.domain.twins.writer_text import Unfaithful

SETUP = ("Susan has 3 pens.", "Peter has 4 pens.", "Oscar’s box holds 5 pens.")
QUESTION = "How many pens are there?"
TEXT = "  ".join(SETUP) + "\n" + QUESTION


@given(st.permutations(SETUP))
def test_every_order_is_recovered(make_problem: Callable[..., Problem], setup: list[str]) -> None:
    """Whatever white space the writer used, the twin has the base's, and undo gives the base back."""
    problem = make_problem(TEXT)
    written = " ".join([*setup, QUESTION]).replace("’", "'")
    if tuple(setup) == SETUP:
        with pytest.raises(Unfaithful, match="leaves every sentence in its place"):
            recovered_reordering(problem, written)
        return

    edit = recovered_reordering(problem, written)

    assert edit.text == "  ".join(setup) + "\n" + QUESTION
    assert OPERATORS["sentence_reorder"].undo(edit.text, edit.record) == TEXT


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (f"{SETUP[1]} {SETUP[0]} {QUESTION}", "lacks a sentence of the problem: Oscar's"),
        (f"{SETUP[1]} {SETUP[0]} {SETUP[0]} {SETUP[2]} {QUESTION}", "has it twice: Susan"),
        (f"{SETUP[1]} Susan owns 3 pens. {SETUP[2]} {QUESTION}", "does not have, or has it twice: Susan owns"),
        (f"{SETUP[1]} {SETUP[0]} {QUESTION} {SETUP[2]}", "moves the question"),
        (f"{SETUP[1]} {SETUP[0]} {SETUP[2]} {QUESTION} Good luck!", "does not have, or has it twice: Good luck"),
        (SETUP[1].removesuffix("."), "does not have"),
        ("x" * 30_000, "far longer"),
    ],
    ids=["lost", "twice", "reworded", "question moved", "more", "cut", "endless"],
)
def test_anything_else_is_refused(make_problem: Callable[..., Problem], written: str, reason: str) -> None:
    """A reworded, lost or added sentence is no reordering."""
    with pytest.raises(Unfaithful, match=reason):
        recovered_reordering(make_problem(TEXT), written)


def test_equal_sentences_change_places(make_problem: Callable[..., Problem]) -> None:
    """A sentence that stands twice in the base stands twice in the twin, and either place is as good as the other."""
    text = "Susan ran 3 miles. Peter ran 3 miles too! Susan ran 3 miles. How many miles is that?"

    edit = recovered_reordering(
        make_problem(text), "Peter ran 3 miles too! Susan ran 3 miles. Susan ran 3 miles. How many miles is that?"
    )

    assert OPERATORS["sentence_reorder"].undo(edit.text, edit.record) == text


def test_orders_are_counted() -> None:
    """Three sentences have six orders; beyond six sentences nobody counts."""
    assert n_orders(3) == len(list(permutations(range(3))))
    assert n_orders(7) == n_orders(30) == 720
