"""Adjudication: every pair judged by everybody, once, and nothing kept that nobody could judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from glass_pipeline.domain.audit.adjudication import Pair
from glass_pipeline.domain.records import Question
from glass_pipeline.llm.adjudicate import VERDICT, Adjudication, adjudicate, adjudicator_name, audit_questions
from glass_pipeline.llm.estimate import estimate
from glass_pipeline.llm.forms import Respondent
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Solver

BASE = "Mia has 3 boxes of 6 pens. How many pens does Mia have?"


def pair(number: int, twin_text: str = BASE.replace("Mia", "Nora"), dose: int = 1) -> Pair:
    """Return one pair."""
    return Pair(twin_id=f"toy-m{dose}-{number}", base_text=BASE, twin_text=twin_text, gold="18")


def verdict(finding: str, rationale: str = "Only a name differs.") -> str:
    """Return an answer."""
    return json.dumps({"rationale": rationale, "verdict": finding})


@pytest.fixture
def judge(store: ResponseStore, make_solver: Callable[..., Solver]) -> Callable[..., Adjudication]:
    """Return the asking of one or more adjudicators on loopback."""

    def ask(*pairs: Pair, slugs: tuple[str, ...] = ("first",), **changes: Any) -> Adjudication:
        adjudicators = [
            Respondent(
                slug=slug, solver=make_solver(model=slug, max_attempts=1), store=store, environment={}, study_seed=1
            )
            for slug in slugs
        ]
        return adjudicate(pairs, adjudicators, **changes)

    return ask


def test_a_verdict_has_its_rationale_and_who_gave_it(
    endpoint: Any, answers: SimpleNamespace, judge: Callable[..., Adjudication]
) -> None:
    """What the model says is recorded with slug, model and prompt version."""
    endpoint.behave = lambda *_: answers.completion(verdict("No-Op"))

    found = judge(pair(1))

    assert [each.finding for each in found.verdicts] == ["no_op"]
    assert found.verdicts[0].rationale == "Only a name differs."
    assert found.verdicts[0].adjudicator == "first (first, noop-audit-v1)"
    assert (found.adjudicators, found.requests) == (("first (first, noop-audit-v1)",), 1)


def test_the_adjudicator_sees_base_twin_and_gold(
    endpoint: Any, answers: SimpleNamespace, judge: Callable[..., Adjudication]
) -> None:
    """All three stand in the request, whatever braces and tags they hold, and the request asks for JSON."""
    endpoint.behave = lambda *_: answers.completion(verdict("no_op"))
    odd = Pair(twin_id="t", base_text="{problem} </original> 3 + {gold}?", twin_text="{0} \\frac{1}{2}", gold="$7$")

    judge(odd)

    prompt = endpoint.prompts[0]
    assert all(text in prompt for text in (odd.base_text, odd.twin_text, odd.gold))
    assert "JSON" in endpoint.bodies[0]["messages"][0]["content"]
    assert endpoint.bodies[0]["response_format"]["json_schema"]["name"] == VERDICT.name


def test_the_same_pair_is_judged_once_over_all_doses(
    endpoint: Any, answers: SimpleNamespace, judge: Callable[..., Adjudication]
) -> None:
    """One text in five dose files costs one request, in one run or in several; another gold is another pair."""
    endpoint.behave = lambda *_: answers.completion(verdict("no_op"))

    together = judge(*(pair(1, dose=dose) for dose in (1, 3, 5)))
    later = judge(*(pair(1, dose=dose) for dose in (7, 9)))
    other = judge(Pair(twin_id="t", base_text=BASE, twin_text=pair(1).twin_text, gold="19"))

    assert [len(found.verdicts) for found in (together, later, other)] == [3, 2, 1]
    assert [found.requests for found in (together, later, other)] == [1, 0, 1]


def test_every_adjudicator_judges_every_pair(
    endpoint: Any, answers: SimpleNamespace, judge: Callable[..., Adjudication]
) -> None:
    """Two models give two verdicts a pair, each by its own name."""
    endpoint.behave = lambda body, _: answers.completion(verdict("no_op" if body["model"] == "a" else "contradiction"))

    found = judge(pair(1), pair(2, BASE.replace("3", "4")), slugs=("a", "b"))

    assert [(each.twin_id, each.adjudicator[0], each.finding) for each in found.verdicts] == [
        ("toy-m1-1", "a", "no_op"),
        ("toy-m1-2", "a", "no_op"),
        ("toy-m1-1", "b", "contradiction"),
        ("toy-m1-2", "b", "contradiction"),
    ]


def test_what_cannot_be_read_after_retries_is_unparsable(
    endpoint: Any, answers: SimpleNamespace, judge: Callable[..., Adjudication]
) -> None:
    """Three useless answers make no verdict: not a pass, not a score, but a finding of its own (case fc-085)."""
    endpoint.behave = lambda *_: answers.completion("It is fine.")

    found = judge(pair(1), attempts=3)

    assert (found.verdicts[0].finding, found.requests) == ("unparsable", 3)
    assert "held no JSON object" in found.verdicts[0].rationale


def test_an_echo_of_the_prompt_is_no_verdict(
    endpoint: Any, answers: SimpleNamespace, judge: Callable[..., Adjudication]
) -> None:
    """A model that copies the example from its instructions has judged nothing."""
    endpoint.behave = lambda body, _: answers.completion(body["messages"][0]["content"])

    assert judge(pair(1), attempts=1).verdicts[0].finding == "unparsable"


def test_another_draw_judges_anew(endpoint: Any, answers: SimpleNamespace, judge: Callable[..., Adjudication]) -> None:
    """A dated re-audit asks again; the audit's own verdict stays."""
    endpoint.behave = lambda _, nth: answers.completion(verdict("no_op" if nth == 0 else "contradiction"))

    first, re_audit, again = judge(pair(1)), judge(pair(1), draw="reaudit/2026-12-07"), judge(pair(1))

    assert [found.verdicts[0].finding for found in (first, re_audit, again)] == ["no_op", "contradiction", "no_op"]


def test_the_estimate_knows_what_is_judged_already(
    endpoint: Any,
    answers: SimpleNamespace,
    judge: Callable[..., Adjudication],
    store: ResponseStore,
    make_solver: Callable[..., Solver],
) -> None:
    """With the prompt and structure of the audit, an estimate counts exactly the requests that are left."""
    endpoint.behave = lambda *_: answers.completion(verdict("no_op"))
    pairs = [pair(1), pair(2, BASE.replace("3", "4"))]
    judge(pairs[0])
    solver = make_solver(model="first", max_attempts=1, prompt="noop-audit-v1")
    questions: list[Question] = audit_questions(pairs)

    left = estimate("first", solver, questions, store=store, environment={}, study_seed=1, structure=VERDICT)

    assert (left.requests, left.cached) == (1, 1)


def test_the_name_of_an_adjudicator_tells_the_prompt(make_solver: Callable[..., Solver]) -> None:
    """Slug, model and prompt version are in it."""
    assert adjudicator_name("judge", make_solver(model="m"), "p-v2") == "judge (m, p-v2)"


@pytest.mark.real
def test_a_weak_model_is_read_or_left_unparsable(smollm2: Solver, store: ResponseStore) -> None:
    """A model of 135 million parameters fills in the schema: each pair gets a finding, a second run asks nothing."""
    solver = smollm2.model_copy(update={"max_tokens": 96})
    judge = Respondent(slug="smollm2", solver=solver, store=store, environment={}, study_seed=1)
    pairs = [
        pair(1),
        pair(2, BASE.replace("6 pens", "7 pens")),
        pair(3, BASE.replace("pens. ", "pens. Leo ran 9 miles. ")),
    ]

    first = adjudicate(pairs, [judge], attempts=2)
    second = adjudicate(pairs, [judge], attempts=2)

    assert len(first.verdicts) == 3
    assert {each.finding for each in first.verdicts} <= {"no_op", "contradiction", "unparsable"}
    assert any(each.finding != "unparsable" for each in first.verdicts)
    assert (second.verdicts, second.requests) == (first.verdicts, 0)
