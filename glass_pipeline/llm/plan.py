"""Holds the plan of a run: the key of every sample, what the store has of them, and what is left to ask.

Never asks, and never writes the store.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, NamedTuple

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.asks import Ask, Describe, Message, canonical, request_key, sample_keys
from glass_pipeline.llm.solvers.protocol import Setting, SolverKind
from glass_pipeline.llm.store import ResponseStore, StoredReply, StoredRequest


class Cell(NamedTuple):
    """Whose samples: an item and a draw."""

    item_id: str
    draw: str


class Again(NamedTuple):
    """Which stored replies are asked for again."""

    statuses: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    answered: Container[str] = frozenset()
    """Keys of replies that this run has got already: they are not asked for twice."""

    def wants(self, reply: StoredReply) -> bool:
        """Return whether a stored reply is asked for again."""
        return reply.key not in self.answered and (reply.status in self.statuses or reply.key in self.keys)


class Plan(NamedTuple):
    """What is asked, split by what the store has."""

    keys: Mapping[Cell, tuple[str, ...]]
    """Keys of each question's samples, in order."""
    stored: Mapping[str, StoredReply]
    """What is served from the store."""
    asks: tuple[Ask, ...]
    """What is left to ask, in the order of the questions."""
    describe: Describe

    @property
    def total(self) -> int:
        """Samples in all, each text and draw counted once."""
        return len(self.stored) + sum(len(ask.samples) for ask in self.asks)


class _Prompt(NamedTuple):
    question: Question
    messages: tuple[Message, ...]
    request_key: str
    keys: tuple[str, ...]


def plan(
    kind: SolverKind,
    setting: Setting,
    questions: Sequence[Question],
    store: ResponseStore,
    again: Again,
) -> Plan:
    """Return what is asked of a solver, and what the store has of it.

    Args:
        kind: The solver.
        setting: Its declaration.
        questions: What is to be answered; a text that occurs twice under one draw is asked once.
        store: Where replies are kept.
        again: Stored replies that are asked for again.

    Raises:
        ValueError: two questions share item and draw but not text or number of samples.
    """
    cells: dict[Cell, tuple[str, ...]] = {}
    prompts: dict[str, _Prompt] = {}
    fixed = {
        "solver": kind.identity(),
        "parameters": kind.parameters(),
        "prompt_version": setting.solver.prompt,
    }
    if setting.structure is not None:
        fixed["structure"] = {"name": setting.structure.name, "schema": setting.structure.schema}
    for question in questions:
        prompt = _prompt(kind, fixed, question)
        cell = Cell(question.item_id, question.draw)
        if cells.setdefault(cell, prompt.keys) != prompt.keys:
            raise ValueError(f"item {cell.item_id!r} is asked twice as {cell.draw!r}, with different texts or samples.")
        held = prompts.get(prompt.request_key)
        if held is None or len(held.keys) < len(prompt.keys):
            prompts[prompt.request_key] = prompt
    found = store.lookup(key for prompt in prompts.values() for key in prompt.keys)
    stored = {key: reply for key, reply in found.items() if not again.wants(reply)}
    rounds = {key: reply.round + 1 for key, reply in found.items()}
    asks = tuple(ask for prompt in prompts.values() if (ask := _missing(prompt, stored, rounds)))

    def describe(ask: Ask) -> StoredRequest:
        document = canonical(_document(kind, fixed, ask.question, ask.messages))
        return StoredRequest(
            request_key=ask.request_key, solver=setting.slug, draw=ask.question.draw, document=document
        )

    return Plan(keys=cells, stored=stored, asks=asks, describe=describe)


def _prompt(kind: SolverKind, fixed: Mapping[str, Any], question: Question) -> _Prompt:
    messages = kind.messages(question)
    document = _document(kind, fixed, question, messages)
    keys = sample_keys(document, range(question.samples))
    return _Prompt(question, messages, request_key(document), tuple(keys))


def _document(
    kind: SolverKind, fixed: Mapping[str, Any], question: Question, messages: Sequence[Message]
) -> dict[str, Any]:
    document = {**fixed, "draw": question.draw, "messages": [message._asdict() for message in messages]}
    facts = kind.facts(question)
    if facts is not None:
        document["facts"] = facts
    return document


def _missing(prompt: _Prompt, stored: Mapping[str, StoredReply], rounds: Mapping[str, int]) -> Ask | None:
    samples = tuple(i for i, key in enumerate(prompt.keys) if key not in stored)
    if not samples:
        return None
    keys = tuple(prompt.keys[i] for i in samples)
    return Ask(
        question=prompt.question,
        messages=prompt.messages,
        request_key=prompt.request_key,
        samples=samples,
        keys=keys,
        rounds=tuple(rounds.get(key, 0) for key in keys),
    )
