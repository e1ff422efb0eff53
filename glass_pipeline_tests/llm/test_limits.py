"""Tests of the pace at which one solver is asked."""

from __future__ import annotations

import asyncio

import pytest

from glass_pipeline.llm.limits import Pace


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        self.now += seconds
        await asyncio.sleep(0)


def test_an_idle_hour_saves_nothing_up() -> None:
    """At 60 a minute no burst follows an idle hour: the second request still waits its second."""
    clock = Clock()
    pace = Pace(concurrency=8, requests_per_minute=60, sleep=clock.sleep, clock=clock)

    async def run() -> None:
        for _ in range(2):
            async with pace.slot(1):
                pass
        clock.now += 3600
        for _ in range(2):
            async with pace.slot(1):
                pass

    asyncio.run(run())

    assert clock.now == 3602.0


def test_unused_tokens_are_given_back() -> None:
    """Of 120 tokens reserved at 60 a minute, 90 given back leave half a minute's wait."""
    clock = Clock()
    pace = Pace(concurrency=8, tokens_per_minute=60, sleep=clock.sleep, clock=clock)

    async def run() -> None:
        async with pace.slot(120):
            pace.used(120, 30)
        async with pace.slot(1):
            pass

    asyncio.run(run())

    assert clock.now == 30.0


def test_no_limit_never_waits() -> None:
    """Without a limit everything passes at once."""
    clock = Clock()
    pace = Pace(concurrency=8, sleep=clock.sleep, clock=clock)

    async def run() -> None:
        for _ in range(2):
            async with pace.slot(10**9):
                pass

    asyncio.run(run())

    assert clock.now == 0.0


@pytest.mark.parametrize(("requests", "tokens", "expected"), [(60, None, 4.0), (None, 600, 40.0), (60, 600, 40.0)])
def test_slots_keep_the_slower_limit(requests: int | None, tokens: int | None, expected: float) -> None:
    """Five requests of 100 tokens start within 4 s at 60 requests a minute, within 40 s at 600 tokens a minute."""
    clock = Clock()
    pace = Pace(concurrency=8, requests_per_minute=requests, tokens_per_minute=tokens, sleep=clock.sleep, clock=clock)

    async def run() -> None:
        for _ in range(5):
            async with pace.slot(100):
                pass

    asyncio.run(run())

    assert clock.now == pytest.approx(expected)


def test_concurrency_is_never_exceeded() -> None:
    """Ten workers at a concurrency of three are three in flight at most, and all get their turn."""
    pace = Pace(concurrency=3)
    seen: list[int] = []

    async def work() -> None:
        async with pace.slot(1):
            seen.append(pace.in_flight)
            await asyncio.sleep(0)

    async def run() -> None:
        await asyncio.gather(*(work() for _ in range(10)))

    asyncio.run(run())

    assert len(seen) == 10
    assert max(seen) == 3
    assert pace.in_flight == 0


def test_cancelled_waiters_leave_no_hole() -> None:
    """A worker cancelled while it waits, or just as its turn comes, takes no place with it."""
    pace = Pace(concurrency=1)

    async def hold(seconds: float) -> None:
        async with pace.slot(1):
            await asyncio.sleep(seconds)

    async def run() -> None:
        first = asyncio.create_task(hold(0.01))
        await asyncio.sleep(0)
        second, third = asyncio.create_task(hold(0)), asyncio.create_task(hold(0))
        await asyncio.sleep(0)
        second.cancel()
        await first
        third.cancel()
        await asyncio.gather(second, third, return_exceptions=True)
        await asyncio.wait_for(hold(0), timeout=1)

    asyncio.run(run())

    assert pace.in_flight == 0


def test_throttling_pauses_everybody_once_and_halves_once() -> None:
    """Eight 429s of one moment halve the concurrency of eight once, and the next request waits what they asked."""
    clock = Clock()
    pace = Pace(concurrency=8, sleep=clock.sleep, clock=clock)

    async def run() -> None:
        for _ in range(8):
            pace.throttled(7.0)
        async with pace.slot(1):
            pass

    asyncio.run(run())

    assert pace.limit == 4.0
    assert clock.now == 7.0


def test_rare_throttling_pauses_nobody() -> None:
    """One 429 in fifty responses slows nobody but the request that met it."""
    clock = Clock()
    pace = Pace(concurrency=8, sleep=clock.sleep, clock=clock)

    for _ in range(20):
        pace.throttled(7.0)
        for _ in range(49):
            pace.succeeded()

    assert pace.limit == 8.0


def test_three_in_a_row_are_a_limit() -> None:
    """Two 429s in a row change nothing, the third does: 1 - 0.9³ = 0.271 is the first above 0.2."""
    clock = Clock()
    pace = Pace(concurrency=8, sleep=clock.sleep, clock=clock)
    limits = []
    for _ in range(3):
        pace.throttled(None)
        limits.append(pace.limit)

    assert limits == [8.0, 8.0, 4.0]


def test_concurrency_grows_back() -> None:
    """Successes bring concurrency back, one a round: from 4, four successes make it about 5, and never above 8."""
    clock = Clock()
    pace = Pace(concurrency=8, sleep=clock.sleep, clock=clock)
    for _ in range(3):
        pace.throttled(None)

    for _ in range(4):
        pace.succeeded()
    after_a_round = pace.limit
    for _ in range(1000):
        pace.succeeded()

    assert after_a_round == pytest.approx(4.9, abs=0.1)
    assert pace.limit == 8.0
