"""Tests of one HTTP request through the seam below the client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.llm.asks import Message
from glass_pipeline.llm.carrier import Response
from glass_pipeline.llm.client import EndpointClient, Sampling
from glass_pipeline.llm.errors import (
    BadRequest,
    KeyRejected,
    Malformed,
    SolverError,
)
from glass_pipeline.llm.faults import Endpoint
from glass_pipeline.llm.wire import Completion

PROMPT = (Message("user", "2 + 2?"),)


class Spoken:
    """A client over a function from request body to response, and the bodies that it sent."""

    def __init__(self, respond: Callable[[dict[str, Any]], Response], **changes: Any) -> None:
        self.bodies: list[dict[str, Any]] = []
        sampling = {"temperature": 0.2, "max_tokens": 64, "reasoning_effort": None, **changes}
        self.client = EndpointClient(
            Endpoint("mini", "http://tiny.example/v1", "tiny-1", "$EXAMPLE_KEY"),
            self,
            api_key="sk-secret",
            sampling=Sampling(**sampling),
            supports_n=True,
        )
        self._respond = respond

    async def post(self, body: bytes) -> Response:
        """Carry one request."""
        self.bodies.append(json.loads(body))
        return self._respond(self.bodies[-1])

    async def close(self) -> None:
        """Close nothing."""

    def ask(self, samples: int = 1, seed: int | None = None) -> Completion:
        """Send one request."""
        return asyncio.run(self.client.complete(PROMPT, samples, seed))


def answer(*texts: str) -> Response:
    """Return a response with one choice a text."""
    choices = [{"index": i, "message": {"content": text}, "finish_reason": "stop"} for i, text in enumerate(texts)]
    return Response(200, {}, json.dumps({"choices": choices}).encode())


def refuse(message: str, status: int = 400, **details: Any) -> Response:
    """Return an error response."""
    return Response(status, {}, json.dumps({"error": {"message": message, **details}}).encode())


def test_request() -> None:
    """A request holds model, prompt and declared sampling, and no key."""
    spoken = Spoken(lambda body: answer("#### 4"))

    completion = spoken.ask(seed=11)

    assert completion.choices[0].text == "#### 4"
    assert spoken.bodies == [
        {
            "model": "tiny-1",
            "messages": [{"role": "user", "content": "2 + 2?"}],
            "max_tokens": 64,
            "temperature": 0.2,
            "seed": 11,
        }
    ]


def test_reasoning_model() -> None:
    """A reasoning model gets its effort and the newer name of the token limit; no temperature means none is sent."""
    spoken = Spoken(lambda body: answer("#### 4"), temperature=None, reasoning_effort="low")

    spoken.ask()

    assert spoken.bodies[0]["max_completion_tokens"] == 64
    assert spoken.bodies[0]["reasoning_effort"] == "low"
    assert not {"max_tokens", "temperature"} & set(spoken.bodies[0])


def test_refused_temperature_is_dropped_and_remembered() -> None:
    """An endpoint that refuses a temperature is asked again without, once, and never again with."""

    def respond(body: dict[str, Any]) -> Response:
        if "temperature" in body:
            return refuse("Unsupported value: 'temperature' does not support 0.2", param="temperature")
        return answer("#### 4")

    spoken = Spoken(respond)
    spoken.ask()
    spoken.ask()

    assert ["temperature" in body for body in spoken.bodies] == [True, False, False]
    assert spoken.client.remarks == ["refuses a temperature: none was sent"]


def test_refused_token_limit_is_renamed() -> None:
    """An endpoint that wants ``max_completion_tokens`` gets it."""

    def respond(body: dict[str, Any]) -> Response:
        if "max_tokens" in body:
            return refuse("'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
        return answer("#### 4")

    spoken = Spoken(respond)
    spoken.ask()

    assert spoken.bodies[1]["max_completion_tokens"] == 64


def test_ignored_n_is_remembered() -> None:
    """An endpoint that answers once whatever n asks for is not sent n again."""
    spoken = Spoken(lambda body: answer("#### 4"))

    completion = spoken.ask(samples=5)

    assert len(completion.choices) == 1
    assert spoken.bodies[0]["n"] == 5
    assert not spoken.client.supports_n


def test_refused_n_is_remembered() -> None:
    """An endpoint that refuses n is asked again without."""
    spoken = Spoken(lambda body: refuse("Only n=1 is supported", param="n") if "n" in body else answer("#### 4"))

    spoken.ask(samples=5)

    assert ["n" in body for body in spoken.bodies] == [True, False]
    assert not spoken.client.supports_n


def test_more_choices_than_asked_are_cut() -> None:
    """Choices beyond those asked for are dropped."""
    spoken = Spoken(lambda body: answer("a", "b", "c"))

    assert [choice.text for choice in spoken.ask(samples=2).choices] == ["a", "b"]


def test_filtered_prompt_is_an_answer() -> None:
    """A 400 that says the prompt was filtered is the terminal status of each sample, not a failed run."""
    spoken = Spoken(lambda body: refuse("The prompt was filtered.", code="content_filter"))

    completion = spoken.ask(samples=2)

    assert [choice.status for choice in completion.choices] == ["content_filter", "content_filter"]


def test_prompt_too_long_is_an_answer() -> None:
    """A 400 that says the prompt does not fit is the terminal status of each sample, not a failed run."""
    spoken = Spoken(lambda body: refuse("The request exceeds the context size", code="context_length_exceeded"))

    assert spoken.ask().choices[0].status == "length"


@pytest.mark.parametrize(
    ("response", "fault"),
    [
        pytest.param(refuse("no", 401), KeyRejected, id="401"),
        pytest.param(refuse("temperature has nothing to do with it", 403), KeyRejected, id="403"),
        pytest.param(refuse("unknown field"), BadRequest, id="400"),
        pytest.param(Response(307, {"location": "/elsewhere"}, b""), BadRequest, id="redirect"),
        pytest.param(Response(400, {}, b"<html>" + b"[" * 10_000), BadRequest, id="no JSON"),
        pytest.param(Response(200, {}, b"{"), Malformed, id="invalid JSON"),
    ],
)
def test_faults(response: Response, fault: type[SolverError]) -> None:
    """Each failure is raised by its name."""
    with pytest.raises(fault):
        Spoken(lambda body: response).ask()


def test_key_is_cut_out_of_messages() -> None:
    """An endpoint that repeats the key in its error does not get it into ours."""
    spoken = Spoken(lambda body: refuse("your key sk-secret may not do this"))

    with pytest.raises(BadRequest) as caught:
        spoken.ask()

    assert "sk-secret" not in str(caught.value)
