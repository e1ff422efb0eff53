"""Tests of the rounds in which a question is asked that may stop early."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from glass_pipeline.domain.grading.tables import Item, mark
from glass_pipeline.domain.grading.voting import modal
from glass_pipeline.domain.records import Reply
from glass_pipeline.llm.curtailing import further, opening
from glass_pipeline.llm.estimate import estimate
from glass_pipeline.llm.plan import Cell
from glass_pipeline.llm.recorder import Progress
from glass_pipeline.llm.solve import SolveResult, solve
from glass_pipeline.llm.store import ResponseStore

Make = Callable[..., Any]


def said(answers: tuple[str | None, ...]) -> tuple[Reply, ...]:
    """Return replies with these answers; None says nothing that can be read."""
    texts = ("I do not know." if answer is None else f"#### {answer}" for answer in answers)
    return tuple(Reply(key=f"k{i}", status="ok", text=text) for i, text in enumerate(texts))


@pytest.mark.parametrize("alphabet", [("1", "2", None), ("1", "2", "3"), ("1", "2", "3", "4", None)], ids=len)
def test_no_sequence_of_five_changes_its_vote(alphabet: tuple[str | None, ...], make_question: Make) -> None:
    """Over every sequence: the samples that are asked for have the modal answer, and Y, of all five."""
    question = make_question(1, samples=5, may_stop=True)
    for full in product(alphabet, repeat=5):
        drawn = opening(question).samples
        while todo := further([question], {Cell("item-1", "base/m9"): said(full[:drawn])}):
            drawn = todo[0].samples
        assert modal(full[:drawn]) == modal(full)
        items = [Item("few", "1", "numeric", said(full[:drawn])), Item("all", "1", "numeric", said(full))]
        labels = mark(items)
        assert labels["few"].y == labels["all"].y


def test_a_question_that_wants_all_samples_is_asked_at_once(make_question: Make) -> None:
    """A base or a probe is never curtailed."""
    question = make_question(1, samples=5)

    assert opening(question).samples == 5
    assert further([question], {Cell("item-1", "base/m9"): said(("1",) * 3)}) == []


def test_a_failed_sample_ends_the_rounds(make_question: Make) -> None:
    """What a sample says that failed on the way is not known, so no further one is bought."""
    failed = (*said(("1", "2")), Reply(key="k2", status="timeout", text=""))

    assert further([make_question(1, samples=5, may_stop=True)], {Cell("item-1", "base/m9"): failed}) == []


@pytest.fixture
def run(store: ResponseStore) -> Callable[..., SolveResult]:
    """Return ``solve`` with the store of this test."""
    return lambda solver, questions, **more: solve(
        "mini", solver, questions, **{"store": store, "environment": {}, "study_seed": 42, **more}
    )


@pytest.mark.parametrize("supports_n", [True, False])
def test_rounds_through_the_door(
    supports_n: bool, endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """A sure solver is asked three times, a wavering one five; what was spared is counted, and a second run is free."""

    def behave(body: dict[str, Any], nth: int) -> Any:
        wavers = "has 2 boxes" in body["messages"][-1]["content"]
        return answers.completion(*(f"#### {nth if wavers else 6}" for _ in range(body.get("n", 1))))

    endpoint.behave = behave
    solver = make_solver(supports_n=supports_n, concurrency=1)
    questions = [make_question(i, samples=5, may_stop=True, draw="twin") for i in (1, 2)]
    seen: list[Progress] = []

    first = run(solver, [*questions, make_question(3, samples=5)], progress=seen.append)
    second = run(solver, [*questions, make_question(3, samples=5)])

    assert [len(first.replies[Cell(f"item-{i}", draw)]) for i, draw in ((1, "twin"), (2, "twin"), (3, "base/m9"))] == [
        3,
        3 if supports_n else 5,
        5,
    ]
    assert first.curtailed == (4 if supports_n else 2)
    assert (second.requests, second.curtailed, second.cached) == (0, first.curtailed, 15 - first.curtailed)
    assert {reply.cached for replies in first.replies.values() for reply in replies} == {False}
    assert (first.cached, seen[0].total, seen[-1].done, seen[-1].total) == (0, 15, 15, 15)
    assert [part.done for part in seen] == sorted(part.done for part in seen)
    assert second.replies.keys() == first.replies.keys()


def test_what_the_store_has_beyond_does_not_count(
    endpoint: Any, run: Make, make_solver: Make, make_question: Make
) -> None:
    """The samples of a row depend on what they say, not on how many an earlier run had bought."""
    run(make_solver(), [make_question(1, samples=5)])

    result = run(make_solver(), [make_question(1, samples=5, may_stop=True)])

    assert len(result.replies[Cell("item-1", "base/m9")]) == 3
    assert (result.requests, result.cached, result.curtailed) == (0, 3, 2)


def test_retried_status_is_asked_again_once(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """A cut answer that is cut again in the first round is not bought a third time in the second."""
    endpoint.behave = lambda body, nth: answers.completion("12 +", finish="length")
    questions = [make_question(1, samples=5, may_stop=True)]
    solver = make_solver(supports_n=False)
    run(solver, questions)

    again = run(solver, questions, retry_statuses=frozenset({"length"}))

    assert again.requests == 5
    assert dict(again.statuses) == {"length": 5}


def test_estimate_bounds_the_rounds(
    endpoint: Any, run: Make, make_solver: Make, make_question: Make, store: ResponseStore
) -> None:
    """Three samples in one request, then one and one, are three requests at most; all five at once are one."""
    questions = [make_question(1, samples=5, may_stop=True), make_question(2, samples=5)]

    found = estimate("mini", make_solver(), questions, store=store, environment={}, study_seed=42)

    assert (found.samples, found.requests) == (10, 4)
