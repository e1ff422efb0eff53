"""Fixtures for solving: questions, stores, and an endpoint on loopback that misbehaves as told."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from glass_pipeline.domain.records import ItemFacts, Question
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Solver


@dataclass(frozen=True)
class Act:
    """What the endpoint does with one request."""

    body: Any = None
    """JSON-able, or bytes as they are."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    reset: bool = False
    """Close with RST, without an answer."""


def completion(
    *texts: str,
    finish: str = "stop",
    usage: tuple[int, int] | None = (10, 4),
    delay_s: float = 0.0,
    **message: Any,
) -> Act:
    """Return an answer with one choice a text."""
    choices = [
        {"index": i, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        for i, text in enumerate(texts)
    ]
    counted = {} if usage is None else {"usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}}
    return Act({"object": "chat.completion", "choices": choices, **counted}, delay_s=delay_s)


def obliging(body: dict[str, Any], nth: int) -> Act:
    """Answer every request as asked: ``#### <n>`` with the ordinal of the request."""
    return completion(*(f"#### {nth}" for _ in range(body.get("n", 1))))


@dataclass
class Endpoint:
    """An endpoint on loopback; ``behave`` decides what the nth request (from 0) meets."""

    behave: Callable[[dict[str, Any], int], Act] = obliging
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0
    port: int = 0

    @property
    def url(self) -> str:
        """Base URL for a solver."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def prompts(self) -> list[str]:
        """Last message of each request."""
        return [body["messages"][-1]["content"] for body in self.bodies]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it closes."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = next(
                    int(line.split(":")[1]) for line in head.split("\r\n") if line.lower().startswith("content-length")
                )
                body = json.loads(await reader.readexactly(length))
                if not await self._answer(body, head, writer):
                    return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            return
        finally:
            writer.close()

    async def _answer(self, body: dict[str, Any], head: str, writer: asyncio.StreamWriter) -> bool:
        act = self.behave(body, len(self.bodies))
        self.bodies.append(body)
        self.headers.append(head)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(act.delay_s)
        finally:
            self.in_flight -= 1
        if act.reset:
            connection = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        payload = act.body if isinstance(act.body, bytes) else json.dumps(act.body).encode()
        fields = {"content-type": "application/json", "content-length": str(len(payload)), **act.headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(f"HTTP/1.1 {act.status} X\r\n{lines}\r\n".encode() + payload)
        await writer.drain()
        return True


@pytest.fixture
def answers() -> SimpleNamespace:
    """Return what an endpoint can be told to do: ``Act``, ``completion`` and ``obliging``."""
    return SimpleNamespace(Act=Act, completion=completion, obliging=obliging)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """Return an endpoint that runs in a thread of its own."""
    served = Endpoint()
    started = threading.Event()
    ending: list[Callable[[], Any]] = []

    async def listen() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        ending.append(lambda: loop.call_soon_threadsafe(stop.set))
        async with await asyncio.start_server(served.serve, "127.0.0.1", 0, backlog=1024) as server:
            served.port = server.sockets[0].getsockname()[1]
            started.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(listen()))
    thread.start()
    started.wait()
    yield served
    ending[0]()
    thread.join()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ResponseStore]:
    """Return an empty SQLite store."""
    opened = ResponseStore(tmp_path / "responses.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def make_solver(endpoint: Endpoint) -> Callable[..., Solver]:
    """Return a maker of solvers that ask the endpoint."""

    def make(**changes: Any) -> Solver:
        return Solver(**{"kind": "openai", "model": "tiny", "base_url": endpoint.url, "timeout_s": 5.0, **changes})

    return make


@pytest.fixture
def make_question() -> Callable[..., Question]:
    """Return a maker of questions: ``make_question(3)`` is item-3."""

    def make(number: int = 0, **changes: Any) -> Question:
        text = f"Mia has {number} boxes of 6 pens. How many pens does Mia have?"
        facts = ItemFacts(gold=str(6 * number), base_text=text, family=None, inject_size=None)
        fields = {
            "item_id": f"item-{number}",
            "text": text,
            "answer_type": "numeric",
            "draw": "base/m9",
            "samples": 1,
            "facts": facts,
        }
        return Question(**{**fields, **changes})

    return make
