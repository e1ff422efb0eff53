"""Holds the reading of one chat completion: bytes in, choices with a status or a named failure out.

The bytes are hostile: nothing is assumed of their shape, and what is kept can be stored anywhere. Never sends
anything, and never reads the answer inside the text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from glass_pipeline.llm.errors import Malformed, QuotaSpent, RateLimited, ServerFault, SolverError


class Choice(NamedTuple):
    """One sample as it came back."""

    status: str
    """``ok``, ``length``, ``content_filter``, ``refusal`` or ``empty``: facts of the transport."""
    text: str
    finish_reason: str | None
    remark: str | None
    """What is odd about it, e.g. that only reasoning came."""


class Completion(NamedTuple):
    """The choices of one response and what they used."""

    choices: tuple[Choice, ...]
    prompt_tokens: int | None
    completion_tokens: int | None


def read_completion(body: bytes) -> Completion:
    """Read the body of a response with status 200.

    Raises:
        RateLimited: the body is an error that says so.
        ServerFault: the body is an error.
        Malformed: the body is not JSON, or no chat completion.
    """
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise Malformed(f"200 with a body that is not JSON ({len(body)} bytes): {_excerpt(body)}") from None
    if not isinstance(document, dict):
        raise Malformed(f"200 with JSON that is no object: {_excerpt(body)}")
    choices = document.get("choices")
    if document.get("error") and not choices:
        raise fault_in_body(document["error"])
    if not isinstance(choices, list) or not choices or not all(map(_is_choice, choices)):
        raise Malformed(f"200 without choices: {_excerpt(body)}")
    in_order = sorted(choices, key=_index)
    usage = _mapping(document.get("usage"))
    return Completion(
        choices=tuple(map(_read_choice, in_order)),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
    )


def fault_in_body(error: Any) -> SolverError:
    """Return the failure that an error object inside a body speaks of."""
    details = _mapping(error)
    message = clean(str(details.get("message") or error))[:300]
    words = f"{details.get('code')} {details.get('type')}"
    if "insufficient_quota" in words:
        return QuotaSpent(f"the account has no credit left: {message}")
    if "429" in words or "rate_limit" in words:
        return RateLimited(message)
    return ServerFault(message)


def clean(text: str) -> str:
    """Return text that every database can hold: lone surrogates and NUL replaced by U+FFFD."""
    if text.isascii():
        return text.replace("\0", "\ufffd")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")


def _is_choice(choice: Any) -> bool:
    return isinstance(choice, dict) and isinstance(choice.get("message"), dict)


def _index(choice: Mapping[str, Any]) -> int:
    return _count(choice.get("index")) or 0


def _read_choice(choice: Mapping[str, Any]) -> Choice:
    message = choice["message"]
    text = clean(_text_of(message.get("content")))
    reason = choice.get("finish_reason")
    finish_reason = clean(reason)[:40] if isinstance(reason, str) else None
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return Choice("refusal", clean(refusal), finish_reason, None)
    if finish_reason in {"length", "content_filter"}:
        return Choice(finish_reason, text, finish_reason, _reasoning_remark(text, message))
    if not text.strip():
        return Choice("empty", text, finish_reason, _reasoning_remark(text, message))
    return Choice("ok", text, finish_reason, None)


def _reasoning_remark(text: str, message: Mapping[str, Any]) -> str | None:
    reasoning = message.get("reasoning_content") or message.get("reasoning")
    if text.strip() or not isinstance(reasoning, str) or not reasoning:
        return None
    return f"no content, only {len(reasoning)} characters of reasoning"


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (_mapping(part).get("text") for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int | None:
    # Databases hold 63 bits; a count beyond that is nonsense.
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63
    return value if is_count else None


def _excerpt(body: bytes) -> str:
    return repr(body[:120].decode("utf-8", "replace"))
