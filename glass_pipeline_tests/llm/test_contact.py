"""Tests of judging whether an endpoint is still there."""

from __future__ import annotations

import pytest

from glass_pipeline.llm.contact import FREE_RETRIES, Contact, RetryBudget
from glass_pipeline.llm.errors import ConnectionLost, EndpointGone, RateLimited, ServerFault

LOST = ConnectionLost("reset")


def test_endpoint_that_never_answered_is_given_up_soon() -> None:
    """Five failed connections before the first answer end the run, whatever the concurrency."""
    contact = Contact("mini", "http://x/v1", concurrency=256)
    for _ in range(4):
        contact.failed(LOST)

    with pytest.raises(EndpointGone, match=r"mini: http://x/v1 does not answer \(5 failed connections in a row"):
        contact.failed(LOST)


def test_endpoint_that_answered_gets_three_tries_a_worker() -> None:
    """Once it has answered, an endpoint may lose the connections of all workers at once and come back."""
    contact = Contact("mini", "http://x/v1", concurrency=8)
    contact.made()
    for _ in range(23):
        contact.failed(LOST)

    with pytest.raises(EndpointGone, match="stopped answering"):
        contact.failed(LOST)


def test_an_answer_starts_the_count_anew() -> None:
    """Failures count only in a row."""
    contact = Contact("mini", "http://x/v1", concurrency=1)

    for _ in range(50):
        contact.failed(LOST)
        contact.made()


def test_retries_are_paid_by_replies() -> None:
    """After the free retries, one reply pays for one retry; being rate limited costs none."""
    retries = RetryBudget()
    for _ in range(FREE_RETRIES):
        assert retries.spend(ServerFault("500"))

    assert not retries.spend(ServerFault("500"))
    assert retries.spend(RateLimited("429"))
    retries.earn()
    assert retries.spend(ServerFault("500"))
    assert not retries.spend(ServerFault("500"))
