"""Holds which sentences of other problems can stand anywhere, and the index of a pool of them.

Never decides which sentence goes into which problem (see ``math_irrelevant_context``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins.names import given_names
from glass_pipeline.domain.twins.quantities import values
from glass_pipeline.domain.twins.questions import asks
from glass_pipeline.domain.twins.reference import ELLIPSIS, ORDER_WORD, REMAINDER, RUNNING_STATE
from glass_pipeline.domain.twins.segmentation import sentences_of
from glass_pipeline.domain.twins.tokens import Token, tokens_of
from glass_pipeline.domain.twins.units import counts_things, units
from glass_pipeline.domain.twins.vocabulary import ANIMATE_VERBS, CALENDAR, NEUTRAL_CAPITALS, OPENERS, words

FEWEST_WORDS, MOST_WORDS = 4, 40
OPEN_WORD = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|such|both|same|which|i|me|my|we|us|our|you|your|if|suppose|assume"
    r"|assuming|unless|would|could|should|might|may|everyone|everybody|anyone|all|only|most|there|here|thing|things|ones?"
    r"|total|altogether|together|combined|average|answer|question|problem)\b",
    re.IGNORECASE,
)
FORBIDDEN_MARK = re.compile(r"[?:;\"“”()\[\]{}\\\n*=<>]|…|\.\.")
DEFINITE = re.compile(r"\b(?:the|these|those)\s+([\w-]+)", re.IGNORECASE)
FAMILIAR = words("familiar_nouns")
"""Nouns that "the" may stand before without an earlier mention."""

VERB = re.compile(r"[ ](?:also |just |usually |always )?([a-z]+)")
SUBJECT_VERBS = ANIMATE_VERBS | {"is", "was", "can"}


@dataclass(frozen=True, slots=True)
class IndexedDistractor:
    """A distractor with all that the operator asks of it, read once."""

    source: Distractor
    proper: frozenset[str]
    """Its proper nouns in lower case, calendar words left out."""
    values: frozenset[Fraction]
    units: frozenset[str]
    counts_things: bool
    """Some quantity of it counts a noun."""


class DistractorIndex(Sequence[IndexedDistractor]):
    """The injectable sentences of a pool, in an order that does not depend on the pool's."""

    def __init__(self, distractors: Iterable[Distractor]) -> None:
        distinct = {distractor.text.strip(): distractor for distractor in sorted(distractors, key=_place, reverse=True)}
        self._entries = tuple(
            IndexedDistractor(
                source=distractor,
                proper=proper_nouns(text),
                values=values(text),
                units=units(text),
                counts_things=counts_things(units(text)),
            )
            for text, distractor in sorted(distinct.items(), key=lambda item: _place(item[1]))
            if is_self_contained(text)
        )

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: int) -> IndexedDistractor:  # type: ignore[override]  # slices are not needed
        return self._entries[index]


def harvest(problems: Iterable[Problem]) -> list[Distractor]:
    """Return the setup sentences of problems that can stand in any other problem."""
    found = []
    for problem in problems:
        for position, sentence in enumerate(sentences_of(problem.text, latex=problem.answer_type == "math")):
            if is_self_contained(sentence.core):
                found.append(Distractor(source_id=problem.base_id, position=position, text=sentence.core.strip()))
    return found


def is_self_contained(sentence: str) -> bool:
    """Return whether a sentence states a quantity about a named person and leans on nothing outside itself."""
    core = sentence.strip()
    n_words = len(core.split())
    if not FEWEST_WORDS <= n_words <= MOST_WORDS or not core.endswith(".") or FORBIDDEN_MARK.search(core):
        return False
    if asks(core) or any(
        pattern.search(core) for pattern in (OPEN_WORD, ORDER_WORD, REMAINDER, RUNNING_STATE, ELLIPSIS)
    ):
        return False
    if any(noun.lower() not in FAMILIAR for noun in DEFINITE.findall(core)):
        return False
    return _is_about_a_person(core) and bool(values(core))


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


def _is_about_a_person(core: str) -> bool:
    """Return whether the first word is a plain given name that does something, and every other capital is known."""
    tokens = tokens_of(core)
    capitals = [token for token in tokens if token.is_capitalised]
    if not capitals or tokens[0].start != 0 or not _is_plain_name(tokens[0]):
        return False
    if not all(_is_plain_name(token) or token.low in NEUTRAL_CAPITALS for token in capitals):
        return False
    verb = VERB.match(core, tokens[0].end)
    joined = re.match(r" and ([A-Z][a-z]+) ([a-z]+)", core[tokens[0].end :])
    acts = (verb is not None and verb[1] in SUBJECT_VERBS) or (joined is not None and joined[1] in given_names())
    return acts or tokens[0].is_possessive


def _is_plain_name(token: Token) -> bool:
    listed = given_names().get(token.text)
    return listed is not None and not listed.kind
