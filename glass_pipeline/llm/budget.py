"""Holds what a solver may still cost: a cap on money and on requests, over all runs that share the response store.

A request in flight is reserved at the most it can cost, so that the cap holds whatever comes back. An unknown price
makes an unknown cost (None, never 0). Never sends anything and never writes the store.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from glass_pipeline.llm.errors import BudgetExhausted, UnknownPrice
from glass_pipeline.llm.store import Spend
from glass_pipeline.study import Solver


class Price(NamedTuple):
    """What tokens cost, in USD per million."""

    prompt: float
    completion: float

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return (prompt tokens · prompt price + completion tokens · completion price) / 10^6."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1_000_000


def price_of(solver: Solver) -> Price | None:
    """Return the declared price; None unless both halves are declared."""
    prompt, completion = solver.usd_per_million_prompt_tokens, solver.usd_per_million_completion_tokens
    return None if prompt is None or completion is None else Price(prompt, completion)


class Budget:
    """What one solver may still send and spend."""

    def __init__(self, slug: str, solver: Solver, used: Spend) -> None:
        """Start from what the store says was used before.

        Raises:
            UnknownPrice: the solver has a cap in money but no price.
        """
        self.price = price_of(solver)
        if solver.max_cost_usd is not None and self.price is None:
            raise UnknownPrice(
                f"{slug}: max_cost_usd = {solver.max_cost_usd} cannot be kept without a price; declare "
                "usd_per_million_prompt_tokens and usd_per_million_completion_tokens, or set max_requests."
            )
        self._slug = slug
        self._max_cost_usd = solver.max_cost_usd
        self._max_requests = solver.max_requests
        self._others = used
        self._spent_usd = 0.0
        self._requests = 0
        self._reserved_usd = 0.0
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def is_capped(self) -> bool:
        """Whether there is anything to keep to."""
        return self._max_cost_usd is not None or self._max_requests is not None

    def others_used(self, used: Spend) -> None:
        """Take note of what all other runs, earlier ones and those at work now, have used up so far."""
        self._others = used

    def most_usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the most a request can cost; 0 where no cap in money is set."""
        if self._max_cost_usd is None or self.price is None:
            return 0.0
        return self.price.cost_usd(prompt_tokens, completion_tokens)

    async def reserve(self, most_usd: float) -> None:
        """Hold the most that one request can cost, waiting for those in flight where that may make room.

        Raises:
            BudgetExhausted: the request could exceed a cap.
        """
        while not self._fits(most_usd):
            if not self._reserved_usd:
                raise self._exhausted(
                    f"max_cost_usd = {self._max_cost_usd}",
                    f"{self._others.cost_usd + self._spent_usd:.4f} USD are spent, the next request could cost "
                    f"{most_usd:.4f}",
                )
            settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled
        sent = self._others.requests + self._requests
        if self._max_requests is not None and sent >= self._max_requests:
            raise self._exhausted(f"max_requests = {self._max_requests}", f"{sent} requests are sent")
        self._requests += 1
        self._reserved_usd += most_usd

    def settle(self, most_usd: float, cost_usd: float | None) -> None:
        """Replace a reservation by what the request cost; None (it may have cost anything) counts in full."""
        self._reserved_usd = max(self._reserved_usd - most_usd, 0.0)
        if self._reserved_usd < 1e-12:
            self._reserved_usd = 0.0
        self._spent_usd += most_usd if cost_usd is None else cost_usd
        waiting, self._waiting = self._waiting, []
        for settled in waiting:
            if not settled.done():
                settled.set_result(None)

    def _fits(self, most_usd: float) -> bool:
        if self._max_cost_usd is None:
            return True
        return self._others.cost_usd + self._spent_usd + self._reserved_usd + most_usd <= self._max_cost_usd

    def _exhausted(self, cap: str, found: str) -> BudgetExhausted:
        return BudgetExhausted(
            f"{self._slug}: {cap} is used up: {found} (all runs on this response store count); raise it in glass.toml "
            "and run again, nothing stored is paid twice."
        )
