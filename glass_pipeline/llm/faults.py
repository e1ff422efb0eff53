"""Holds the naming of failures: from what an endpoint answers to the tree in ``errors``.

Never retries, waits or sends.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from glass_pipeline.llm.carrier import Response
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
from glass_pipeline.llm.wire import clean

LONGEST_RETRY_AFTER_S = 300.0
"""A server that asks for a longer wait is asked again after this."""


class Endpoint(NamedTuple):
    """What an error message may say of an endpoint."""

    name: str
    """Slug of the solver."""
    url: str
    model: str
    key_name: str
    """``$VARIABLE`` that holds the key, or ``no key``."""


class Refusal(NamedTuple):
    """What the endpoint said in an error response."""

    status_code: int
    code: str
    parameter: str
    message: str


def refusal_of(response: Response) -> Refusal:
    """Return the readable parts of an error response."""
    text = response.body.decode("utf-8", "replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = {}
    details = body.get("error", body) if isinstance(body, dict) else {}
    fields: Mapping[str, Any] = details if isinstance(details, dict) else {}
    return Refusal(
        status_code=response.status,
        code=f"{fields.get('code') or ''} {fields.get('type') or ''}".strip(),
        parameter=str(fields.get("param") or ""),
        message=clean(str(fields.get("message") or text))[:300],
    )


def fault_of_status(refusal: Refusal, headers: Mapping[str, str], endpoint: Endpoint) -> SolverError:
    """Return the failure that an HTTP status other than 200 stands for."""
    status, said = refusal.status_code, refusal.message
    if "insufficient_quota" in refusal.code:
        return QuotaSpent(f"{endpoint.name}: the account behind {endpoint.key_name} has no credit left: {said}")
    if status == 429:
        return RateLimited(said, retry_after_s=retry_after(headers, time.time()))
    if status in {401, 403}:
        return KeyRejected(
            f"{endpoint.name}: {endpoint.url} rejected the key in {endpoint.key_name} ({status}); check that variable."
        )
    if status == 404:
        return ModelNotFound(
            f"{endpoint.name}: {endpoint.url} knows no model {endpoint.model!r} or no such path (404: {said}); "
            "check model and base_url in glass.toml."
        )
    if status == 408:
        return TimedOut(said)
    if status >= 500 or status in {409, 425}:
        return ServerFault(f"{status}: {said}", retry_after_s=retry_after(headers, time.time()))
    return BadRequest(f"{endpoint.name}: {endpoint.url} refused the request ({status}): {said}")


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that a server asks to wait, at most LONGEST_RETRY_AFTER_S; None if it does not say.

    Args:
        headers: Response headers; ``retry-after-ms`` and ``retry-after`` (seconds or an HTTP date) are read.
        now: Seconds since 1970.
    """
    seconds = _number(headers.get("retry-after-ms"), 0.001)
    if seconds is None:
        seconds = _number(headers.get("retry-after"), 1.0)
    if seconds is None:
        seconds = _until(headers.get("retry-after"), now)
    return None if seconds is None else min(max(seconds, 0.0), LONGEST_RETRY_AFTER_S)


def _number(text: str | None, unit: float) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value * unit if value == value else None  # not a NaN


def _until(text: str | None, now: float) -> float | None:
    try:
        return parsedate_to_datetime(text or "").timestamp() - now
    except (ValueError, TypeError, OverflowError):
        return None
