"""Tests of how asks go through one endpoint: what cannot be seen from the door."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenacity import Future, RetryCallState, Retrying, wait_fixed

from glass_pipeline.llm.asking import WaitAsTold, prompt_tokens_upper, shares
from glass_pipeline.llm.asks import Message
from glass_pipeline.llm.errors import RateLimited, ServerFault


@pytest.mark.parametrize(
    ("fault", "expected"),
    [(RateLimited("429", retry_after_s=7.0), 7.0), (RateLimited("429"), 99.0), (ServerFault("500"), 99.0)],
)
def test_wait_is_as_told(fault: Exception, expected: float) -> None:
    """The wait is what the endpoint asks for, and the back-off where it does not say."""
    state = RetryCallState(Retrying(), None, (), {})
    state.outcome = Future(1)
    state.outcome.set_exception(fault)

    assert WaitAsTold(wait_fixed(99))(state) == expected


@given(st.integers(0, 10**9), st.integers(1, 50))
def test_shares_add_up(total: int, parts: int) -> None:
    """Shares are whole, differ by one at most, and add up to the total."""
    split = [share for share in shares(total, parts) if share is not None]

    assert sum(split) == total
    assert len(split) == parts
    assert max(split) - min(split) <= 1


def test_shares_of_nothing_known() -> None:
    """An unknown total has unknown shares."""
    assert shares(None, 3) == [None, None, None]


def test_upper_bound_counts_bytes() -> None:
    """A prompt of three letters and a four-byte emoji has at most 7 tokens and the marks of its turn."""
    assert prompt_tokens_upper([Message("user", "abc😀")]) == 7 + 8
