"""Tests of the way out and back through a file of requests and one of responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.plan import Cell
from glass_pipeline.llm.request_file import RequestFileError, request_lines, take_responses
from glass_pipeline.llm.solve import solve
from glass_pipeline.llm.solvers.protocol import Setting
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Solver

Make = Callable[..., Any]
SOLVER = Solver(
    kind="openai",
    model="tiny",
    base_url="http://127.0.0.1:9/v1",
    usd_per_million_prompt_tokens=1.0,
    usd_per_million_completion_tokens=2.0,
)


def setting(solver: Solver = SOLVER) -> Setting:
    """Return a setting that knows no key."""
    return Setting(slug="mini", solver=solver, environment={}, study_seed=42)


def answered(request: dict[str, Any], text: str = "#### 6", finish: str = "stop") -> dict[str, Any]:
    """Return the response line to a request line."""
    choice = {"index": 0, "finish_reason": finish, "message": {"content": text}}
    body = {"choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 4}}
    return {"custom_id": request["custom_id"], "response": {"status_code": 200, "body": body}, "error": None}


def rounds(questions: list[Question], store: ResponseStore, say: Callable[[int], str]) -> list[int]:
    """Take requests out and responses in until none is left; returns the requests of each round."""
    sizes: list[int] = []
    while lines := list(request_lines(setting(), questions, store)):
        taken = take_responses(setting(), questions, store, [answered(line, say(i)) for i, line in enumerate(lines)])
        assert (taken.stored, taken.unknown) == (len(lines), 0)
        sizes.append(len(lines))
    return sizes


def test_a_request_is_what_an_endpoint_would_be_sent(make_question: Make, store: ResponseStore) -> None:
    """One line a sample, each under its own id, with the declared model and sampling and no key."""
    first, second = request_lines(setting(), [make_question(1, samples=2)], store)

    assert (first["method"], first["url"]) == ("POST", "/v1/chat/completions")
    assert first["custom_id"] != second["custom_id"]
    assert first["body"] == second["body"]
    assert {name: first["body"][name] for name in ("model", "temperature", "max_tokens")} == {
        "model": "tiny",
        "temperature": 0.2,
        "max_tokens": 1024,
    }
    assert first["body"]["messages"][-1]["content"].endswith("How many pens does Mia have?")


def test_responses_are_served_like_any_reply(make_question: Make, store: ResponseStore) -> None:
    """After the way out and back a run asks nothing, and tokens and cost are on record."""
    questions = [make_question(i, samples=2) for i in range(3)]

    assert rounds(questions, store, lambda nth: f"#### {nth}") == [6]
    result = solve("mini", SOLVER, questions, store=store, environment={}, study_seed=42)

    assert (result.requests, result.cached) == (0, 6)
    assert [reply.text for reply in result.replies[Cell("item-1", "base/m9")]] == ["#### 2", "#### 3"]
    assert store.spend("mini").cost_usd == pytest.approx(6 * 18e-6)  # (10 · 1 + 4 · 2) / 10^6 each


def test_twins_that_may_stop_go_out_in_rounds(make_question: Make, store: ResponseStore) -> None:
    """Three samples first; a wavering twin is asked a fourth and a fifth time, a sure one not."""
    questions = [make_question(1, samples=5, may_stop=True)]

    assert rounds(questions, store, lambda nth: "#### 6") == [3]
    said = iter("12345")
    wavering = [make_question(2, samples=5, may_stop=True)]
    assert rounds(wavering, store, lambda nth: f"#### {next(said)}") == [3, 1, 1]


def test_lines_without_an_answer_are_counted_and_left(make_question: Make, store: ResponseStore) -> None:
    """A failed line, an error body and an expired request are asked again; a cut answer is an answer."""
    questions = [make_question(i) for i in range(4)]
    one, two, three, four = request_lines(setting(), questions, store)
    lines = [
        {"custom_id": one["custom_id"], "response": {"status_code": 429, "body": {"error": {"message": "slow"}}}},
        {"custom_id": two["custom_id"], "response": {"status_code": 200, "body": {"error": {"message": "no"}}}},
        {"custom_id": three["custom_id"], "response": None, "error": {"code": "batch_expired", "message": "late"}},
        answered(four, "12 +", "length"),
        {"custom_id": "of another study", "response": {"body": {}}},
    ]

    taken = take_responses(setting(), questions, store, lines)

    assert (taken.stored, dict(taken.failed), taken.unknown) == (1, {"rate_limited": 1, "error": 2}, 1)
    left = [line["custom_id"] for line in request_lines(setting(), questions, store)]
    assert left == [line["custom_id"] for line in (one, two, three)]


def test_a_file_may_be_taken_in_twice(make_question: Make, store: ResponseStore) -> None:
    """What the store has stands."""
    questions = [make_question(1)]
    (line,) = request_lines(setting(), questions, store)
    take_responses(setting(), questions, store, [answered(line, "#### 6")])

    again = take_responses(setting(), questions, store, [answered(line, "#### 7")])

    assert (again.stored, again.unknown) == (0, 1)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ({"id": "x"}, "Line 1: no custom_id"),
        ({"custom_id": "x", "response": None}, "Line 1: no custom_id with a response"),
        ({"custom_id": "x", "response": {"status_code": "200"}}, "Line 1: status_code is '200'"),
    ],
)
def test_what_is_no_response_is_named(
    line: dict[str, Any], sentence: str, make_question: Make, store: ResponseStore
) -> None:
    """A line that cannot be one says so, and nothing is stored."""
    with pytest.raises(RequestFileError, match=sentence):
        take_responses(setting(), [make_question(1)], store, [line])


def test_a_simulation_has_no_requests(make_question: Make, store: ResponseStore) -> None:
    """Only an endpoint is asked through a file."""
    with pytest.raises(RequestFileError, match="mini is of kind planted"):
        list(request_lines(setting(Solver(kind="planted")), [make_question(1)], store))
