"""Injection: m foreign sentences before the question, which share no name, no gold value and no countable with it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins.distractors import DistractorIndex, harvest
from glass_pipeline.domain.twins.math_irrelevant_context import MathIrrelevantContext
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit
from glass_pipeline.domain.twins.quantities import gold_value, values

MakeProblem = Callable[..., Problem]

INJECT = MathIrrelevantContext()
TEXT = "Susan has 3 pens. Peter has 4 pens.  How many pens do Susan and Peter own?"


def inject(problem: Problem, pool: list[Distractor], *, dose: int = 1, quota: int = 20) -> tuple[Edit, ...]:
    """Ask the operator with dice that belong to the item."""
    dice = random.Random(problem.base_id)
    return INJECT.edits(problem, Draw(quota=quota, dose=dose, distractors=DistractorIndex(pool), rng=dice))


def one(text: str) -> list[Distractor]:
    """Return a pool of a single sentence."""
    return [Distractor(source_id="other", position=0, text=text)]


@pytest.mark.parametrize("dose", [1, 3, 5, 7, 9])
def test_the_dose_is_the_number_of_sentences(dose: int, make_problem: MakeProblem, pool: list[Distractor]) -> None:
    """A twin of dose m has m foreign sentences, all before the question, with the text's own white space."""
    problem = make_problem(TEXT, gold="7")

    for edit in inject(problem, pool, dose=dose):
        assert edit.inject_size == dose == len(edit.record["inserted"])
        assert edit.text.endswith("How many pens do Susan and Peter own?")
        assert not re.search(r"   |[.?]\S", edit.text)
        assert INJECT.undo(edit.text, edit.record) == TEXT


def test_sources_and_slots_are_recorded(make_problem: MakeProblem) -> None:
    """The record names the sentence, where it comes from and which sentence it stands before."""
    (edit, *_) = inject(make_problem(TEXT, gold="7"), one("Oscar has 14 red kites."))

    (inserted,) = edit.record["inserted"]
    assert inserted["source_id"] == "other"
    assert inserted["slot"] in {0, 1, 2}
    assert (
        edit.text.index("Oscar")
        == [0, len("Susan has 3 pens. "), len("Susan has 3 pens. Peter has 4 pens.  ")][inserted["slot"]]
    )


@pytest.mark.parametrize(
    ("distractor", "gold"),
    [
        ("Peter planted 31 tulips.", "7"),
        ("Oscar has 1,000 red kites.", "1000"),
        ("Oscar has 1000 red kites.", "1,000"),
        ("Oscar has twelve red kites.", "12"),
        ("Oscar has two dozen red kites.", "24"),
        ("Oscar has 7.0 pounds of flour.", "7"),
    ],
)
def test_a_shared_name_or_the_gold_value_is_never_inserted(
    distractor: str, gold: str, make_problem: MakeProblem
) -> None:
    """Names are compared without case, the gold answer as a value."""
    with pytest.raises(Declined, match="too few distractors"):
        inject(make_problem(TEXT, gold=gold), one(distractor))


def test_digits_of_a_longer_number_are_not_the_gold(make_problem: MakeProblem) -> None:
    """Gold 5 does not stand in 15."""
    assert inject(make_problem(TEXT, gold="5"), one("Oscar has 15 red kites."))


def test_a_step_of_the_gold_solution_is_never_inserted(make_problem: MakeProblem) -> None:
    """A value of the reference solution could be taken for a step."""
    problem = make_problem(TEXT, gold="7", gold_solution="Peter has 4 and 14/2=<<14/2=7>>7")

    with pytest.raises(Declined, match="too few distractors"):
        inject(problem, one("Oscar has 14 red kites."))


@pytest.mark.parametrize(
    ("question", "distractor", "fits"),
    [
        ("How many pens are there in total?", "Oscar has 14 red pens.", False),
        ("How many things are there in total?", "Oscar has 14 red kites.", False),
        ("How much did everybody spend?", "Oscar paid $67 for a lamp.", False),
        ("How much did everybody spend?", "Oscar ran 11 miles on Sunday.", True),
        ("How many pens does Susan have?", "Oscar has 14 red pens.", True),
    ],
)
def test_an_open_question_gets_nothing_that_it_would_count(
    question: str, distractor: str, fits: bool, make_problem: MakeProblem
) -> None:
    """A question that names nobody would count a newcomer's things; one about Susan would not."""
    problem = make_problem(f"Susan has 3 pens. {question}", gold="7")

    if fits:
        assert inject(problem, one(distractor))
    else:
        with pytest.raises(Declined, match="too few distractors"):
            inject(problem, one(distractor))


def test_the_question_is_read_wherever_it_stands(make_problem: MakeProblem) -> None:
    """An open question followed by a remark that names Susan is still open."""
    problem = make_problem("Susan has 3 pens. How many pens are there in total? Ask Susan.", gold="7")

    with pytest.raises(Declined, match="too few distractors"):
        inject(problem, one("Oscar has 14 red pens."))


def test_nothing_comes_between_a_pronoun_and_its_antecedent(make_problem: MakeProblem) -> None:
    """Before a sentence with an open pronoun no newcomer may stand, however far the next name is."""
    problem = make_problem("Susan has 3 pens. Pens are blue. She buys 2. How many has she?", gold="5")

    slots = {edit.record["inserted"][0]["slot"] for edit in inject(problem, one("Ingrid baked 45 rolls."))}

    assert slots == {0}


def test_a_text_that_asks_nothing_or_opens_with_a_pronoun_is_declined(
    make_problem: MakeProblem, pool: list[Distractor]
) -> None:
    """Without a question, or without a safe place, there is no injection."""
    with pytest.raises(Declined, match="no question found"):
        inject(make_problem("Susan has 3 pens."), pool)
    with pytest.raises(Declined, match="no safe position"):
        inject(make_problem("She has 3 pens. How many has she?"), pool)
    with pytest.raises(Declined, match="no distractors"):
        inject(make_problem(TEXT), [])


def test_nothing_is_inserted_behind_the_question(make_problem: MakeProblem) -> None:
    """Text after the question stays the end of the problem."""
    problem = make_problem("Susan has 3 pens. How many pens does Susan own? Pens are blue.", gold="3")

    for edit in inject(problem, one("Ingrid baked 45 rolls.")):
        assert edit.text.endswith("How many pens does Susan own? Pens are blue.")


def test_real_injections_obey_the_laws(gsm8k_test: list[Problem], gsm8k_train: list[Problem]) -> None:
    """On GSM8K no injected sentence shares a name or the gold value with its base, at any place before the question."""
    index = DistractorIndex(harvest(gsm8k_train))
    n_applicable = 0
    for problem in gsm8k_test[:400]:
        draw = Draw(quota=3, dose=5, distractors=index, rng=random.Random(problem.base_id))
        try:
            edits = INJECT.edits(problem, draw)
        except Declined:
            continue
        n_applicable += 1
        words = set(re.findall(r"[a-z]+", problem.text.lower()))
        gold = gold_value(problem.gold)
        for edit in edits:
            texts = [inserted["text"] for inserted in edit.record["inserted"]]
            names = [re.match(r"\w+", text).group().lower() for text in texts]  # type: ignore[union-attr]
            assert not words & set(names)
            assert len(set(names)) == len(names) == 5
            assert all(gold not in values(text) for text in texts)
            assert INJECT.undo(edit.text, edit.record) == problem.text
    assert n_applicable > 350
