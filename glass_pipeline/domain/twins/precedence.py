"""Holds which sentences of a setup need which earlier ones before them, and the orders that respect this.

Never decides whether a setup may be reordered at all.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from glass_pipeline.domain.twins.reference import opens_with_group
from glass_pipeline.domain.twins.vocabulary import words

ENUMERATED_UP_TO = 6
"""Setups of at most this many sentences have all their orders enumerated (6! = 720); longer ones are sampled."""

SHUFFLES_PER_EDIT = 20
DEFINITE = re.compile(
    r"\b(?:the|these|those|each|every|both|all)\s+(?:\d+(?:-[a-z]+)?\s+)?"
    r"(?=([a-z-]+(?: (?!of\b|for\b|in\b|on\b|at\b|to\b|is\b|are\b)[a-z-]+)?))",
    re.IGNORECASE,
)
FORMULA = re.compile(r"\$[^$]*\$")
SYMBOL = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z](?![a-zA-Z])")
FAMILIAR = words("familiar_nouns")
STOP = words("stop_words")


def precedence(setup: Sequence[str]) -> list[set[int]]:
    """Return for each sentence the earlier ones that it needs before it.

    These introduce what it calls "the …", or a symbol that it uses; what nobody introduced by that word ("the fruit")
    may be anything said so far, and needs all of it. A first sentence about a group ("Three friends …") stays first, as
    those whom the others name are its members.
    """
    contents = [_content(core) for core in setup]
    symbols = [set(SYMBOL.findall("".join(FORMULA.findall(core)))) for core in setup]
    group = {0} if opens_with_group(setup[0]) else set()
    before: list[set[int]] = []
    for index, core in enumerate(setup):
        needed = {earlier for earlier in range(index) if symbols[index] & symbols[earlier]}
        for phrase in DEFINITE.findall(core):
            named = _content(phrase)
            introduced = {earlier for earlier in range(index) if named & contents[earlier]}
            needed |= introduced if introduced or named <= FAMILIAR else set(range(index))
        before.append(needed | (group if index else set()))
    return before


def orders(n: int, before: Sequence[set[int]], rng: random.Random, quota: int) -> Iterator[tuple[int, ...]]:
    """Yield orders other than the given one that respect ``before``: all of them shuffled, or a sample of long ones."""
    if n <= ENUMERATED_UP_TO:
        found = list(_extensions((), n, before))[1:]
        rng.shuffle(found)
        yield from found
        return
    yield from (_shuffled(n, before, rng) for _ in range(quota * SHUFFLES_PER_EDIT))


def _content(text: str) -> set[str]:
    return {_stem(word) for word in re.findall(r"[a-z]+", text.lower())} - STOP


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def _extensions(done: tuple[int, ...], n: int, before: Sequence[set[int]]) -> Iterator[tuple[int, ...]]:
    """Yield every order in which no sentence stands before one that it needs; the given order comes first."""
    if len(done) == n:
        yield done
    for index in range(n):
        if index not in done and before[index] <= set(done):
            yield from _extensions((*done, index), n, before)


def _shuffled(n: int, before: Sequence[set[int]], rng: random.Random) -> tuple[int, ...]:
    done: list[int] = []
    while len(done) < n:
        done.append(rng.choice([index for index in range(n) if index not in done and before[index] <= set(done)]))
    return tuple(done)
