"""Holds the pool of sentences of other problems: how it is gathered, and its index with what the operator asks of each.

Never decides which sentence goes into which problem (see ``math_irrelevant_context``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

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
    r"\b(?:charg\w+|cost\w*|pric\w+|sells?|tax\w*|fees?|rates?|discount\w*|off|offer\w*|recommend\w*|recipe|per person)\b",
    re.IGNORECASE,
)
"""What a price, a rate or a recipe is told with: it could be taken to hold for the same goods elsewhere."""

TRADE = re.compile(r"\b(?:buy\w*|bought|sell\w*|sold|order\w*|purchas\w+|pay\w*|paid|spen[dt]\w*|rent\w*|hir\w+)\b")


@dataclass(frozen=True, slots=True)
class IndexedDistractor:
    """A distractor with all that the operator asks of it, read once."""

    source: Distractor
    proper: frozenset[str]
    """Its proper nouns in lower case, calendar words left out."""
    namesakes: frozenset[str]
    """Other names that its persons may go by."""
    values: frozenset[Fraction]
    units: frozenset[str]
    """Money too where something is bought or sold, though no price is told."""
    counts_things: bool
    """Some quantity of it counts a noun."""
    nouns: frozenset[str]
    """Its lower-case words in the singular, counted or not."""
    rated: frozenset[str]
    """Of a price, a rate or a recipe: the words that say of what; nothing for other sentences."""


class DistractorIndex(Sequence[IndexedDistractor]):
    """The injectable sentences of a pool, in an order that does not depend on the pool's."""

    def __init__(self, distractors: Iterable[Distractor]) -> None:
        distinct = {distractor.text.strip(): distractor for distractor in sorted(distractors, key=_place, reverse=True)}
        self._entries = tuple(
            _indexed(text, distractor)
            for text, distractor in sorted(distinct.items(), key=lambda item: _place(item[1]))
            if is_self_contained(text)
        )

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: int) -> IndexedDistractor:  # type: ignore[override]  # slices are not needed
        return self._entries[index]


def _indexed(text: str, distractor: Distractor) -> IndexedDistractor:
    proper = proper_nouns(text)
    return IndexedDistractor(
        source=distractor,
        proper=proper,
        namesakes=frozenset[str]().union(*map(namesakes, proper)),
        values=values(text),
        units=units(text) | ({"money"} if TRADE.search(text) else set()),
        counts_things=counts_things(units(text)),
        nouns=nouns_of(text),
        rated=topic_of(text) if RATE.search(text) else frozenset(),
    )


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
