"""Holds the recorder of one run: commits replies in groups, counts what happened, reports progress.

Never asks anything and never judges an answer.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType

from glass_pipeline.domain.records import Reply
from glass_pipeline.llm.asks import Ask, Describe
from glass_pipeline.llm.store import Attempt, Batch, ResponseStore, Spend, StoredReply

PROGRESS_EVERY_S = 0.2
WATCH_EVERY_S = 1.0
"""How often a capped run looks at what other runs on the store have spent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is, in samples."""

    done: int
    """Answered, served from the store, or given up on."""
    total: int
    cached: int
    """Served from the store."""
    failed: int
    """Given up on with a transient status."""
    cost_usd: float | None
    """Spent in this run so far; None if the price is unknown."""


class Recorder:
    """Keeps what comes back; an async context manager that leaves nothing unwritten behind."""

    def __init__(
        self,
        store: ResponseStore,
        *,
        describe: Describe,
        total: int,
        cached: int,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        """Start with ``cached`` of ``total`` samples already served; ``describe`` says what to store of an ask."""
        self.replies: dict[str, Reply] = {}
        """What each asked key came back as."""
        self.failures: Counter[str] = Counter()
        """Samples given up on, by transient status."""
        self.failed_requests: Counter[str] = Counter()
        """Requests without an answer, by status; most were asked again."""
        self.requests = 0
        """Requests that went out."""
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.cost_usd: float | None = None
        self.notes: list[str] = []
        """What the report should say about how this solver was asked."""
        self._store = store
        self._describe = describe
        self._total = total
        self._cached = cached
        self._progress = progress
        self._reported_at = 0.0
        self._waiting: list[tuple[Sequence[StoredReply], asyncio.Future[None]]] = []
        self._batch = Batch()
        self._known_requests: set[str] = set()
        self._commits: asyncio.Task[None] | None = None
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="response-store")
        self._watch: Callable[[Spend], None] | None = None
        self._watched = ""
        self._watched_at = 0.0
        self._committed = Spend(requests=0, cost_usd=0.0)

    def watch(self, solver: str, others_used: Callable[[Spend], None]) -> None:
        """Report now and then, after a commit, what all other runs of a solver have used up."""
        self._watched, self._watch = solver, others_used

    async def __aenter__(self) -> Recorder:
        """Report the start."""
        self._report(always=True)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write what is left, whatever happened."""
        try:
            await asyncio.shield(self._drain())
        finally:
            self._writer.shutdown()
            self._report(always=True)

    async def keep(self, asks: Iterable[Ask], replies: Sequence[StoredReply]) -> None:
        """Store replies and what they answer; return once they are durable."""
        for ask in asks:
            if ask.request_key not in self._known_requests:
                self._known_requests.add(ask.request_key)
                self._batch.requests.append(self._describe(ask))
        self._batch.replies.extend(replies)
        durable: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((replies, durable))
        self._start_committing()
        await durable

    def attempted(self, attempt: Attempt) -> None:
        """Count one request that went out, and write it with the next group."""
        self.requests += 1
        self._batch.attempts.append(attempt)
        if attempt.status != "ok":
            self.failed_requests[attempt.status] += 1
        self.prompt_tokens += attempt.prompt_tokens or 0
        self.completion_tokens += attempt.completion_tokens or 0
        if attempt.cost_usd is not None:
            self.cost_usd = (self.cost_usd or 0.0) + attempt.cost_usd

    def give_up(self, ask: Ask, status: str, error: str) -> None:
        """Note that the samples of an ask have no answer; nothing of it is ever served."""
        for key in ask.keys:
            self.replies[key] = Reply(key=key, status=status, text="", error=error)
            self.failures[status] += 1
        self._report()

    def note(self, remark: str) -> None:
        """Add a remark for the report, once."""
        if remark not in self.notes:
            self.notes.append(remark)

    def _start_committing(self) -> None:
        if self._commits is None or self._commits.done():
            self._commits = asyncio.create_task(self._commit())

    async def _commit(self) -> None:
        # While one transaction is written, the next group gathers.
        while self._waiting or self._batch.attempts:
            batch, self._batch = self._batch, Batch()
            waiting, self._waiting = self._waiting, []
            try:
                stored_first = await asyncio.get_running_loop().run_in_executor(self._writer, self._append, batch)
            except BaseException as error:
                for _, durable in waiting:
                    if not durable.done():
                        durable.set_exception(error)
                return
            for replies, durable in waiting:
                self._serve(replies, stored_first)
                if not durable.done():
                    durable.set_result(None)
            self._report()

    def _append(self, batch: Batch) -> dict[str, StoredReply]:
        """Write a batch; runs in the one thread that writes, so that what is committed and what is counted agree."""
        stored_first = self._store.append(batch)
        self._committed = Spend(
            requests=self._committed.requests + len(batch.attempts),
            cost_usd=self._committed.cost_usd + sum(attempt.cost_usd or 0.0 for attempt in batch.attempts),
        )
        if self._watch is not None and time.monotonic() - self._watched_at >= WATCH_EVERY_S:
            self._watched_at = time.monotonic()
            used = self._store.spend(self._watched)
            self._watch(
                Spend(
                    requests=used.requests - self._committed.requests,
                    cost_usd=max(used.cost_usd - self._committed.cost_usd, 0.0),
                )
            )
        return stored_first

    def _serve(self, replies: Sequence[StoredReply], stored_first: dict[str, StoredReply]) -> None:
        for reply in replies:
            self.replies[reply.key] = served(stored_first.get(reply.key, reply), cached=False)

    async def _drain(self) -> None:
        if self._commits is not None:
            await asyncio.wait([self._commits])
        if self._waiting or self._batch.attempts:
            await self._commit()

    def _report(self, *, always: bool = False) -> None:
        now = time.monotonic()
        if self._progress is None or not (always or now - self._reported_at >= PROGRESS_EVERY_S):
            return
        self._reported_at = now
        self._progress(
            Progress(
                done=self._cached + len(self.replies),
                total=self._total,
                cached=self._cached,
                failed=self.failures.total(),
                cost_usd=self.cost_usd,
            )
        )


def served(stored: StoredReply, *, cached: bool) -> Reply:
    """Return a stored reply as the record that graders read."""
    return Reply(
        key=stored.key,
        status=stored.status,
        text=stored.text,
        finish_reason=stored.finish_reason,
        prompt_tokens=stored.prompt_tokens,
        completion_tokens=stored.completion_tokens,
        cost_usd=stored.cost_usd,
        error=stored.error,
        cached=cached,
    )
