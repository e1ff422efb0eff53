"""Holds the way out and back through a file: what is left to ask as lines of the OpenAI Batch format, and its answers.

For a provider's batch endpoint, and for people who run their own inference. Answers go through the one response store,
so that whatever was answered elsewhere is served like any other reply. Never sends anything.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.records import Question
from glass_pipeline.llm.asking import cost_of, stored_replies
from glass_pipeline.llm.asks import Ask, Describe, singles
from glass_pipeline.llm.budget import price_of
from glass_pipeline.llm.carrier import Response
from glass_pipeline.llm.client import EndpointClient
from glass_pipeline.llm.curtailing import further, opening
from glass_pipeline.llm.errors import SolverError, Transient
from glass_pipeline.llm.plan import Again, Cell, plan
from glass_pipeline.llm.recorder import served
from glass_pipeline.llm.solvers.openai_endpoint import OpenAIEndpoint, endpoint_of, sampling_of
from glass_pipeline.llm.solvers.protocol import Setting
from glass_pipeline.llm.store import Attempt, Batch, ResponseStore

CHUNK = 1_000
"""Replies in one transaction."""
UNREAD = Response(200, {}, b'{"choices": [{"message": {"content": "not read"}}]}')


class RequestFileError(BadInput):
    """A file of responses, or what was asked of it, is wrong; one sentence says where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What a file of responses brought."""

    stored: int
    """Replies that the store has now."""
    failed: Mapping[str, int]
    """Lines without an answer, by status: still left to ask."""
    unknown: int
    """Lines that answer nothing that is left to ask: stored already, or of another study."""


class _Desk:
    """A carrier that carries nothing: it keeps the request and hands out the response that lies there."""

    def __init__(self) -> None:
        self.request = b""
        self.response = UNREAD

    async def post(self, body: bytes) -> Response:
        """Keep a request."""
        self.request = body
        return self.response

    async def close(self) -> None:
        """Close nothing."""


def request_lines(setting: Setting, questions: Sequence[Question], store: ResponseStore) -> Iterator[dict[str, Any]]:
    """Yield one request a sample that the store does not have, in the format of OpenAI's Batch API.

    Where twins may stop early these are the samples that are wanted whatever the others say: take in the responses
    and ask for lines again until there are none.

    Raises:
        RequestFileError: the solver is no endpoint.
    """
    desk = _Desk()
    client = _client(setting, desk)
    with asyncio.Runner() as runner:
        for ask in singles(_left(setting, questions, store)[0]):
            runner.run(client.complete(ask.messages, 1))
            body = json.loads(desk.request)
            yield {"custom_id": ask.keys[0], "method": "POST", "url": "/v1/chat/completions", "body": body}


def take_responses(
    setting: Setting, questions: Sequence[Question], store: ResponseStore, lines: Iterable[Mapping[str, Any]]
) -> Taken:
    """Store the answers of a file of responses: ``{"custom_id", "response": {"status_code", "body"}, "error"}``.

    A file may be taken in again, or in parts: what the store has stands.

    Raises:
        RequestFileError: the solver is no endpoint, or a line is no response.
    """
    responses = dict(_response(line, number) for number, line in enumerate(lines, start=1))
    desk, failed, stored = _Desk(), Counter[str](), 0
    client = _client(setting, desk)
    asks, describe = _left(setting, questions, store)
    answered = [ask for ask in singles(asks) if ask.keys[0] in responses]
    with asyncio.Runner() as runner:
        for start in range(0, len(answered), CHUNK):
            batch = Batch()
            for ask in answered[start : start + CHUNK]:
                desk.response = responses[ask.keys[0]]
                _take(ask, runner, client, setting, describe, batch)
            store.append(batch)
            stored += len(batch.replies)
            failed.update(attempt.status for attempt in batch.attempts if attempt.status != "ok")
    return Taken(stored=stored, failed=failed, unknown=len(responses) - len(answered))


def _take(
    ask: Ask, runner: asyncio.Runner, client: EndpointClient, setting: Setting, describe: Describe, batch: Batch
) -> None:
    slug, key = setting.slug, ask.request_key
    try:
        completion = runner.run(client.complete(ask.messages, 1))
    except SolverError as fault:
        status = fault.status if isinstance(fault, Transient) else "error"
        batch.attempts.append(Attempt(solver=slug, request_key=key, samples=1, status=status, error=str(fault)))
        return
    price = price_of(setting.solver)
    batch.requests.append(describe(ask))
    batch.replies += stored_replies(ask, completion, attempts=1, price=price)
    batch.attempts.append(
        Attempt(
            solver=slug,
            request_key=key,
            samples=1,
            status="ok",
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            cost_usd=cost_of(completion, price),
        )
    )


def _left(setting: Setting, questions: Sequence[Question], store: ResponseStore) -> tuple[list[Ask], Describe]:
    """Return what is wanted of every question whatever the rest says, and what the store is to remember of it."""
    kind, asks = OpenAIEndpoint(setting), list[Ask]()
    whole = {Cell(question.item_id, question.draw): question for question in questions}
    todo = [opening(question) for question in questions]
    while True:
        planned = plan(kind, setting, todo, store, Again())
        asks += planned.asks
        replies = {
            cell: [served(planned.stored[key], cached=True) for key in keys]
            for cell, keys in planned.keys.items()
            if all(key in planned.stored for key in keys)
        }
        todo = further([whole[cell] for cell in replies], replies)
        if not todo:
            return asks, planned.describe


def _client(setting: Setting, desk: _Desk) -> EndpointClient:
    if setting.solver.kind != "openai":
        raise RequestFileError(
            f"{setting.slug} is of kind {setting.solver.kind}; requests go out for solvers of kind openai only."
        )
    return EndpointClient(endpoint_of(setting), desk, api_key="", sampling=sampling_of(setting), supports_n=False)


def _response(line: Mapping[str, Any], number: int) -> tuple[str, Response]:
    custom_id, response, error = line.get("custom_id"), line.get("response"), line.get("error")
    if not isinstance(custom_id, str) or not (isinstance(response, Mapping) or error):
        raise RequestFileError(f"Line {number}: no custom_id with a response or an error; it is no line of responses.")
    if not isinstance(response, Mapping):
        return custom_id, Response(500, {}, json.dumps({"error": error}).encode())
    status = response.get("status_code", 200)
    if not isinstance(status, int):
        raise RequestFileError(f"Line {number}: status_code is {status!r:.40}; it must be a number such as 200.")
    return custom_id, Response(status, {}, json.dumps(response.get("body")).encode())
