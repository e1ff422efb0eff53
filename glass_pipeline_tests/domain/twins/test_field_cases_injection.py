"""Field cases about inserted sentences: each test names the case that it answers."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from glass_pipeline.domain.audit import audit_pair, audit_twins
from glass_pipeline.domain.records import DOSES, Distractor, Problem, Twin
from glass_pipeline.domain.twins import make_twins
from glass_pipeline.domain.twins.distractors import DistractorIndex, harvest
from glass_pipeline.domain.twins.math_irrelevant_context import MathIrrelevantContext
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit
from glass_pipeline.domain.twins.quantities import gold_value, value_list, values
from glass_pipeline.domain.twins.questions import asks
from glass_pipeline.domain.twins.registry import taken_back
from glass_pipeline.domain.twins.segmentation import sentences_of, split_sentences
from glass_pipeline.domain.twins.self_contained import is_self_contained

MakeProblem = Callable[..., Problem]

GOLD_IN_QUESTION = (4, 20, 31)
"""Items of the test split whose text states their gold already."""


@pytest.fixture(scope="module")
def index(gsm8k_train: list[Problem]) -> DistractorIndex:
    """Every sentence of the train split that can stand anywhere."""
    return DistractorIndex(harvest(gsm8k_train))


def inject(problem: Problem, index: DistractorIndex, *, dose: int = 1, quota: int = 20) -> tuple[Edit, ...]:
    """Ask the operator with dice that belong to the item."""
    draw = Draw(quota=quota, dose=dose, distractors=index, rng=random.Random(problem.base_id))
    return MathIrrelevantContext().edits(problem, draw)


def of(*texts: str) -> DistractorIndex:
    """Return a pool of some sentences."""
    return DistractorIndex(Distractor(source_id=f"o-{i}", position=0, text=text) for i, text in enumerate(texts))


def inserted(edit: Edit) -> list[str]:
    """Return the sentences that an edit brought in, in the order of their places."""
    return [entry["text"] for entry in edit.record["inserted"]]


@pytest.mark.parametrize("name", ["Anna", "anna", "Anna’s cousin", "Annabel Anna"])
def test_no_newcomer_bears_a_name_of_the_problem(name: str, make_problem: MakeProblem) -> None:
    """fc-072: a distractor about Anna stays out where Anna is in the problem, in any case or as a possessive."""
    problem = make_problem(f"Today {name} has 3 pens. How many pens does Zoe own?", gold="3")

    with pytest.raises(Declined, match="too few distractors"):
        inject(problem, of("Anna ran 11 miles on Sunday."))


@pytest.mark.parametrize(
    ("base", "newcomer"),
    [("Anthony", "Tony"), ("Tony", "Anthony"), ("Robert", "Bob"), ("Elizabeth", "Beth"), ("Johnny", "John")],
)
def test_no_newcomer_may_be_somebody_of_the_problem_by_a_short_name(
    base: str, newcomer: str, make_problem: MakeProblem
) -> None:
    """fc-072: a new, unused name is no short form of a used one."""
    problem = make_problem(f"{base} has 3 pens. How many pens does {base} own?", gold="3")

    with pytest.raises(Declined, match="too few distractors"):
        inject(problem, of(f"{newcomer} ran 11 miles on Sunday."))


@pytest.mark.parametrize(
    "sentence", ["She ran 11 miles on Sunday.", "Oscar gave him 11 stamps.", "Oscar keeps her 11 stamps."]
)
def test_a_distractor_names_its_own_subject(sentence: str) -> None:
    """fc-072: he and she need somebody of their gender in their own sentence."""
    assert not is_self_contained(sentence)


@pytest.mark.parametrize("number", GOLD_IN_QUESTION)
def test_no_gold_and_no_step_is_inserted(number: int, gsm8k_test: list[Problem], index: DistractorIndex) -> None:
    """fc-073: gold, steps of the solution and givens are avoided, and the record names what was."""
    problem = gsm8k_test[number]
    assert gold_value(problem.gold) in values(problem.text)
    try:
        edits = inject(problem, index, dose=3)
    except Declined as reason:
        assert str(reason) == "no safe position"
        return
    steps = values(re.sub(r"[^\d.,]+", " ", problem.gold_solution or ""))
    for edit in edits:
        found = [values(text) for text in inserted(edit)]
        assert all(stated.isdisjoint(steps | values(problem.text)) for stated in found)
        assert set(edit.record["avoided"]) == {str(value) for value in steps | {gold_value(problem.gold)}}


def test_a_gold_that_the_base_states_is_still_caught_when_a_twin_repeats_it(gsm8k_test: list[Problem]) -> None:
    """fc-073: the audit compares counts, so a gold in the text of the base hides no leak."""
    for number in GOLD_IN_QUESTION:
        problem = gsm8k_test[number]
        first, *rest = split_sentences(problem.text)
        twin = " ".join([first, f"Zebediah owns {problem.gold} harps.", *rest])

        assert "gold_number" in audit_pair(problem.text, twin, problem.gold).reasons


@pytest.mark.parametrize(
    ("question", "distractor"),
    [
        ("How much did everybody spend?", "Oscar paid $67 for a lamp."),
        ("How much did everything cost?", "Oscar buys 67 lamps."),
        ("How many pens are there in total?", "Oscar has 14 red pens."),
        ("How many pens are there altogether if Susan has 3?", "Oscar has 14 red pens."),
        ("How many pens do the friends own?", "Oscar has 14 red kites."),
        ("How many pens are there in total?", "Oscar has twice as many pens as Ingrid."),
        ("What is it all in all?", "Oscar has 14 red pens."),
    ],
)
def test_an_open_total_takes_in_nobody(question: str, distractor: str, make_problem: MakeProblem) -> None:
    """fc-075: what an open question would count never comes in."""
    with pytest.raises(Declined, match="too few distractors"):
        inject(make_problem(f"Susan has 3 caps. {question}", gold="7"), of(distractor))


@pytest.mark.parametrize("number", [0, 1, 6, 10, 100])
def test_doses_are_nested(number: int, gsm8k_test: list[Problem], index: DistractorIndex) -> None:
    """fc-076: each twin of a larger dose holds one of every smaller dose, sentences and places alike."""
    sets: dict[int, list[set[tuple[str, int]]]] = {}
    for dose in DOSES:
        batch = make_twins(
            [gsm8k_test[number]],
            suite="s",
            seed=1,
            dose=dose,
            distractors=index,
            families=["math_irrelevant_context"],
        )
        records = [taken_back(twin)[1] for twin in batch.twins]
        sets[dose] = [{(entry["text"], entry["slot"]) for entry in record["inserted"]} for record in records]
    for smaller, larger in pairwise(DOSES):
        assert all(any(held <= held_by for held in sets[smaller]) for held_by in sets[larger])
        assert all(len(held_by) == larger for held_by in sets[larger])


def test_sentences_names_and_numbers_of_one_twin_differ(gsm8k_test: list[Problem], index: DistractorIndex) -> None:
    """fc-076: no sentence twice, and no name and no number in two sentences of one twin."""
    for edit in inject(gsm8k_test[0], index, dose=9):
        texts = inserted(edit)
        names = [name for text in texts for name in {*re.findall(r"\b[A-Z][a-z]+", text)} - {"Monday", "Sunday"}]
        stated = [value for text in texts for value in values(text)]
        assert len(set(texts)) == 9
        assert len(set(names)) == len(names)
        assert len(set(stated)) == len(stated)


def test_the_same_seed_gives_the_same_bytes(gsm8k_test: list[Problem], gsm8k_train: list[Problem]) -> None:
    """fc-076: twins are frozen by the seed, whatever the order of the pool."""
    pool = harvest(gsm8k_train[:1500])
    one, two = (
        make_twins(gsm8k_test[:5], suite="s", seed=7, dose=3, distractors=order, families=["math_irrelevant_context"])
        for order in (pool, pool[::-1])
    )
    assert one == two


def test_nothing_comes_between_a_pronoun_and_whom_it_means(gsm8k_test: list[Problem], index: DistractorIndex) -> None:
    """fc-077: in item 1149 every newcomer stands before "Jen got 3 fish", for "They each" and "she" follow it."""
    for edit in inject(gsm8k_test[1149], index, dose=3):
        assert {entry["slot"] for entry in edit.record["inserted"]} == {0}


@pytest.mark.parametrize("number", [9, 13])
def test_data_in_the_question_counts(number: int, gsm8k_test: list[Problem], index: DistractorIndex) -> None:
    """fc-070: what the question sentence states is given, too."""
    problem = gsm8k_test[number]
    asked = values(sentences_of(problem.text)[-1].core)
    assert asked
    for edit in inject(problem, index):
        assert all(values(text).isdisjoint(asked) for text in inserted(edit))


def test_two_questions_in_one_sentence_are_no_material(gsm8k_train: list[Problem]) -> None:
    """fc-081: nothing that asks is harvested from item 818, and its question in a twin is a second question."""
    problem = gsm8k_train[818]
    questions = [core for core in split_sentences(problem.text) if asks(core)]
    assert questions
    assert not any(asks(found.text) for found in harvest([problem]))
    base = "Susan has 3 pens. How many pens does Susan own?"
    for question in questions:
        assert "multi_question" in audit_pair(base, f"Susan has 3 pens. {question} {base[18:]}", "3").reasons


@pytest.mark.parametrize("number", [4717, 1452, 502, 1258])
def test_two_questions_of_the_base_are_no_alarm(number: int, gsm8k_train: list[Problem]) -> None:
    """fc-081: a base that asks twice by itself is no reason to drop its twin."""
    problem = gsm8k_train[number]
    twin = f"Zebediah owns 987654 harps. {problem.text}"

    assert "multi_question" not in audit_pair(problem.text, twin, problem.gold).reasons


def test_no_listed_trap_breaks_an_injection(gsm8k_test: list[Problem], index: DistractorIndex, shared: object) -> None:
    """Whatever an item of the test split trips up elsewhere, its injections are whole and pass every rule."""
    twins: list[Twin] = []
    chosen = gsm8k_test[::6]
    for problem in chosen:
        batch = make_twins(
            [problem], suite="s", seed=3, dose=3, distractors=index, families=["math_irrelevant_context"]
        )
        twins += batch.twins[:3]
    audit = audit_twins(chosen, twins)

    assert audit["keep"].all()
    assert len(twins) > 2.7 * len(chosen)


def test_the_gold_stands_no_more_often_than_before(gsm8k_test: list[Problem], index: DistractorIndex) -> None:
    """fc-073: over many items, no injection raises how often the gold value is stated."""
    for problem in gsm8k_test[::40]:
        gold = gold_value(problem.gold)
        try:
            edits = inject(problem, index, dose=5, quota=3)
        except Declined:
            continue
        assert all(value_list(edit.text).count(gold) == value_list(problem.text).count(gold) for edit in edits)
