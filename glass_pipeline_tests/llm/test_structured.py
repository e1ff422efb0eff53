"""Structured answers: how they are asked for, rung by rung, and how JSON is found in whatever comes back."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.solve import SolveResult, solve
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.llm.structured import Structure, objects_in, response_format
from glass_pipeline.study import Solver

STRUCTURE = Structure(name="colour", schema={"type": "object", "properties": {"colour": {"type": "string"}}})


def refusal(answers: SimpleNamespace, message: str, status: int = 400) -> Any:
    """Return a refused request."""
    return answers.Act({"error": {"message": message, "code": None, "param": None}}, status=status)


@pytest.fixture
def ask(
    store: ResponseStore, make_solver: Callable[..., Solver], make_question: Callable[..., Question]
) -> Callable[..., SolveResult]:
    """Return a function that asks the endpoint one question a number, with or without a structure."""

    def answer(*numbers: int, structure: Structure | None = STRUCTURE) -> SolveResult:
        questions = [make_question(number) for number in numbers]
        return solve(
            "tiny",
            make_solver(concurrency=1),
            questions,
            store=store,
            environment={},
            study_seed=1,
            structure=structure,
        )

    return answer


def test_a_schema_is_asked_for_first(endpoint: Any, ask: Callable[..., SolveResult]) -> None:
    """An endpoint that refuses nothing is sent the schema, by name and in strict mode."""
    ask(1)

    assert endpoint.bodies[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "colour", "strict": True, "schema": STRUCTURE.schema},
    }


@pytest.mark.parametrize(
    ("refused", "wanted", "messages"),
    [
        ({"json_schema"}, "json_object", ["'response_format' of type 'json_schema' is not supported"]),
        ({"json_schema", "json_object"}, None, ["This response_format type is unavailable now", "json mode is off"]),
    ],
    ids=["no schema", "nothing structured"],
)
def test_less_is_asked_for_after_a_refusal(
    endpoint: Any,
    answers: SimpleNamespace,
    ask: Callable[..., SolveResult],
    refused: set[str],
    wanted: str | None,
    messages: list[str],
) -> None:
    """Each refused rung is asked for once in a run; the rest of the run starts from what was learnt, and says so."""
    said = iter(messages)

    def behave(body: dict[str, Any], nth: int) -> Any:
        asked = body.get("response_format", {}).get("type")
        return refusal(answers, next(said)) if asked in refused else answers.obliging(body, nth)

    endpoint.behave = behave
    result = ask(1, 2, 3)

    forms = [body.get("response_format", {}).get("type") for body in endpoint.bodies]
    assert forms == [*sorted(refused, reverse=True), wanted, wanted, wanted]
    assert result.failures == {}
    assert len(result.notes) == len(refused)
    assert "refuses json_schema" in result.notes[0]


def test_a_refusal_of_something_else_is_not_taken_for_one_of_the_structure(
    endpoint: Any, answers: SimpleNamespace, ask: Callable[..., SolveResult]
) -> None:
    """A bad request stops the run; nothing is asked again without the schema."""
    endpoint.behave = lambda *_: refusal(answers, "messages: too many roles")

    with pytest.raises(Exception, match="too many roles"):
        ask(1)
    assert len(endpoint.bodies) == 1


def test_free_text_sends_no_form_and_keeps_its_keys(endpoint: Any, ask: Callable[..., SolveResult]) -> None:
    """The structure is part of the key: the same words with and without one are two questions, each asked once."""
    ask(1, structure=None)
    ask(1, structure=STRUCTURE)
    ask(1, structure=None)
    ask(1, structure=STRUCTURE)

    assert ["response_format" in body for body in endpoint.bodies] == [False, True]


def test_text_has_no_form() -> None:
    """The last rung sends nothing."""
    assert response_format(STRUCTURE, "text") is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1}', [{"a": 1}]),
        (' \n{"a": 1}\n', [{"a": 1}]),
        ('```json\n{"a": 1}\n```', [{"a": 1}]),
        ('Here you are:\n```\n{"a": 1}\n```\nDone.', [{"a": 1}]),
        ('{"a": "```json\\n{\\"b\\": 2}\\n```"}', [{"a": '```json\n{"b": 2}\n```'}]),
        ('Sure. {"a": {"b": 1}} and {"c": 2}.', [{"a": {"b": 1}}, {"c": 2}]),
        ('a set {1, 2} and {"a": 1}', [{"a": 1}]),
        ('<think>{"a": 0}</think>{"a": 1}', [{"a": 1}]),
        ('```json\nnot yet\n```\n{"a": 1}', [{"a": 1}]),
        ("[1, 2]", []),
        ("no", []),
        ("", []),
        ('{"a": 1', []),
        ("{'a': 1}", []),
    ],
)
def test_the_ladder_of_reading(text: str, found: list[dict[str, Any]]) -> None:
    """Raw, then fenced, then from the first object on; a fence inside a string breaks nothing (case fc-083)."""
    assert list(objects_in(text)) == found


@pytest.mark.parametrize(
    "text", ["{" * 200_000, '{"a":' * 100_000, "[{" * 100_000, "```\n" * 50_000, '{"a": 9' + "9" * 5_000 + "}"]
)
def test_hostile_answers_are_soon_done_with(text: str) -> None:
    """Neither depth, length nor a number beyond all bounds costs more than a moment."""
    started = time.monotonic()

    list(objects_in(text))

    assert time.monotonic() - started < 2


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    """Whatever comes back, objects or nothing are found in it."""
    assert all(isinstance(found, dict) for found in objects_in(text))
