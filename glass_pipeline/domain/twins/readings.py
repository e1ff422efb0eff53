"""Holds how a capitalised word is read from its surroundings: as a name or as something else.

Never reads a word that is only a name (see ``cast``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from glass_pipeline.domain.twins.names import given_names
from glass_pipeline.domain.twins.tokens import Token
from glass_pipeline.domain.twins.vocabulary import (
    ANIMATE_VERBS,
    AUXILIARIES,
    HUMAN_NOUNS,
    MONTHS,
    NEUTRAL_CAPITALS,
    OPENERS,
    TITLES,
    words,
)

Reading = Literal["person", "other", "unclear"]

TIME_BEFORE = words("before_time")
PLACE_BEFORE = words("before_place")
PERSON_VERBS = ANIMATE_VERBS | AUXILIARIES | {"is", "was"}
FUNCTION_WORDS = words("function_words")
IMPERSONAL_VERBS = frozenset({"charges", "charged", "sells", "sold", "started", "starts"})
"""Verbs that a shop or a film may be the subject of."""

MODALS = frozenset({"will", "may"})
STATIVE_VERBS = frozenset({"has", "had", "is", "was"})
SUBJECT_AFTER = re.compile(r"[ ](?:also |only |then |just |already |usually )?([a-z]+)")
NAME_BESIDE = re.compile(r"(?:,| and|, and| or) ([A-Z][a-z]+)")
NAME_AHEAD = re.compile(r"([A-Z][a-z]+)(?:,| and|, and| or) $")


def reading_of(text: str, tokens: Sequence[Token], index: int, kind: str) -> Reading:
    """Return what one capitalised occurrence means: a person, something else, or unclear."""
    token = tokens[index]
    before = tokens[index - 1] if index else None
    if kind == "month" and _reads_as_month(text, token, before):
        return "other"
    if kind == "place" and before is not None and before.low in PLACE_BEFORE and not token.opens_sentence:
        return "other"
    if _acts(text, token, before) or _beside_a_name(text, token):
        return "person"
    if token.opens_sentence and token.low in MODALS:
        return "other"
    plain_word = kind == "word" and not token.opens_sentence and token.low not in {"art", "summer", "autumn", "forest"}
    return "person" if plain_word and not is_attribute(text, token) else "unclear"


def acts_like_a_person(text: str, tokens: Sequence[Token], index: int, people: Iterable[str]) -> bool:
    """Return whether a capitalised word that is no known name is used as one.

    Args:
        text: The text.
        tokens: Its words.
        index: The capitalised word.
        people: Names already known to be persons; a word that is listed beside one of them is a person too.
    """
    token = tokens[index]
    if token.low in NEUTRAL_CAPITALS | OPENERS | TITLES or len(token.text) < 3 or token.text.isupper():
        return False
    verb = SUBJECT_AFTER.match(text, token.end)
    if verb and verb[1] in ANIMATE_VERBS - IMPERSONAL_VERBS - STATIVE_VERBS:
        return True
    if verb and verb[1] in STATIVE_VERBS and not (token.opens_sentence and token.low.endswith("s")):
        return True
    if not token.opens_sentence and (token.is_possessive or _stands_as_person(tokens[index - 1] if index else None)):
        return True
    return any(_conjoined(text, token, name) for name in people)


def _stands_as_person(before: Token | None) -> bool:
    """Return whether the word before asks for a person: "does X", "than X", "her friend X"."""
    if before is None or before.is_capitalised:
        return False
    return before.low in AUXILIARIES | {"than", "as"} or before.low in HUMAN_NOUNS


def _conjoined(text: str, token: Token, name: str) -> bool:
    return bool(
        re.search(rf"\b{re.escape(name)}(?:,| and|, and) $", text[max(0, token.start - 40) : token.start])
        or re.match(rf"(?:,| and|, and) {re.escape(name)}\b", text[token.end : token.end + 40])
    )


def _reads_as_month(text: str, token: Token, before: Token | None) -> bool:
    if before is not None and not token.opens_sentence and before.low in TIME_BEFORE | MONTHS:
        return True
    behind = text[token.end : token.end + 12]
    return re.match(r",? \d|(?:,| and| to|, and) (?:June|July|May|August|April|September)\b", behind) is not None


def _acts(text: str, token: Token, before: Token | None) -> bool:
    """Return whether the word is the subject of a verb, owns something, or follows an auxiliary or a kin noun."""
    verb = SUBJECT_AFTER.match(text, token.end)
    if verb and verb[1] in PERSON_VERBS - {"does", "did"}:
        return not (token.opens_sentence and token.low in {"will", "may"} and verb[1] == "have")
    if token.is_possessive and token.low not in MONTHS | {"summer", "autumn"}:
        return True
    return before is not None and before.low in AUXILIARIES | {"than", "named", "called"} and not token.opens_sentence


def _beside_a_name(text: str, token: Token) -> bool:
    beside = NAME_BESIDE.match(text, token.end) or NAME_AHEAD.search(text[max(0, token.start - 30) : token.start])
    listed = given_names().get(beside[1]) if beside else None
    return listed is not None and not listed.kind


def is_attribute(text: str, token: Token) -> bool:
    """Return whether a bare word follows that is neither a function word nor a verb of persons ("Art class")."""
    behind = SUBJECT_AFTER.match(text, token.end)
    return behind is not None and behind[1] not in FUNCTION_WORDS | PERSON_VERBS
