"""Tests of the carrier of requests."""

from __future__ import annotations

import asyncio
import gzip
import json
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from glass_pipeline.llm.lanes import LARGEST_BODY, Lanes


async def post(client: httpx2.AsyncClient, url: str) -> httpx2.Response:
    """Send one request."""
    return await client.post(f"{url}/chat/completions", json={"messages": [{"content": "2 + 2?"}]})


def test_connections_are_kept(endpoint: Any) -> None:
    """Requests one after another share a connection; three at once need three."""

    async def run() -> list[int]:
        counts = []
        lanes = Lanes()
        async with httpx2.AsyncClient(transport=lanes) as client:
            for at_once in (1, 1, 3, 2):
                await asyncio.gather(*(post(client, endpoint.url) for _ in range(at_once)))
                counts.append(lanes.opened)
        return counts

    assert asyncio.run(run()) == [1, 1, 3, 3]


def test_lane_survives_a_broken_connection(endpoint: Any, answers: SimpleNamespace) -> None:
    """After a reset the next request goes through."""
    endpoint.behave = lambda body, nth: answers.Act(reset=True) if nth == 1 else answers.completion("#### 4")

    async def run() -> list[int]:
        seen = []
        async with httpx2.AsyncClient(transport=Lanes()) as client:
            for _ in range(3):
                try:
                    seen.append((await post(client, endpoint.url)).status_code)
                except httpx2.TransportError:
                    seen.append(0)
        return seen

    assert asyncio.run(run()) == [200, 0, 200]


def test_compressed_body_is_read(endpoint: Any, answers: SimpleNamespace) -> None:
    """A compressed response arrives as what it holds."""
    packed = gzip.compress(json.dumps({"answer": 4}).encode())
    endpoint.behave = lambda body, nth: answers.Act(packed, headers={"content-encoding": "gzip"})

    async def run() -> Any:
        async with httpx2.AsyncClient(transport=Lanes()) as client:
            return (await post(client, endpoint.url)).json()

    assert asyncio.run(run()) == {"answer": 4}


def test_endless_body_is_dropped(endpoint: Any, answers: SimpleNamespace) -> None:
    """A response that unpacks to more than the limit is a broken connection, not memory."""
    bomb = gzip.compress(b"0" * (LARGEST_BODY + 1))
    endpoint.behave = lambda body, nth: answers.Act(bomb, headers={"content-encoding": "gzip"})

    async def run() -> None:
        async with httpx2.AsyncClient(transport=Lanes()) as client:
            await post(client, endpoint.url)

    with pytest.raises(httpx2.RemoteProtocolError, match="more than"):
        asyncio.run(run())
