"""Holds the pool of sentences of other problems: how it is gathered, and its index with what the operator asks of each.

Never decides which sentence goes into which problem (see ``math_irrelevant_context``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import compress
from operator import or_

from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins.names import given_names, namesakes
from glass_pipeline.domain.twins.quantities import values
from glass_pipeline.domain.twins.segmentation import sentences_of
from glass_pipeline.domain.twins.self_contained import is_self_contained
from glass_pipeline.domain.twins.tokens import tokens_of
from glass_pipeline.domain.twins.topics import nouns_of, topic_of
from glass_pipeline.domain.twins.units import counts_things, units
from glass_pipeline.domain.twins.vocabulary import CALENDAR, OPENERS

RATE = re.compile(
    r"\b(?:charg\w+|cost\w*|pric\w+|sells?|tax\w*|fees?|rates?|discount\w*|off|offer\w*|recommend\w*|recipe"
    r"|per person)\b",
    re.IGNORECASE,
)
"""What a price, a rate or a recipe is told with: it could be taken to hold for the same goods elsewhere."""

TRADE = re.compile(r"\b(?:buy\w*|bought|sell\w*|sold|order\w*|purchas\w+|pay\w*|paid|spen[dt]\w*|rent\w*|hir\w+)\b")


@dataclass(frozen=True, slots=True)
class IndexedDistractor:
    """A distractor with all that the operator asks of it, read once, as marks: words with a letter for their role.

    "p:oscar" is a person, "k:tony" another name that some person of it goes by, "v:7/2" a value, "u:money" a unit,
    "n:kite" a word in the singular, "r:bread" a word of a price, a rate or a recipe, and "c:" says that it counts
    things. Sets of strings are compared in a fraction of the time that sets of fractions take.
    """

    source: Distractor
    marks: frozenset[str]
    """All of them but the values."""
    people: frozenset[str]
    """Its proper nouns, calendar words left out: "p:"."""
    bars: frozenset[str]
    """Whom no other sentence beside it may name: its people, under any name that they may go by."""
    figures: frozenset[str]
    """Its values: "v:"."""


CLEAR = bytes.maketrans(b"01", b"\x01\x00")


class DistractorIndex(Sequence[IndexedDistractor]):
    """The injectable sentences of a pool, in an order that does not depend on the pool's."""

    def __init__(self, distractors: Iterable[Distractor]) -> None:
        distinct = {distractor.text.strip(): distractor for distractor in sorted(distractors, key=_place, reverse=True)}
        self._entries = tuple(
            _indexed(text, distractor)
            for text, distractor in sorted(distinct.items(), key=lambda item: _place(item[1]))
            if is_self_contained(text)
        )

        self._bearers: dict[str, int] = {}
        for number, entry in enumerate(self._entries):
            for mark in entry.marks | entry.figures:
                self._bearers[mark] = self._bearers.get(mark, 0) | 1 << number

    def clear_of(self, barred: Iterable[str]) -> tuple[IndexedDistractor, ...]:
        """Return the sentences that bear none of some marks, in order."""
        hit = reduce(or_, (self._bearers.get(mark, 0) for mark in barred), 0)
        bits = f"{hit:0{len(self._entries)}b}"[::-1].encode().translate(CLEAR)
        return tuple(compress(self._entries, bits))

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: int) -> IndexedDistractor:  # type: ignore[override]  # slices are not needed
        return self._entries[index]


def _indexed(text: str, distractor: Distractor) -> IndexedDistractor:
    people, found = proper_nouns(text), units(text)
    others = frozenset[str]().union(*map(namesakes, people))
    marks = marked("p", people) | marked("k", others) | marked("n", nouns_of(text))
    marks |= marked("u", found | ({"money"} if TRADE.search(text) else set()))
    marks |= marked("r", topic_of(text)) if RATE.search(text) else frozenset()
    marks |= {"c:"} if counts_things(found) else frozenset()
    return IndexedDistractor(
        source=distractor,
        marks=marks,
        people=marked("p", people),
        bars=marked("p", people | others),
        figures=figures_of(values(text)),
    )


def marked(role: str, found: Iterable[str]) -> frozenset[str]:
    """Return words with the letter of their role before them."""
    return frozenset(f"{role}:{word}" for word in found)


def figures_of(found: Iterable[Fraction]) -> frozenset[str]:
    """Return values as marks."""
    return marked("v", map(str, found))


def harvest(problems: Iterable[Problem]) -> list[Distractor]:
    """Return the setup sentences of problems that can stand in any other problem."""
    found = []
    for problem in problems:
        for position, sentence in enumerate(sentences_of(problem.text, latex=problem.answer_type == "math")):
            if is_self_contained(sentence.core):
                found.append(Distractor(source_id=problem.base_id, position=position, text=sentence.core.strip()))
    return found


@lru_cache(maxsize=65_536)
def proper_nouns(text: str) -> frozenset[str]:
    """Return the capitalised words of a text that are no sentence openers and no calendar words, in lower case."""
    tokens = tokens_of(text)
    lowered = {token.text for token in tokens if token.text.islower()}
    return frozenset(
        token.low
        for token in tokens
        if token.is_capitalised
        and token.low not in CALENDAR
        and token.low != "i"
        and not (
            token.opens_sentence and (token.low in OPENERS or token.low in lowered) and token.text not in given_names()
        )
    )


def _place(distractor: Distractor) -> tuple[str, int]:
    return distractor.source_id, distractor.position
