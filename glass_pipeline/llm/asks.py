"""Holds what is asked of a solver and the key under which each sample of it is stored.

Never holds answers, and never anything that changes from run to run: no port, path, time or key of an account.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.domain.records import Question
from glass_pipeline.llm.store import StoredRequest


class Message(NamedTuple):
    """One turn of a chat."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The samples of one question that the store does not have."""

    question: Question
    messages: tuple[Message, ...]
    request_key: str
    """What all samples of this prompt and draw share."""
    samples: tuple[int, ...]
    """Sample indices to ask for."""
    keys: tuple[str, ...]
    """Key of each of ``samples`` in the response store."""
    rounds: tuple[int, ...]
    """0, or how often each of ``samples`` has been answered and was asked for again with --retry."""

    def split(self) -> tuple[Ask, ...]:
        """Return one ask for each sample."""
        return tuple(
            Ask(
                question=self.question,
                messages=self.messages,
                request_key=self.request_key,
                samples=(sample,),
                keys=(key,),
                rounds=(round_,),
            )
            for sample, key, round_ in zip(self.samples, self.keys, self.rounds, strict=True)
        )


Describe = Callable[[Ask], StoredRequest]
"""Returns what the store is to remember of an ask; made when it is written, since every prompt twice is memory."""


def singles(asks: Iterable[Ask]) -> Iterator[Ask]:
    """Yield one ask for each sample."""
    return (single for ask in asks for single in ask.split())


def canonical(document: Mapping[str, Any]) -> str:
    """Return the one JSON text of a document: sorted keys, no white space, ASCII."""
    return json.dumps(document, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def request_key(document: Mapping[str, Any]) -> str:
    """Return the key that all samples of one prompt and draw share."""
    return settings_hash(document)


def sample_keys(document: Mapping[str, Any], samples: Iterable[int]) -> list[str]:
    """Return the sha256 of the canonical JSON of ``document`` with ``"sample": i`` added, for each i.

    Hashes what the samples share only once: 150,000 samples take a quarter of a second.

    Args:
        document: Identity of the solver, parameters, messages, prompt version and draw; more keys are allowed,
            ``sample`` is not.
        samples: Sample indices.
    """
    before = {name: value for name, value in document.items() if name < "sample"}
    after = {name: value for name, value in document.items() if name > "sample"}
    head = f'{canonical(before)[:-1]}{"," if before else ""}"sample":'
    tail = f"{',' if after else ''}{canonical(after)[1:]}".encode()
    shared = hashlib.sha256(head.encode())
    keys = []
    for sample in samples:
        digest = shared.copy()
        digest.update(b"%d" % sample)
        digest.update(tail)
        keys.append(digest.hexdigest())
    return keys
