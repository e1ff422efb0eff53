"""The comparison suite: one inert sentence in the last safe place."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins.distractors import DistractorIndex
from glass_pipeline.domain.twins.gsm_ic import TEMPLATES, GsmIc
from glass_pipeline.domain.twins.operator import Declined, Draw
from glass_pipeline.domain.twins.quantities import values

MakeProblem = Callable[..., Problem]

GSM_IC = GsmIc()
TEXT = "Susan has 13 pens. She buys 2. How many pens has Susan?"
DRAW = Draw(quota=20, dose=9, distractors=DistractorIndex(()), rng=random.Random(3))


def test_twenty_twins_of_one_sentence_each(make_problem: MakeProblem) -> None:
    """Whatever the dose, there are 20 distinct twins with one sentence right before the question."""
    edits = GSM_IC.edits(make_problem(TEXT, gold="15"), DRAW)

    assert len({edit.text for edit in edits}) == 20
    for edit in edits:
        assert edit.inject_size == 1
        assert edit.text.startswith("Susan has 13 pens. She buys 2. ")
        assert edit.text.endswith(". How many pens has Susan?")
        assert GSM_IC.undo(edit.text, edit.record) == TEXT


def test_inert_numbers_are_new(make_problem: MakeProblem) -> None:
    """Neither the gold value nor a given value is the inert number."""
    edits = GSM_IC.edits(make_problem(TEXT, gold="15"), DRAW)

    stated = {value for edit in edits for value in values(edit.record["inserted"][0]["text"])}
    assert not stated & {13, 15, 2}


def test_a_text_about_every_template_is_declined(make_problem: MakeProblem) -> None:
    """Where each template touches on the problem's own things, nothing is inert."""
    things = " ".join(taken[0] for _, taken in TEMPLATES)

    with pytest.raises(Declined, match="no inert sentence"):
        GSM_IC.edits(make_problem(f"Susan has 3 things: {things} number. How many has Susan?"), DRAW)
