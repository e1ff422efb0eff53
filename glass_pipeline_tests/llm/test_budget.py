"""Tests of what a solver may still cost."""

from __future__ import annotations

import asyncio

import pytest

from glass_pipeline.llm.budget import Budget, Price, price_of
from glass_pipeline.llm.errors import BudgetExhausted, UnknownPrice
from glass_pipeline.llm.store import Spend
from glass_pipeline.study import Solver

UNUSED = Spend(requests=0, cost_usd=0.0)


def priced(**changes: object) -> Solver:
    """Return a solver at 1 USD a million prompt tokens and 2 USD a million completion tokens."""
    fields = {
        "kind": "openai",
        "model": "m",
        "base_url": "http://x/v1",
        "usd_per_million_prompt_tokens": 1.0,
        "usd_per_million_completion_tokens": 2.0,
    }
    return Solver.model_validate(fields | changes)


def test_price() -> None:
    """500,000 prompt tokens at 1 and 250,000 completion tokens at 2 USD a million cost 0.5 + 0.5 = 1 USD."""
    assert Price(1.0, 2.0).cost_usd(500_000, 250_000) == 1.0


def test_half_a_price_is_none() -> None:
    """A price with one half undeclared is unknown, not zero."""
    assert price_of(priced(usd_per_million_completion_tokens=None)) is None


def test_cap_without_price_is_refused() -> None:
    """A cap in money without a price is refused before anything is sent."""
    solver = priced(usd_per_million_prompt_tokens=None, max_cost_usd=1.0)

    with pytest.raises(UnknownPrice, match=r"mini: max_cost_usd = 1\.0 cannot be kept without a price"):
        Budget("mini", solver, UNUSED)


def test_cap_in_requests() -> None:
    """With two requests allowed and one sent by an earlier run, the second further one is refused."""
    budget = Budget("mini", priced(max_requests=2), Spend(requests=1, cost_usd=0.0))

    async def run() -> None:
        await budget.reserve(0.0)
        await budget.reserve(0.0)

    with pytest.raises(BudgetExhausted, match="max_requests = 2"):
        asyncio.run(run())


def test_what_earlier_runs_spent_counts() -> None:
    """Of a cap of 1 USD with 0.9 spent, 0.2 can not be reserved."""
    budget = Budget("mini", priced(max_cost_usd=1.0), Spend(requests=9, cost_usd=0.9))

    with pytest.raises(BudgetExhausted, match=r"0\.9000 USD are spent"):
        asyncio.run(budget.reserve(0.2))


def test_request_in_flight_is_reserved_at_its_most() -> None:
    """With 0.6 of 1 USD in flight, another 0.6 waits until the first turns out to cost 0.1."""
    budget = Budget("mini", priced(max_cost_usd=1.0), UNUSED)
    order: list[str] = []

    async def second() -> None:
        await budget.reserve(0.6)
        order.append("second may go")

    async def run() -> None:
        await budget.reserve(0.6)
        waiting = asyncio.create_task(second())
        await asyncio.sleep(0)
        order.append("first settles")
        budget.settle(0.6, 0.1)
        await waiting

    asyncio.run(run())

    assert order == ["first settles", "second may go"]


def test_unknown_cost_counts_in_full() -> None:
    """A request that timed out may have cost all it could."""
    budget = Budget("mini", priced(max_cost_usd=1.0), UNUSED)

    async def run() -> None:
        await budget.reserve(0.6)
        budget.settle(0.6, None)
        await budget.reserve(0.6)

    with pytest.raises(BudgetExhausted):
        asyncio.run(run())


def test_no_cap_counts_nothing() -> None:
    """Without a cap the most a request can cost does not matter."""
    assert Budget("mini", priced(), UNUSED).most_usd(10**9, 10**9) == 0.0
