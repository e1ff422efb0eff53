"""Negatives: each changes what is asked, stays about as long as its base, and is none of its twins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.seeding import child_rng
from glass_pipeline.domain.twins import make_twins
from glass_pipeline.domain.twins.quantities import value_list
from glass_pipeline.domain.twins.requirement_edits import EDITS, LENGTH_TOLERANCE, Kind, make_negatives

MakeProblem = Callable[..., Problem]
TEXT = "Susan has 30 pens in 2019. Peter is 5th and owns twice as many as Helen. How many pens does Susan own?"


def apply(kind: Kind, problem: Problem, *alike: Problem) -> set[str | None]:
    """Return every text that one edit makes of a problem under 40 dice."""
    return {EDITS[kind](problem, alike, child_rng(kind, number)) for number in range(40)}


def test_a_number_changes_but_no_year_and_no_ordinal(make_problem: MakeProblem) -> None:
    """Only the 30 pens may become 60 or 31 to 39."""
    texts = apply("number", make_problem(TEXT))

    allowed = {TEXT.replace("30", str(new)) for new in [60, *range(31, 40)]}
    assert texts <= allowed and len(texts) > 3


def test_a_number_that_the_solution_does_not_use_stays(make_problem: MakeProblem) -> None:
    """Of two numbers only the one of the gold solution changes."""
    problem = make_problem(
        "Susan has 30 pens and 8 caps. How many pens are 2 boxes?", gold_solution="30/2=<<30/2=15>>15"
    )

    assert all(text is not None and "8 caps" in text for text in apply("number", problem))


def test_a_comparison_is_turned_round(make_problem: MakeProblem) -> None:
    """Twice becomes half."""
    assert apply("comparison", make_problem(TEXT)) == {TEXT.replace("twice", "half")}
    assert apply("comparison", make_problem("Susan has 3 pens. What is it?")) == {None}


def test_the_question_of_another_problem_is_asked(make_problem: MakeProblem) -> None:
    """The setup stays and another problem's question of like length takes the place of its own."""
    other = make_problem("Oscar has 9 kites. How many kites does Oscar own?", base_id="toy-2")

    assert apply("question", make_problem(TEXT), other) == {
        TEXT.replace("How many pens does Susan own?", "How many kites does Oscar own?")
    }


def test_a_stated_quantity_is_left_out(make_problem: MakeProblem) -> None:
    """One of two setup sentences with a number is gone, so the multiset of numbers differs."""
    problem = make_problem("Susan has 3 pens. Peter has 4 pens. How many pens do they have?")

    texts = apply("deletion", problem)

    assert texts == {problem.text.replace("Susan has 3 pens. ", ""), problem.text.replace("Peter has 4 pens. ", "")}


def test_a_formula_changes_in_one_place(make_problem: MakeProblem) -> None:
    """An operator, a coefficient or an exponent changes; a text without LaTeX has no formula."""
    problem = make_problem("Solve $x^2 + 3 = 7$.", answer_type="math")

    texts = apply("formula", problem)

    assert "Solve $x^2 - 3 = 7$." in texts
    assert any(text and "x^2 + 3 = 8" in text for text in texts)
    assert apply("formula", make_problem("Solve $x^2 + 3 = 7$.")) == {None}


def test_fallback_is_another_base(make_problem: MakeProblem) -> None:
    """Where no edit fits, the negative is the other problem's text."""
    problems = [make_problem("What is it?", base_id="a"), make_problem("Who is that man over there?", base_id="b")]

    assert {(n.kind, n.text) for n in make_negatives(problems, suite="toy", seed=1)} == {
        ("other_base", problems[0].text),
        ("other_base", problems[1].text),
    }


def test_one_problem_has_no_negative(make_problem: MakeProblem) -> None:
    """A single text leaves nothing to fall back on."""
    problem = make_problem(TEXT)

    with pytest.raises(ValueError, match="fewer than two distinct problems"):
        make_negatives([problem, replace(problem, base_id="toy-2")], suite="toy", seed=1)


def test_order_does_not_matter(gsm8k_test: list[Problem]) -> None:
    """Reversed problems have the same negatives."""
    some = gsm8k_test[:60]

    assert make_negatives(some, suite="toy", seed=1) == make_negatives(some[::-1], suite="toy", seed=1)


def test_real_negatives_obey_the_laws(gsm8k_test: list[Problem], pool: list[Distractor]) -> None:
    """On GSM8K a negative is no twin, has the length of its base within 15 %, and other numbers where it must."""
    bases = {problem.base_id: problem for problem in gsm8k_test[:300]}
    twins = make_twins(bases.values(), suite="toy", seed=1, dose=1, distractors=pool).twins
    twin_texts = {(twin.base_id, text_hash(twin.text)) for twin in twins}

    for negative in make_negatives(bases.values(), suite="toy", seed=1):
        base = bases[negative.base_id]
        assert text_hash(negative.text) != text_hash(base.text)
        assert (negative.base_id, text_hash(negative.text)) not in twin_texts
        if negative.kind != "other_base":
            assert abs(len(negative.text) - len(base.text)) <= LENGTH_TOLERANCE * len(base.text)
        if negative.kind in {"number", "deletion"}:
            assert Counter(value_list(negative.text)) != Counter(value_list(base.text))
