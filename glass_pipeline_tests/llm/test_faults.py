"""Tests of naming failures."""

from __future__ import annotations

import math

import pytest

from glass_pipeline.llm.errors import (
    BadRequest,
    KeyRejected,
    ModelNotFound,
    QuotaSpent,
    RateLimited,
    ServerFault,
    SolverError,
    TimedOut,
)
from glass_pipeline.llm.faults import Endpoint, Refusal, fault_of_status, retry_after

ENDPOINT = Endpoint("mini", "https://api.example/v1", "tiny-1", "$EXAMPLE_KEY")


@pytest.mark.parametrize(
    ("status", "code", "fault"),
    [
        (401, "", KeyRejected),
        (403, "", KeyRejected),
        (404, "model_not_found", ModelNotFound),
        (400, "", BadRequest),
        (413, "", BadRequest),
        (408, "", TimedOut),
        (429, "rate_limit_exceeded", RateLimited),
        (429, "insufficient_quota", QuotaSpent),
        (500, "", ServerFault),
        (502, "", ServerFault),
        (529, "overloaded", ServerFault),
    ],
)
def test_status_codes(status: int, code: str, fault: type[SolverError]) -> None:
    """Each HTTP status has one place in the tree."""
    named = fault_of_status(Refusal(status, code, "", "it said so"), {}, ENDPOINT)

    assert type(named) is fault


def test_rejected_key_is_named_by_its_variable() -> None:
    """The message about a rejected key names the variable to look at."""
    named = fault_of_status(Refusal(401, "", "", "bad key sk-secret"), {}, ENDPOINT)

    assert str(named) == ("mini: https://api.example/v1 rejected the key in $EXAMPLE_KEY (401); check that variable.")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        pytest.param({}, None, id="silent"),
        pytest.param({"retry-after": "7"}, 7.0, id="seconds"),
        pytest.param({"retry-after": "1.5"}, 1.5, id="fraction"),
        pytest.param({"retry-after-ms": "250", "retry-after": "9"}, 0.25, id="milliseconds first"),
        # 1 January 2026 00:00:30 GMT is half a minute after `now`.
        pytest.param({"retry-after": "Thu, 01 Jan 2026 00:00:30 GMT"}, 30.0, id="date"),
        pytest.param({"retry-after": "Thu, 01 Jan 2025 00:00:30 GMT"}, 0.0, id="date gone by"),
        pytest.param({"retry-after": "-3"}, 0.0, id="negative"),
        pytest.param({"retry-after": "86400"}, 300.0, id="a day is capped"),
        pytest.param({"retry-after": "inf"}, 300.0, id="infinity is capped"),
        pytest.param({"retry-after": "nan"}, None, id="not a number"),
        pytest.param({"retry-after": "soon"}, None, id="prose"),
    ],
)
def test_retry_after(headers: dict[str, str], expected: float | None) -> None:
    """The wait is read from seconds, milliseconds or an HTTP date, and is never negative or endless."""
    now = 1767225600.0  # 1 January 2026 00:00:00 GMT

    waited = retry_after(headers, now)

    assert waited is None if expected is None else math.isclose(waited or 0.0, expected)
