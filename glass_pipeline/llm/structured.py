"""Holds structured answers: which JSON is wanted, the rungs by which an endpoint is asked for it, and its reading.

An endpoint is asked for a JSON schema, else for any JSON object, else for text (see ``client``). Whatever comes back
is read raw, then inside a fence, then from its first object on. Never evaluates text and never mends broken JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Object = Mapping[str, Any]
Rung = Literal["json_schema", "json_object", "text"]

NEXT_RUNG: Mapping[Rung, Rung] = {"json_schema": "json_object", "json_object": "text"}
"""What is asked for once an endpoint refuses a rung; text is refused by none."""

LONGEST_ANSWER = 100_000
"""Characters of an answer that are searched for objects."""
MOST_OBJECTS = 50
"""Places in an answer where an object is looked for."""
FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$", re.MULTILINE)
"""A line that opens or closes a fence; a fence inside a JSON string is no line of its own."""
REASONING_END = "</think>"
DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """The JSON object that an answer is to be."""

    name: str
    """What endpoints call it: letters, digits, ``_`` and ``-``."""
    schema: Object
    """JSON schema; every property required, no other allowed, as the strict mode of endpoints wants it."""


def response_format(structure: Structure, rung: Rung) -> dict[str, Any] | None:
    """Return what a request says about its answer's form; None for text."""
    if rung == "text":
        return None
    if rung == "json_object":
        return {"type": "json_object"}
    schema = {"name": structure.name, "strict": True, "schema": dict(structure.schema)}
    return {"type": "json_schema", "json_schema": schema}


def refuses_structure(said: str) -> bool:
    """Return whether an endpoint's refusal, in lower case, is about the form of the answer."""
    return any(
        word in said for word in ("response_format", "json_schema", "json_object", "json mode", "grammar", "structured")
    )


def objects_in(text: str) -> Iterator[Object]:
    """Yield the JSON objects of an answer: the whole of it, else those in fences, else those that start in it.

    Objects inside another are not yielded. What a model wrote before ``</think>`` is not searched.
    """
    answer = text[-LONGEST_ANSWER:].rpartition(REASONING_END)[2].strip()
    whole = _object_at(answer, 0)
    if whole is not None and whole[1] == len(answer):
        yield whole[0]
        return
    fenced = [found[0] for part in FENCE.split(answer)[1::2] if (found := _object_at(part.strip(), 0)) is not None]
    yield from fenced or _started(answer)


def _started(text: str) -> Iterator[Object]:
    start = text.find("{")
    for _ in range(MOST_OBJECTS):
        if start < 0:
            return
        found = _object_at(text, start)
        if found is not None:
            yield found[0]
        start = text.find("{", start + 1 if found is None else found[1])


def _object_at(text: str, start: int) -> tuple[Object, int] | None:
    """Return the object that starts at a place and where it ends; None if there is none."""
    if not text.startswith("{", start):
        return None
    try:
        value, end = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict) else None
