"""Reordering: only where order carries nothing, the question last, the white space of each place kept."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import factorial

import pytest

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins.distractors import DistractorIndex
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit
from glass_pipeline.domain.twins.segmentation import sentences_of
from glass_pipeline.domain.twins.sentence_reorder import SentenceReorder
from glass_pipeline.domain.twins.spans import MisfitError

MakeProblem = Callable[..., Problem]

REORDER = SentenceReorder()
QUESTION = "How many pens do Ann, Bo and Cy own?"


def reorder(problem: Problem, quota: int = 10) -> tuple[Edit, ...]:
    """Ask the operator with dice that belong to the item."""
    dice = random.Random(problem.base_id)
    return REORDER.edits(problem, Draw(quota=quota, dose=1, distractors=DistractorIndex(()), rng=dice))


DECLINED = {
    "one setup sentence": "Ann has 3 pens. How many pens does Ann own?",
    "no setup sentence": "If Ann has 3 pens and buys 2, how many pens does Ann own?",
    "no question found": "Ann has 3 pens. Bo has 4 pens. Cy has 5 pens.",
    "several questions": "Ann has 3 pens. Who is Bo? Cy has 5 pens. How many pens does Cy own?",
    "question not last": "Ann has 3 pens. Bo has 4 pens. How many pens is that? Cy likes pens.",
    "opening pronoun": "Ann has 3 pens. She likes Bo. How many pens does Ann own?",
    "order word": "Ann has 3 pens. Then Ann finds Bo. How many pens does Ann own?",
    "remainder": "Ann has 9 pens. Bo takes the rest of a box. How many pens does Bo own?",
    "running state": "Ann has 3 pens. Bo now has 4 pens. How many pens does Bo own?",
    "connective": "Ann has 3 pens. But Bo has 4 pens. How many pens does Bo own?",
    "ellipsis": "Ann has 3 pens. Bo has 2 more than Ann. How many pens does Bo own?",
    "open pronoun": "Ann has 3 pens. Every day a pen costs her $2. How many pens does Ann own?",
    "pronoun in the question": "Ann has 3 pens. Kim has 4 pens. How many pens does she own?",
    "demonstrative": "Ann has 3 pens. Bo has twice that many caps. How many pens does Ann own?",
    "list": "Ann has:\n1. Three pens.\n2. Four caps.\nHow many pens does Ann own?",
    "no end mark": "Ann has 3 pens\n\nBo has 4 pens.\n\nHow many pens does Bo own?",
    "no space between sentences": "Ann has 3 pens.Bo has 4 pens. How many pens does Bo own?",
    "sentence starts in lower case": "ann has 3 pens. Bo has 4 pens. How many pens does Bo own?",
    "quotation": 'Ann has a 3" pen. Bo has 4 pens. How many pens does Ann own?',
    "one order only": "A box holds 3 pens. The box weighs 2 pounds. How many pens are in 4 boxes?",
}
EXTRA = {
    "half of what is there": (
        "running state",
        "Ann has 8 pens. Ann gives half of a box to Bo. How many pens does Ann own?",
    ),
    "this": ("opening pronoun", "Ann has 3 pens. This makes Bo sad. How many pens does Ann own?"),
    "ordinal": ("order word", "One shelf has 3 pens. A second shelf has 4 pens. How many pens are on 2 shelves?"),
    "a share of what was counted": ("bare share", "Ann has 50 pens. 40% are red. How many pens does Ann own?"),
    "the kinds named before": (
        "pointing word",
        "Red and blue pens are cheap. Ann buys 4 of each. How many does Ann own?",
    ),
    "what it is compared with": ("half a comparison", "Ann has 3 pens. Bo has 3 fewer. How many pens does Bo own?"),
    "used up": ("running state", "Ann carves 60 pens. Bo loses 3 pens. How many pens can Ann sell?"),
    "asks for what is left": ("running state", "A box holds 50 pens. Bo staples 9 pads. How many pens are left?"),
    "figure": ("figure", "[asy] dot((0,0)); [/asy] Ann has 3 pens. Bo has 4 pens. How many pens does Bo own?"),
}


@pytest.mark.parametrize(("reason", "text"), [*DECLINED.items(), *EXTRA.values()], ids=[*DECLINED, *EXTRA])
def test_declines_where_order_may_carry_meaning(reason: str, text: str, make_problem: MakeProblem) -> None:
    """Each mark of a meaningful order is declined with its own reason."""
    with pytest.raises(Declined) as declined:
        reorder(make_problem(text))

    assert str(declined.value) == reason


def test_two_sentences_have_one_other_order(make_problem: MakeProblem) -> None:
    """Swapping two sentences keeps the double space where it was, and the question where it was."""
    (edit,) = reorder(make_problem("Ann has 3 pens.  Bo has 4 pens. How many pens do both own?"))

    assert edit.text == "Bo has 4 pens.  Ann has 3 pens. How many pens do both own?"
    assert edit.record["order"] == [1, 0]


def test_three_sentences_have_five_other_orders(make_problem: MakeProblem) -> None:
    """All 3! - 1 orders are found, and none twice."""
    edits = reorder(make_problem(f"Ann has 3 pens. Bo has 4 pens. Cy has 5 pens. {QUESTION}"))

    assert len({edit.text for edit in edits}) == len(edits) == factorial(3) - 1
    assert all(edit.text.endswith(QUESTION) for edit in edits)


def test_a_data_carrying_question_stays_last(make_problem: MakeProblem) -> None:
    """A question that states a fact is no setup sentence."""
    question = "If Cy has 5 pens, how many pens do they own?"

    edits = reorder(make_problem(f"Ann has 3 pens. Bo has 4 pens. {question}"))

    assert [edit.text for edit in edits] == [f"Bo has 4 pens. Ann has 3 pens. {question}"]


def test_what_is_called_the_comes_after_what_introduces_it(make_problem: MakeProblem) -> None:
    """Of three sentences one of which needs another before it, 6 / 2 - 1 = 2 other orders are left."""
    text = "A crate weighs 9 pounds. The crate holds 30 pens. Bo has 4 caps. How many pens fill 2 crates?"

    edits = reorder(make_problem(text))

    assert len(edits) == 2
    assert all(edit.text.index("A crate") < edit.text.index("The crate") for edit in edits)


def test_members_are_told_of_after_their_group(make_problem: MakeProblem) -> None:
    """A sentence about three friends stays before those that name them, which leaves one other order."""
    (edit,) = reorder(make_problem("Three friends met. Bo has 4 pens. Cy has 5 pens. How many pens do all own?"))

    assert edit.record["order"] == [0, 2, 1]


def test_long_setups_are_sampled(make_problem: MakeProblem) -> None:
    """Eight sentences have 40,319 other orders, of which a quota of distinct ones is drawn."""
    setup = " ".join(
        f"{name} has {i + 3} pens." for i, name in enumerate(["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"])
    )

    edits = reorder(make_problem(f"{setup} How many pens do all own?"), quota=10)

    assert len({edit.text for edit in edits}) == 10


def test_symbols_are_defined_before_they_are_used(make_problem: MakeProblem) -> None:
    """A sentence that uses a symbol stays behind the one that brings it in."""
    text = "Let $a = 3$. Let $b = a + 1$. Let $c = 9$. Find the sum."

    edits = reorder(make_problem(text, answer_type="math"))

    assert len(edits) == 2
    assert all(edit.text.index("$a = 3$") < edit.text.index("a + 1") for edit in edits)


def test_undo_gives_the_base_back(make_problem: MakeProblem) -> None:
    """Taking the edit back restores every character, and a record that does not fit is refused."""
    problem = make_problem(f"  Ann has 3 pens.  Bo has 14 pens.\nCy has 5 pens. {QUESTION}  ")
    edits = reorder(problem)

    assert {REORDER.undo(edit.text, edit.record) for edit in edits} == {problem.text}
    with pytest.raises(MisfitError, match="permutation"):
        REORDER.undo(edits[0].text, {"order": [0, 0, 1], "cores": [[0, 1], [2, 3], [4, 5]]})
    with pytest.raises(MisfitError, match="permutation"):
        REORDER.undo(edits[0].text, {"order": ["0", [], 1], "cores": [[0, 1], [2, 3], [4, 5]]})
    with pytest.raises(MisfitError, match="inside the text"):
        REORDER.undo("ab", {"order": [1, 0], "cores": [[0, 1], [1, 9]]})


def test_real_items_keep_their_sentences(gsm8k_test: list[Problem]) -> None:
    """On GSM8K a twin has the sentences of its base, the same last one, and no new run of white space."""
    n_applicable = 0
    for problem in gsm8k_test:
        try:
            edits = reorder(problem)
        except Declined:
            continue
        n_applicable += 1
        base = sentences_of(problem.text)
        for edit in edits:
            twin = sentences_of(edit.text)
            assert sorted(s.core for s in twin) == sorted(s.core for s in base), problem.base_id
            assert twin[-1].core == base[-1].core
            assert [s.gap for s in twin] == [s.gap for s in base]
            assert REORDER.undo(edit.text, edit.record) == problem.text
    assert n_applicable > 40
