"""Holds how a run of asks goes through one endpoint: workers, retries, budget, pace, and the end of each ask.

Every ask ends stored (``ok`` or a terminal status) or counted under a transient status. Never builds a request and
never reads a body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_base, wait_random_exponential

from glass_pipeline.domain.seeding import seed_of
from glass_pipeline.llm.asks import Ask, Message
from glass_pipeline.llm.budget import Budget, Price
from glass_pipeline.llm.client import EndpointClient
from glass_pipeline.llm.contact import Contact, RetryBudget
from glass_pipeline.llm.errors import BudgetExhausted, ConnectionLost, RateLimited, Transient
from glass_pipeline.llm.limits import Pace
from glass_pipeline.llm.recorder import Recorder
from glass_pipeline.llm.store import Attempt, StoredReply
from glass_pipeline.llm.wire import Completion

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
"""Back-off: a random wait up to 0.5 s, 1 s, 2 s … 30 s (full jitter)."""


class Policy(NamedTuple):
    """How one solver is asked."""

    slug: str
    max_attempts: int
    max_tokens: int
    seeded: bool
    """Send each sample its own seed."""
    study_seed: int
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Tried(NamedTuple):
    """A completion and the number of requests it took."""

    completion: Completion
    attempts: int


class Asker:
    """Answers asks through one client."""

    def __init__(
        self,
        client: EndpointClient,
        policy: Policy,
        *,
        pace: Pace,
        budget: Budget,
        contact: Contact,
        recorder: Recorder,
    ) -> None:
        """Put the parts together; nothing is sent yet."""
        self._client = client
        self._policy = policy
        self._pace = pace
        self._budget = budget
        self._contact = contact
        self._recorder = recorder
        self._retry_budget = RetryBudget()
        self._retrying = AsyncRetrying(
            retry=retry_if_exception(self._may_retry),
            stop=stop_after_attempt(policy.max_attempts),
            wait=WaitAsTold(wait_random_exponential(multiplier=FIRST_WAIT_S, max=LONGEST_WAIT_S)),
            sleep=policy.sleep,
            reraise=True,
        )

    async def answer(self, asks: Iterable[Ask], workers: int) -> None:
        """Answer every ask, ``workers`` at a time.

        Raises:
            Permanent: the run stops; what was answered is stored.
            BudgetExhausted: nothing further fits the cap; what was in flight is stored.
        """
        todo = iter(asks)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._work(todo)) for _ in range(workers)]
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        finally:
            for remark in self._client.remarks:
                self._recorder.note(f"{self._policy.slug} {remark}.")
        exhausted = [error for error in (task.result() for task in tasks) if error is not None]
        if exhausted:
            raise exhausted[0]

    async def _work(self, todo: Iterator[Ask]) -> BudgetExhausted | None:
        for ask in todo:
            try:
                await self._answer_one(ask)
            except BudgetExhausted as error:
                # The others finish what is already paid for.
                return error
        return None

    async def _answer_one(self, ask: Ask) -> None:
        rest = ask
        while rest.samples:
            wanted = len(rest.samples) if self._client.supports_n else 1
            now, rest = _first(rest, wanted)
            try:
                tried = await self._try(now)
            except Transient as fault:
                self._recorder.give_up(now, fault.status, str(fault))
                continue
            answered, missing = _first(now, len(tried.completion.choices))
            rest = _joined(missing, rest)
            replies = stored_replies(answered, tried.completion, attempts=tried.attempts, price=self._budget.price)
            await self._recorder.keep([ask], replies)

    async def _try(self, ask: Ask) -> Tried:
        # Most first tries succeed, and the machinery of retries costs as much as a third of a request.
        try:
            return Tried(await self._send(ask), 1)
        except Transient as fault:
            first = fault
        async for attempt in self._retrying.copy():
            with attempt:
                nth = attempt.retry_state.attempt_number
                if nth == 1:
                    raise first
                return Tried(await self._send(ask), nth)
        raise AssertionError("tenacity reraises the last failure")

    async def _send(self, ask: Ask) -> Completion:
        samples = len(ask.samples)
        most_prompt = prompt_tokens_upper(ask.messages)
        most_completion = samples * self._policy.max_tokens
        most_usd = self._budget.most_usd(most_prompt, most_completion)
        await self._budget.reserve(most_usd)
        cost_usd: float | None = None
        try:
            async with self._pace.slot(most_prompt + most_completion):
                completion = await self._client.complete(ask.messages, samples, self._seed(ask))
            cost_usd = cost_of(completion, self._budget.price)
        except Transient as fault:
            self._note_fault(ask, fault)
            if isinstance(fault, RateLimited):
                cost_usd = 0.0
            raise
        finally:
            self._budget.settle(most_usd, cost_usd)
        self._note_success(ask, completion, most_prompt + most_completion, cost_usd)
        return completion

    def _note_fault(self, ask: Ask, fault: Transient) -> None:
        self._recorder.attempted(
            Attempt(
                solver=self._policy.slug,
                request_key=ask.request_key,
                samples=len(ask.samples),
                status=fault.status,
                error=str(fault),
            )
        )
        if isinstance(fault, ConnectionLost):
            self._contact.failed(fault)
        else:
            self._contact.made()
        if isinstance(fault, RateLimited):
            self._pace.throttled(fault.retry_after_s)

    def _note_success(self, ask: Ask, completion: Completion, reserved_tokens: int, cost_usd: float | None) -> None:
        self._contact.made()
        self._pace.succeeded()
        self._retry_budget.earn()
        used = (completion.prompt_tokens or 0) + (completion.completion_tokens or 0)
        self._pace.used(reserved_tokens, used or reserved_tokens)
        self._recorder.attempted(
            Attempt(
                solver=self._policy.slug,
                request_key=ask.request_key,
                samples=len(ask.samples),
                status="ok",
                prompt_tokens=completion.prompt_tokens,
                completion_tokens=completion.completion_tokens,
                cost_usd=cost_usd,
            )
        )

    def _seed(self, ask: Ask) -> int | None:
        if not self._policy.seeded:
            return None
        return seed_of(self._policy.study_seed, ask.keys[0], ask.rounds[0]) % 2**31

    def _may_retry(self, error: BaseException) -> bool:
        return isinstance(error, Transient) and self._retry_budget.spend(error)


class WaitAsTold(wait_base):
    """Waits as long as the endpoint asks, or backs off where it does not say."""

    def __init__(self, back_off: wait_base) -> None:
        """Take the wait for faults without a Retry-After."""
        self._back_off = back_off

    def __call__(self, retry_state: RetryCallState) -> float:
        """Return the seconds to wait."""
        fault = retry_state.outcome.exception() if retry_state.outcome is not None else None
        told = fault.retry_after_s if isinstance(fault, Transient) else None
        return self._back_off(retry_state) if told is None else told


def stored_replies(ask: Ask, completion: Completion, *, attempts: int, price: Price | None) -> list[StoredReply]:
    """Return what the store keeps of a completion: one reply a choice, tokens and cost shared out among them.

    Args:
        ask: Its samples are those of the choices, in order.
        completion: What came back.
        attempts: Requests that it took.
        price: None where it is unknown.
    """
    prompt = shares(completion.prompt_tokens, len(completion.choices))
    completed = shares(completion.completion_tokens, len(completion.choices))
    return [
        StoredReply(
            key=ask.keys[i],
            round=ask.rounds[i],
            request_key=ask.request_key,
            sample=ask.samples[i],
            status=choice.status,
            text=choice.text,
            finish_reason=choice.finish_reason,
            prompt_tokens=prompt[i],
            completion_tokens=completed[i],
            cost_usd=_cost(price, prompt[i], completed[i]),
            attempts=attempts,
            error=choice.remark,
        )
        for i, choice in enumerate(completion.choices)
    ]


def cost_of(completion: Completion, price: Price | None) -> float | None:
    """Return what a completion cost; None where price or tokens are unknown."""
    return _cost(price, completion.prompt_tokens, completion.completion_tokens)


def _cost(price: Price | None, prompt_tokens: int | None, completion_tokens: int | None) -> float | None:
    if price is None or prompt_tokens is None or completion_tokens is None:
        return None
    return price.cost_usd(prompt_tokens, completion_tokens)


def prompt_tokens_upper(messages: Sequence[Message]) -> int:
    """Return the most tokens a prompt can have: a token holds at least one byte, a turn has a few marks of its own."""
    return sum(len(message.content.encode()) + 8 for message in messages)


def shares(total: int | None, parts: int) -> list[int | None]:
    """Return a total split into whole parts as even as can be, larger ones first; their sum is the total."""
    if total is None:
        return [None] * parts
    each, more = divmod(total, parts)
    return [each + (i < more) for i in range(parts)]


def _first(ask: Ask, n: int) -> tuple[Ask, Ask]:
    return _part(ask, slice(None, n)), _part(ask, slice(n, None))


def _part(ask: Ask, part: slice) -> Ask:
    return Ask(
        question=ask.question,
        messages=ask.messages,
        request_key=ask.request_key,
        samples=ask.samples[part],
        keys=ask.keys[part],
        rounds=ask.rounds[part],
    )


def _joined(first: Ask, second: Ask) -> Ask:
    return Ask(
        question=first.question,
        messages=first.messages,
        request_key=first.request_key,
        samples=first.samples + second.samples,
        keys=first.keys + second.keys,
        rounds=first.rounds + second.rounds,
    )
