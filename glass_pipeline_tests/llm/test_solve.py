"""Tests of the door of this layer, against an endpoint on loopback that misbehaves as told."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.errors import (
    BadRequest,
    BudgetExhausted,
    EndpointGone,
    KeyRejected,
    MissingKey,
    ModelNotFound,
    QuotaSpent,
    SolverError,
    UnknownPrice,
)
from glass_pipeline.llm.recorder import Progress
from glass_pipeline.llm.solve import SolveResult, solve
from glass_pipeline.llm.store import Attempt, Batch, ResponseStore
from glass_pipeline.study import Solver

Make = Callable[..., Any]


@pytest.fixture
def run(store: ResponseStore) -> Callable[..., SolveResult]:
    """Return ``solve`` with the store of this test."""

    def solved(solver: Solver, questions: list[Question], **more: Any) -> SolveResult:
        options = {"store": store, "environment": {}, "study_seed": 42} | more
        return solve("mini", solver, questions, **options)

    return solved


def texts(result: SolveResult, item_id: str, draw: str = "base/m9") -> list[str]:
    """Return what the samples of an item say."""
    return [reply.text for reply in result.replies[(item_id, draw)]]  # type: ignore[index]


def test_second_run_asks_nothing(endpoint: Any, run: Make, make_solver: Make, make_question: Make) -> None:
    """What was answered is served from the store, sample for sample."""
    questions = [make_question(i, samples=3) for i in range(10)]

    first = run(make_solver(), questions)
    second = run(make_solver(), questions)

    assert len(endpoint.bodies) == 10
    assert (first.requests, first.cached, second.requests, second.cached) == (10, 0, 0, 30)
    assert all(texts(first, f"item-{i}") == texts(second, f"item-{i}") for i in range(10))
    assert {reply.cached for replies in second.replies.values() for reply in replies} == {True}


def test_samples_are_asked_in_one_request_or_one_by_one(
    endpoint: Any, run: Make, make_solver: Make, make_question: Make
) -> None:
    """Five samples are one request with n = 5, or five without, and never share an answer by the store's doing."""
    run(make_solver(), [make_question(1, samples=5)])
    single = run(make_solver(supports_n=False, concurrency=1), [make_question(2, samples=5)])

    assert [body.get("n") for body in endpoint.bodies] == [5, None, None, None, None, None]
    assert texts(single, "item-2") == [f"#### {n}" for n in range(1, 6)]


def test_ignored_n_is_asked_for_the_rest(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """An endpoint that answers one choice whatever n says is asked until every sample has its own answer."""
    endpoint.behave = lambda body, nth: answers.completion(f"#### {nth}")

    result = run(make_solver(), [make_question(1, samples=4)])

    assert texts(result, "item-1") == ["#### 0", "#### 1", "#### 2", "#### 3"]
    assert [body.get("n") for body in endpoint.bodies] == [4, None, None, None]
    assert result.notes == ("mini answers one sample whatever n asks for: asked once a sample.",)


def test_one_text_and_draw_is_asked_once(endpoint: Any, run: Make, make_solver: Make, make_question: Make) -> None:
    """Two items with one text share their samples; another draw of the text is asked anew."""
    questions = [
        make_question(1, samples=2, draw="twin"),
        make_question(1, samples=3, draw="twin", item_id="elsewhere"),
        make_question(1, samples=2, draw="base/m1"),
    ]

    result = run(make_solver(), questions)

    assert sorted(body["n"] for body in endpoint.bodies) == [2, 3]
    assert texts(result, "elsewhere", "twin")[:2] == texts(result, "item-1", "twin")
    assert texts(result, "item-1", "base/m1") != texts(result, "item-1", "twin")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"model": "other"}, id="model"),
        pytest.param({"temperature": 0.7}, id="temperature"),
        pytest.param({"max_tokens": 99}, id="max_tokens"),
        pytest.param({"reasoning_effort": "low"}, id="reasoning effort"),
    ],
)
def test_what_an_answer_depends_on_is_in_its_key(
    change: dict[str, Any], endpoint: Any, run: Make, make_solver: Make, make_question: Make
) -> None:
    """A change of model or of a parameter asks anew."""
    run(make_solver(), [make_question(1)])
    run(make_solver(**change), [make_question(1)])

    assert len(endpoint.bodies) == 2


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"concurrency": 3}, id="concurrency"),
        pytest.param({"timeout_s": 9.0}, id="timeout"),
        pytest.param({"max_attempts": 2}, id="attempts"),
        pytest.param({"rpm": 1000}, id="requests a minute"),
    ],
)
def test_what_an_answer_does_not_depend_on_is_not_in_its_key(
    change: dict[str, Any], endpoint: Any, run: Make, make_solver: Make, make_question: Make
) -> None:
    """A change of how fast or how stubbornly is asked is served from the store."""
    run(make_solver(), [make_question(1)])
    run(make_solver(**change), [make_question(1)])

    assert len(endpoint.bodies) == 1


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"status": 429, "body": {"error": {"message": "slow down"}}}, id="429"),
        pytest.param({"status": 429, "body": {}, "headers": {"retry-after": "0"}}, id="429 with Retry-After"),
        pytest.param({"status": 500, "body": {"error": {"message": "oops"}}}, id="500"),
        pytest.param({"status": 503, "body": b"busy"}, id="503 in prose"),
        pytest.param({"reset": True}, id="reset"),
        pytest.param({"delay_s": 0.6, "body": {}}, id="hang"),
        pytest.param({"body": {"error": {"message": "Upstream overloaded", "code": 502}}}, id="200 with an error"),
        pytest.param({"body": b'{"choices": ['}, id="invalid JSON"),
        pytest.param({"body": {"choices": []}}, id="no choices"),
    ],
)
def test_fault_is_asked_again(
    fault: dict[str, Any],
    endpoint: Any,
    answers: SimpleNamespace,
    run: Make,
    make_solver: Make,
    make_question: Make,
    store: ResponseStore,
) -> None:
    """After one fault the answer comes, the fault is on record, and the store serves the answer."""
    endpoint.behave = lambda body, nth: answers.Act(**fault) if nth == 0 else answers.completion("#### 6")

    result = run(make_solver(timeout_s=0.4), [make_question(1)])

    assert texts(result, "item-1") == ["#### 6"]
    assert (result.requests, result.failed_requests.total(), dict(result.failures)) == (2, 1, {})
    assert store.attempts_by_status("mini").keys() == {"ok", *result.failed_requests}
    assert run(make_solver(), [make_question(1)]).requests == 0


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ({"status": 429, "body": {}, "headers": {"retry-after": "0"}}, "rate_limited"),
        ({"status": 500, "body": {}, "headers": {"retry-after": "0"}}, "error"),
        ({"body": b"<html>"}, "malformed"),
        ({"delay_s": 0.3, "body": {}}, "timeout"),
    ],
)
def test_fault_that_stays_is_a_missing_cell(
    fault: dict[str, Any],
    status: str,
    endpoint: Any,
    answers: SimpleNamespace,
    run: Make,
    make_solver: Make,
    make_question: Make,
) -> None:
    """A sample without an answer has a transient status and no text, is counted, and is asked again by the next run."""
    endpoint.behave = lambda body, nth: answers.Act(**fault)
    solver = make_solver(max_attempts=2, timeout_s=0.2)

    failed = run(solver, [make_question(1, samples=2)])
    endpoint.behave = answers.obliging
    healed = run(solver, [make_question(1, samples=2)])

    assert [(reply.status, reply.text) for reply in failed.replies[("item-1", "base/m9")]] == [(status, "")] * 2
    assert dict(failed.failures) == {status: 2}
    assert dict(failed.failed_requests) == {status: 2}
    assert healed.cached == 0
    assert dict(healed.statuses) == {"ok": 2}


def test_lost_connections_are_counted_as_resets(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """One question whose every request is reset, among others that are answered, has status reset."""
    endpoint.behave = lambda body, nth: (
        answers.Act(reset=True) if "has 7 boxes" in body["messages"][-1]["content"] else answers.completion("#### 6")
    )

    result = run(make_solver(max_attempts=2, concurrency=1), [make_question(i) for i in range(6, 9)])

    assert dict(result.statuses) == {"ok": 2, "reset": 1}


@pytest.mark.parametrize(
    ("text", "finish", "message", "status"),
    [
        ("12 + ", "length", {}, "length"),
        ("", "content_filter", {}, "content_filter"),
        ("", "stop", {"refusal": "I will not."}, "refusal"),
        ("", "stop", {}, "empty"),
        ("", "stop", {"reasoning_content": "#### 6"}, "empty"),
    ],
)
def test_terminal_status_is_kept_and_asked_again_only_on_request(
    text: str,
    finish: str,
    message: dict[str, str],
    status: str,
    endpoint: Any,
    answers: SimpleNamespace,
    run: Make,
    make_solver: Make,
    make_question: Make,
) -> None:
    """An answer that is none is served like any other, until a run asks for its status again."""
    endpoint.behave = lambda body, nth: (
        answers.completion(text, finish=finish, **message) if nth == 0 else answers.completion("#### 6")
    )
    questions = [make_question(1)]

    statuses = [
        dict(run(make_solver(), questions).statuses),
        dict(run(make_solver(), questions).statuses),
        dict(run(make_solver(), questions, retry_statuses=frozenset({status})).statuses),
        dict(run(make_solver(), questions, retry_statuses=frozenset({status})).statuses),
    ]

    assert statuses == [{status: 1}, {status: 1}, {"ok": 1}, {"ok": 1}]
    assert len(endpoint.bodies) == 2


def test_single_replies_can_be_asked_again(endpoint: Any, run: Make, make_solver: Make, make_question: Make) -> None:
    """A reply named by its key is asked for again whatever its status, and the new one is served afterwards."""
    first = run(make_solver(), [make_question(1, samples=2)])
    key = first.replies[("item-1", "base/m9")][1].key

    run(make_solver(), [make_question(1, samples=2)], retry_keys=[key])
    last = run(make_solver(), [make_question(1, samples=2)])

    assert [body.get("n") for body in endpoint.bodies] == [2, None]
    assert texts(last, "item-1") == ["#### 0", "#### 1"]


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (401, {"error": {"message": "Incorrect API key provided: sk-secret"}}, KeyRejected),
        (404, {"error": {"message": "no such model", "code": "model_not_found"}}, ModelNotFound),
        (400, {"error": {"message": "unknown field"}}, BadRequest),
        (429, {"error": {"message": "no credit", "code": "insufficient_quota"}}, QuotaSpent),
    ],
)
def test_what_asking_again_cannot_help_stops_the_run(
    status: int,
    body: dict[str, Any],
    error: type[SolverError],
    endpoint: Any,
    answers: SimpleNamespace,
    run: Make,
    make_solver: Make,
    make_question: Make,
) -> None:
    """The run stops at once, in one sentence without the key, and keeps what was answered before."""
    endpoint.behave = lambda sent, nth: answers.Act(body, status) if nth >= 3 else answers.completion("#### 6")
    solver = make_solver(concurrency=1, api_key_env="EXAMPLE_KEY")
    environment = {"EXAMPLE_KEY": "sk-secret"}
    questions = [make_question(i) for i in range(50)]

    with pytest.raises(error) as caught:
        run(solver, questions, environment=environment)
    endpoint.behave = answers.obliging
    resumed = run(solver, questions, environment=environment)

    assert "sk-secret" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert resumed.cached == 3
    assert len(endpoint.bodies) == 4 + 47


def test_key_is_needed_only_to_ask(endpoint: Any, run: Make, make_solver: Make, make_question: Make) -> None:
    """Without its key a solver is refused before anything is sent, but what is stored is served."""
    solver = make_solver(api_key_env="EXAMPLE_KEY")

    with pytest.raises(MissingKey, match="mini: the environment variable EXAMPLE_KEY is not set"):
        run(solver, [make_question(1)])
    assert endpoint.bodies == []
    run(solver, [make_question(1)], environment={"EXAMPLE_KEY": "sk-secret"})

    assert run(solver, [make_question(1)]).cached == 1
    assert "Bearer sk-secret" in endpoint.headers[0]


def test_missing_endpoint_is_given_up_at_once(run: Make, make_solver: Make, make_question: Make) -> None:
    """A port on which nothing listens ends the run in seconds, however many questions there are."""
    solver = make_solver(base_url="http://127.0.0.1:9/v1", concurrency=64)
    started = time.monotonic()

    with pytest.raises(EndpointGone, match="does not answer"):
        run(solver, [make_question(i) for i in range(500)])

    assert time.monotonic() - started < 5


def test_endpoint_that_goes_away_ends_the_run(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """An endpoint that stops answering midway ends the run after a bounded number of tries; the rest is resumed."""
    endpoint.behave = lambda body, nth: answers.completion("#### 6") if nth < 20 else answers.Act(reset=True)
    questions = [make_question(i) for i in range(300)]

    with pytest.raises(EndpointGone, match="stopped answering"):
        run(make_solver(concurrency=16), questions)

    # Late answers among the first failures start the count anew, and all workers may be trying when it ends.
    assert 20 <= len(endpoint.bodies) <= 20 + 3 * 16 + 2 * 16
    endpoint.behave = answers.obliging
    resumed = run(make_solver(concurrency=16), questions)
    assert resumed.cached == 20
    assert dict(resumed.statuses) == {"ok": 300}


def test_tokens_and_cost(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """Tokens of one request are shared among its samples so that their sum is right; so is the cost."""
    endpoint.behave = lambda body, nth: answers.completion("#### 1", "#### 2", "#### 3", usage=(10, 8))
    solver = make_solver(usd_per_million_prompt_tokens=1.0, usd_per_million_completion_tokens=2.0)

    result = run(solver, [make_question(1, samples=3)])
    replies = result.replies[("item-1", "base/m9")]

    assert [(reply.prompt_tokens, reply.completion_tokens) for reply in replies] == [(4, 3), (3, 3), (3, 2)]
    assert result.cost_usd == pytest.approx(26e-6)  # (10 · 1 + 8 · 2) / 10^6
    assert sum(reply.cost_usd for reply in replies) == pytest.approx(26e-6)


@pytest.mark.parametrize("unknown", ["price", "usage"])
def test_unknown_cost_is_none(
    unknown: str, endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """Without a declared price, or without reported tokens, a cost is None and never 0."""
    endpoint.behave = lambda body, nth: answers.completion("#### 1", usage=None if unknown == "usage" else (10, 8))
    price = {"usd_per_million_prompt_tokens": 1.0, "usd_per_million_completion_tokens": 2.0}

    result = run(make_solver(**(price if unknown == "usage" else {})), [make_question(1)])

    assert result.cost_usd is None
    assert result.replies[("item-1", "base/m9")][0].cost_usd is None


def test_budget_in_requests_holds_over_runs(endpoint: Any, run: Make, make_solver: Make, make_question: Make) -> None:
    """Ten requests are all that are ever sent under a cap of ten, and all ten answers are kept."""
    questions = [make_question(i) for i in range(40)]
    for _ in range(2):
        with pytest.raises(BudgetExhausted, match="max_requests = 10"):
            run(make_solver(max_requests=10, concurrency=4), questions)

    assert len(endpoint.bodies) == 10
    assert run(make_solver(), questions).cached == 10


def test_budget_in_money_is_never_exceeded(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make, store: ResponseStore
) -> None:
    """A run under a cap spends close to it but never more, though requests in flight could cost far more."""
    endpoint.behave = lambda body, nth: answers.completion("#### 6", usage=(100, 50))
    # Each request costs (100 + 50) / 10^6 · 10 = 0.0015 USD, and could cost more than 0.0064 (640 tokens).
    solver = make_solver(
        usd_per_million_prompt_tokens=10.0,
        usd_per_million_completion_tokens=10.0,
        max_cost_usd=0.05,
        max_tokens=640,
        concurrency=16,
    )

    with pytest.raises(BudgetExhausted, match=r"max_cost_usd = 0\.05"):
        run(solver, [make_question(i) for i in range(100)])

    spent = store.spend("mini")
    assert 0.05 - 0.0104 < spent.cost_usd <= 0.05
    assert spent.requests == len(endpoint.bodies)


def test_budget_holds_over_runs_at_work_together(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make, store: ResponseStore
) -> None:
    """What another run on the store spends meanwhile counts within a second or so."""
    endpoint.behave = lambda body, nth: answers.completion("#### 6", delay_s=0.05)

    spent = [Attempt(solver="mini", request_key="r", samples=1, status="ok")] * 1000

    def other_run(progress: Progress) -> None:
        if progress.done >= 10 and spent:
            store.append(Batch(attempts=spent))
            spent.clear()

    with pytest.raises(BudgetExhausted, match="max_requests = 300"):
        run(
            make_solver(max_requests=300, concurrency=4),
            [make_question(i) for i in range(290)],
            progress=other_run,
        )

    assert len(endpoint.bodies) < 200


def test_cap_without_price_is_refused(endpoint: Any, run: Make, make_solver: Make, make_question: Make) -> None:
    """A cap in money without a price is refused before anything is sent."""
    with pytest.raises(UnknownPrice):
        run(make_solver(max_cost_usd=1.0), [make_question(1)])

    assert endpoint.bodies == []


def test_works_inside_a_running_event_loop(endpoint: Any, run: Make, make_solver: Make, make_question: Make) -> None:
    """A caller whose thread runs an event loop gets its answers, and its errors, like any other."""

    async def caller() -> SolveResult:
        with pytest.raises(MissingKey):
            run(make_solver(api_key_env="EXAMPLE_KEY"), [make_question(2)])
        return run(make_solver(), [make_question(1)])

    assert texts(asyncio.run(caller()), "item-1") == ["#### 0"]


def test_concurrency_is_reached_and_kept(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """Exactly as many requests are in flight as declared."""
    endpoint.behave = lambda body, nth: answers.completion("#### 6", delay_s=0.02)

    run(make_solver(concurrency=7), [make_question(i) for i in range(60)])

    assert endpoint.most_in_flight == 7


def test_progress(endpoint: Any, run: Make, make_solver: Make, make_question: Make) -> None:
    """Progress starts at what the store has and ends at the total."""
    run(make_solver(), [make_question(i) for i in range(4)])
    seen: list[Progress] = []

    run(make_solver(), [make_question(i) for i in range(10)], progress=seen.append)

    assert (seen[0].done, seen[0].cached, seen[0].total) == (4, 4, 10)
    assert (seen[-1].done, seen[-1].failed) == (10, 0)


def test_one_item_with_two_texts_is_refused(run: Make, make_solver: Make, make_question: Make) -> None:
    """Two questions that share item and draw but not text would be one cell with two answers."""
    questions = [make_question(1), make_question(1, text="Another text?")]

    with pytest.raises(ValueError, match="'item-1' is asked twice as 'base/m9'"):
        run(make_solver(), questions)


def test_hostile_text_is_stored(
    endpoint: Any, answers: SimpleNamespace, run: Make, make_solver: Make, make_question: Make
) -> None:
    """NUL and half an emoji become U+FFFD; everything else comes back as it was said."""
    endpoint.behave = lambda body, nth: answers.completion("{a}\0 \ud83d '); DROP TABLE responses; -- #### 6 😀")

    run(make_solver(), [make_question(1, text="{problem} {0} %s \\boxed{} 7 😀")])
    served = run(make_solver(), [make_question(1, text="{problem} {0} %s \\boxed{} 7 😀")])

    assert texts(served, "item-1") == ["{a}\ufffd \ufffd '); DROP TABLE responses; -- #### 6 😀"]
    assert endpoint.prompts[0].endswith("Problem: {problem} {0} %s \\boxed{} 7 😀")


SOLVING = """
import asyncio
import sys
from glass_pipeline.domain.records import ItemFacts, Question
from glass_pipeline.llm.solve import solve
from glass_pipeline.llm.store import Attempt, Batch, ResponseStore
from glass_pipeline.study import Solver

solver = Solver(kind="openai", model="tiny", base_url=sys.argv[1], concurrency=8)
facts = ItemFacts(gold="6", base_text="t", family=None, inject_size=None)
questions = [
    Question(item_id=f"item-{i}", text=f"Question {i}?", answer_type="numeric", draw="base/m9", samples=1, facts=facts)
    for i in range(200)
]


def go():
    return solve("mini", solver, questions, store=ResponseStore(sys.argv[2]), environment={}, study_seed=42)


async def go_inside_a_loop():
    return go()


# Unlike asyncio.run, a bare loop leaves SIGINT to whoever is waiting, as a notebook does.
result = asyncio.new_event_loop().run_until_complete(go_inside_a_loop()) if sys.argv[3] == "loop" else go()
print(result.requests, result.cached, result.statuses["ok"])
"""


@pytest.mark.parametrize(
    ("ending", "place"),
    [
        pytest.param(signal.SIGKILL, "main", id="kill -9"),
        pytest.param(signal.SIGINT, "main", id="interrupt"),
        pytest.param(signal.SIGINT, "loop", id="interrupt inside an event loop"),
    ],
)
def test_ended_run_is_resumed(
    ending: signal.Signals, place: str, endpoint: Any, answers: SimpleNamespace, tmp_path: Path
) -> None:
    """However a run ends, the next asks only for what is not stored: all but the requests that were in flight."""
    endpoint.behave = lambda body, nth: answers.completion("#### 6", delay_s=0.01)
    command = [sys.executable, "-c", SOLVING, endpoint.url, str(tmp_path / "responses.sqlite"), place]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(endpoint.bodies) < 100 and killed.poll() is None:
        time.sleep(0.005)
    os.kill(killed.pid, ending)
    killed.wait(timeout=10)
    time.sleep(0.1)
    before = len(endpoint.bodies)
    resumed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    requests, cached, ok = map(int, resumed.stdout.split())

    asked = Counter(endpoint.prompts)
    assert 100 <= before < 200
    assert (requests + cached, ok) == (200, 200)
    assert len(endpoint.bodies) == before + requests
    assert cached >= before - 8
    assert len(asked) == 200
    assert sum(times - 1 for times in asked.values()) == before - cached
