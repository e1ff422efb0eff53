"""Tests of reading one chat completion."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.llm.errors import Malformed, QuotaSpent, RateLimited, ServerFault, SolverError
from glass_pipeline.llm.wire import Choice, clean, read_completion


def body(message: dict[str, Any], finish_reason: str | None = "stop", **more: Any) -> bytes:
    """Return the bytes of a completion with one choice."""
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return json.dumps({"choices": [choice], **more}).encode()


@pytest.mark.parametrize(
    ("message", "finish_reason", "expected"),
    [
        pytest.param({"content": "#### 4"}, "stop", Choice("ok", "#### 4", "stop", None), id="answer"),
        pytest.param({"content": "12 + "}, "length", Choice("length", "12 + ", "length", None), id="cut"),
        pytest.param({"content": ""}, "stop", Choice("empty", "", "stop", None), id="empty"),
        pytest.param({"content": " \n"}, None, Choice("empty", " \n", None, None), id="white space"),
        pytest.param({"content": None}, "stop", Choice("empty", "", "stop", None), id="null content"),
        pytest.param({}, "stop", Choice("empty", "", "stop", None), id="no content"),
        pytest.param(
            {"content": "", "reasoning_content": "abcde"},
            "stop",
            Choice("empty", "", "stop", "no content, only 5 characters of reasoning"),
            id="reasoning only",
        ),
        pytest.param(
            {"content": None, "reasoning": "abc"},
            "length",
            Choice("length", "", "length", "no content, only 3 characters of reasoning"),
            id="reasoning cut",
        ),
        pytest.param(
            {"content": "#### 4", "reasoning_content": "#### 5"},
            "stop",
            Choice("ok", "#### 4", "stop", None),
            id="answer beside reasoning",
        ),
        pytest.param(
            {"content": "x"}, "content_filter", Choice("content_filter", "x", "content_filter", None), id="filtered"
        ),
        pytest.param(
            {"content": None, "refusal": "I will not."},
            "stop",
            Choice("refusal", "I will not.", "stop", None),
            id="refusal",
        ),
        pytest.param(
            {"content": [{"type": "text", "text": "#### "}, {"type": "text", "text": "4"}, {"type": "image"}]},
            "stop",
            Choice("ok", "#### 4", "stop", None),
            id="content in parts",
        ),
        pytest.param({"content": "a\0b"}, "stop", Choice("ok", "a\ufffdb", "stop", None), id="NUL"),
        pytest.param({"content": "a\ud83d"}, "stop", Choice("ok", "a\ufffd", "stop", None), id="half an emoji"),
    ],
)
def test_choice(message: dict[str, Any], finish_reason: str | None, expected: Choice) -> None:
    """A choice's status is a fact of the transport, and only its content is its text."""
    completion = read_completion(body(message, finish_reason))

    assert completion.choices == (expected,)


def test_choices_come_in_order_of_index() -> None:
    """The order of choices is that of their index, not of the list."""
    choices = [{"index": i, "message": {"content": str(i)}, "finish_reason": "stop"} for i in (2, 0, 1)]

    completion = read_completion(json.dumps({"choices": choices}).encode())

    assert [choice.text for choice in completion.choices] == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 3}, (7, 3)),
        ({"prompt_tokens": -7, "completion_tokens": True}, (None, None)),
        ({"prompt_tokens": 2**70, "completion_tokens": "3"}, (None, None)),
        (None, (None, None)),
    ],
)
def test_usage(usage: Any, expected: tuple[int | None, int | None]) -> None:
    """Token counts are taken only where they can be counts."""
    completion = read_completion(body({"content": "x"}, usage=usage))

    assert (completion.prompt_tokens, completion.completion_tokens) == expected


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        pytest.param(b"<html>busy</html>", Malformed, id="html"),
        pytest.param(b"", Malformed, id="nothing"),
        pytest.param(b"[1]", Malformed, id="list"),
        pytest.param(b"\xff\xfe\xfa", Malformed, id="not text"),
        pytest.param(b"[" * 200_000, Malformed, id="nested without end"),
        pytest.param(b'{"choices": []}', Malformed, id="no choice"),
        pytest.param(b'{"choices": [1]}', Malformed, id="choice without shape"),
        pytest.param(b'{"choices": [{"message": null}]}', Malformed, id="choice without message"),
        pytest.param(b'{"error": {"message": "Upstream overloaded", "code": 502}}', ServerFault, id="error body"),
        pytest.param(b'{"error": "oops", "choices": []}', ServerFault, id="error string"),
        pytest.param(b'{"error": {"message": "slow down", "code": 429}}', RateLimited, id="429 in the body"),
        pytest.param(b'{"error": {"message": "pay", "code": "insufficient_quota"}}', QuotaSpent, id="no credit"),
    ],
)
def test_failures(raw: bytes, fault: type[SolverError]) -> None:
    """A body without an answer is a named failure, never an empty answer."""
    with pytest.raises(fault):
        read_completion(raw)


@given(st.binary(max_size=200))
def test_any_bytes_are_an_answer_or_a_named_failure(raw: bytes) -> None:
    """No bytes raise anything but a SolverError."""
    try:
        completion = read_completion(raw)
    except SolverError:
        return
    assert completion.choices


KEYS = ("choices", "message", "content", "usage", "prompt_tokens", "index", "finish_reason", "error", "text", "refusal")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON))
def test_any_json_is_an_answer_or_a_named_failure(document: dict[str, Any]) -> None:
    """No JSON raises anything but a SolverError, and what is kept is valid Unicode without NUL."""
    try:
        completion = read_completion(json.dumps(document).encode())
    except SolverError:
        return
    for choice in completion.choices:
        assert choice.text.encode().find(b"\0") == -1


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_clean_leaves_proper_text_alone(text: str) -> None:
    """Text that every database can hold is returned as it is."""
    assert clean(text) == text
