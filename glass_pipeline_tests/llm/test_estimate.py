"""Tests of what a run would send."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.llm.estimate import estimate
from glass_pipeline.llm.solve import solve
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Solver

Make = Callable[..., Any]


@pytest.fixture
def options(store: ResponseStore) -> dict[str, Any]:
    """Return what ``solve`` and ``estimate`` both take."""
    return {"store": store, "environment": {}, "study_seed": 42}


def test_estimate_sends_nothing_and_is_what_is_sent(
    endpoint: Any, options: dict[str, Any], make_solver: Make, make_question: Make
) -> None:
    """The estimate of a half-stored run counts its missing half, and the run sends just that."""
    solver = make_solver()
    solve("mini", solver, [make_question(i, samples=5) for i in range(3)], **options)
    questions = [make_question(i, samples=5) for i in range(8)]

    expected = estimate("mini", solver, questions, **options)
    before = len(endpoint.bodies)
    result = solve("mini", solver, questions, **options)

    assert before == 3
    assert (expected.samples, expected.cached, expected.requests) == (40, 15, 5)
    assert expected.completion_tokens_upper == 25 * 1024
    assert expected.cost_usd_upper is None
    assert result.requests == 5


def test_cost_is_an_upper_bound(endpoint: Any, options: dict[str, Any], make_solver: Make, make_question: Make) -> None:
    """Ten samples of at most 100 tokens at 2 USD a million cost at most 0.002 USD, and the prompts a little."""
    price = {"usd_per_million_prompt_tokens": 1.0, "usd_per_million_completion_tokens": 2.0}
    solver = make_solver(max_tokens=100, supports_n=False, **price)

    expected = estimate("mini", solver, [make_question(1, samples=10)], **options)

    assert expected.requests == 10
    assert expected.cost_usd_upper is not None
    prompt_usd = expected.cost_usd_upper - 0.002
    assert expected.prompt_tokens_estimate / 1e6 < prompt_usd < 10 * expected.prompt_tokens_estimate / 1e6


def test_simulation_costs_nothing_and_says_so(options: dict[str, Any], make_question: Make) -> None:
    """A simulated solver sends no request, and its cost is unknown rather than 0."""
    expected = estimate("planted", Solver(kind="planted"), [make_question(1, samples=5)], **options)

    assert (expected.samples, expected.requests, expected.cost_usd_upper) == (5, 0, None)
