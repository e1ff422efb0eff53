"""Holds the pace at which one solver is asked: concurrency, requests and tokens a minute, and what a 429 teaches.

All workers of a run share one ``Pace``, and all processes that share its notes the limits a minute and the pauses, so
one 429 slows all of them. Never sends and never counts money.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from glass_pipeline.llm.notes import Noted, Notes, OwnNotes

DEFAULT_PAUSE_S = 1.0
"""How long all workers stop after a 429 that names no time."""
MEMORY = 0.1
"""Weight of the newest response in the running share of 429s."""
CROWDED_SHARE = 0.2
"""Running share of 429s from which they are taken for a limit that all workers hit: three in a row are enough."""


class Pace:
    """Gate in front of an endpoint: adaptive concurrency, requests a minute, tokens a minute, shared pauses."""

    def __init__(
        self,
        *,
        concurrency: int,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        notes: Notes | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Start at full concurrency.

        Args:
            concurrency: Most requests in flight.
            requests_per_minute: None for no limit.
            tokens_per_minute: None for no limit.
            notes: Where times are noted that others keep to as well; None: nobody else asks this solver.
            sleep: Waits so many seconds; tests hand in one that does not.
            clock: Seconds on the clock of the notes; None: the monotonic one.
        """
        self.limit = float(concurrency)
        """Requests that may be in flight now: halved by a 429, grown back by one a round of successes."""
        self.in_flight = 0
        self._most = concurrency
        self._request_s = 0.0 if requests_per_minute is None else 60.0 / requests_per_minute
        self._token_s = 0.0 if tokens_per_minute is None else 60.0 / tokens_per_minute
        self._notes = notes or OwnNotes()
        self._sleep = sleep
        self._clock = clock or time.monotonic
        self._paused_until = 0.0
        self._throttled_share = 0.0
        self._queue: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self, tokens: int) -> AsyncIterator[None]:
        """Hold one place in flight, entered no sooner than the limits allow.

        Args:
            tokens: Most tokens the request can use; see ``used``.
        """
        await self._enter()
        try:
            await self._wait_for_turn(tokens)
            yield
        finally:
            self.in_flight -= 1
            self._admit()

    def used(self, reserved: int, tokens: int) -> None:
        """Give back the tokens that a request reserved but did not use."""
        spare_s = max(reserved - tokens, 0) * self._token_s
        if spare_s:
            self._notes.change(lambda noted: noted._replace(tokens_at=noted.tokens_at - spare_s))

    def succeeded(self) -> None:
        """Let concurrency grow back by one for each round of successes."""
        self._throttled_share *= 1 - MEMORY
        self.limit = min(float(self._most), self.limit + 1.0 / self.limit)
        self._admit()

    def throttled(self, retry_after_s: float | None) -> None:
        """Take note of a 429; once they crowd, pause all workers and halve concurrency, once for each pause.

        A 429 among many successes is the one request's affair: it waits by itself (see ``asking``).
        """
        self._throttled_share = self._throttled_share * (1 - MEMORY) + MEMORY
        if self._throttled_share < CROWDED_SHARE:
            return
        until = self._clock() + (DEFAULT_PAUSE_S if retry_after_s is None else retry_after_s)
        self._heed(until)
        self._notes.change(lambda noted: noted._replace(paused_until=max(noted.paused_until, until)))

    def _heed(self, until: float) -> None:
        """Take note of a pause, one's own or another's."""
        now = self._clock()
        if until > now >= self._paused_until:
            self.limit = max(1.0, self.limit / 2)
        self._paused_until = max(self._paused_until, until)

    async def _enter(self) -> None:
        if not self._queue and self.in_flight < int(self.limit):
            self.in_flight += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.in_flight -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._queue and self.in_flight < int(self.limit):
            place = self._queue.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    async def _wait_for_turn(self, tokens: int) -> None:
        turn = self._reserve(tokens)
        while (wait := max(turn, self._pause()) - self._clock()) > 0:
            await self._sleep(wait)

    def _reserve(self, tokens: int) -> float:
        """Return when a request may pass, and hold its place: amounts are spaced so that no minute holds too many."""
        now = self._clock()
        if not self._request_s and not self._token_s:
            return now

        def taken(noted: Noted) -> Noted:
            return noted._replace(
                requests_at=max(now, noted.requests_at) + self._request_s,
                tokens_at=max(now, noted.tokens_at) + tokens * self._token_s,
            )

        before = self._notes.change(taken)
        return max(now, before.requests_at, before.tokens_at)

    def _pause(self) -> float:
        self._heed(self._notes.look().paused_until)
        return self._paused_until
