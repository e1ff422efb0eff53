"""Tests of the simulated solver."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.records import ItemFacts, Question
from glass_pipeline.llm.solve import SolveResult, solve
from glass_pipeline.llm.solvers.planted import worded, wrong_answers
from glass_pipeline.llm.solvers.planted_truth import Simulation, truth
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Solver


def base(number: int, draw: str = "base/m9", samples: int = 5) -> Question:
    """Return a base question."""
    text = f"Mia has {number} boxes of 6 pens. She gives 4 pens to Leo. How many pens are left?"
    facts = ItemFacts(gold=str(6 * number + 4), base_text=text, family=None, inject_size=None)
    return Question(item_id=f"b{number}", text=text, answer_type="numeric", draw=draw, samples=samples, facts=facts)


@pytest.fixture
def run(store: ResponseStore) -> Callable[..., SolveResult]:
    """Return ``solve`` with a planted solver and the store of this test."""

    def solved(questions: list[Question], model: str | None = None, **more: Any) -> SolveResult:
        options = {"store": store, "environment": {}, "study_seed": 42} | more
        return solve("planted", Solver(kind="planted", model=model), questions, **options)

    return solved


def texts(result: SolveResult) -> dict[tuple[str, str], list[str]]:
    """Return what every sample says."""
    return {tuple(cell): [reply.text for reply in replies] for cell, replies in result.replies.items()}


def test_answers_are_simulated_and_stored(run: Callable[..., SolveResult]) -> None:
    """The result says that it is simulated, sends no request, and a second run is served from the store."""
    first, second = run([base(3)]), run([base(3)])

    assert first.simulated
    assert (first.requests, first.cost_usd, second.cached) == (0, None, 5)
    assert texts(first) == texts(second)


def test_answers_depend_on_names_only(run: Callable[..., SolveResult], tmp_path: Any) -> None:
    """Order and company of questions change no answer; study seed, model and draw do."""
    questions = [base(i) for i in range(60)]
    forward = texts(run(questions))
    others = [ResponseStore(tmp_path / f"{name}.sqlite") for name in ("turned", "alone", "seed", "model", "draw")]
    turned = texts(run(questions[::-1], store=others[0]))
    alone = texts(run([questions[7]], store=others[1]))
    reseeded = texts(run(questions, store=others[2], study_seed=43))
    renamed = texts(run(questions, store=others[3], model="planted-b"))
    redrawn = texts(run([base(i, draw="base/m1") for i in range(60)], store=others[4]))
    for other in others:
        other.close()

    assert turned == forward
    assert alone[("b7", "base/m9")] == forward[("b7", "base/m9")]
    assert reseeded != forward
    assert renamed != forward
    assert list(redrawn.values()) != list(forward.values())


def test_samples_are_right_as_often_as_planted(run: Callable[..., SolveResult]) -> None:
    """Over 400 bases the share of right samples is the mean planted one, within three standard errors."""
    questions = [base(i, samples=10) for i in range(400)]

    replies = run(questions).replies
    right = sum(
        reply.text.endswith(f"\n#### {question.facts.gold}")
        for question in questions
        for reply in replies[(question.item_id, "base/m9")]  # type: ignore[index]
    )
    simulation = Simulation(42, "planted")
    p = [truth(question.text, question.facts, simulation).p_right * (1 - 0.004) for question in questions]

    assert right == pytest.approx(10 * sum(p), abs=3 * (10 * sum(q * (1 - q) for q in p)) ** 0.5)


def test_some_samples_have_no_answer(run: Callable[..., SolveResult]) -> None:
    """About four samples in a thousand end without an answer."""
    replies = run([base(i, samples=20) for i in range(300)]).replies
    answered = Counter("####" in reply.text for samples in replies.values() for reply in samples)

    assert 6 <= answered[False] <= 48  # 24 expected


@given(st.integers(-(10**6), 10**6), st.integers(0, 2**128))
def test_wrong_numbers_are_wrong_numbers(gold: int, seed: int) -> None:
    """The wrong answers to a number are two other numbers near it, not negative where the gold is not."""
    favourite, other = (int(answer) for answer in wrong_answers(str(gold), "numeric", seed))

    assert len({favourite, other, gold}) == 3
    assert abs(favourite - gold) <= 12
    assert favourite >= 0 or gold < 12


@pytest.mark.parametrize(
    ("gold", "answer_type"),
    [
        ("2.50", "numeric"),
        ("1/2", "numeric"),
        (r"\frac{1}{2}", "math"),
        ("7", "math"),
        ("B", "choice"),
        ("Paris", "exact"),
    ],
)
def test_wrong_answers_of_every_type(gold: str, answer_type: Any) -> None:
    """Whatever the gold is, there are two different answers that are not it."""
    assert len({gold, *wrong_answers(gold, answer_type, seed=5)}) == 3


def test_wording() -> None:
    """An answer is worded in the form that the prompts ask for."""
    assert worded("14", "numeric", "So.") == "So.\n#### 14"
    assert worded("14", "math", "So.") == "So.\n\\boxed{14}"
    assert "####" not in worded(None, "numeric", "So.")


@pytest.mark.slow
def test_a_study_is_answered_in_seconds(run: Callable[..., SolveResult]) -> None:
    """150,000 samples of 30,000 texts take under 15 seconds to answer and store."""
    questions = [base(i) for i in range(30_000)]

    started = time.process_time()
    result = run(questions)

    assert result.statuses["ok"] == 150_000
    assert time.process_time() - started < 15
