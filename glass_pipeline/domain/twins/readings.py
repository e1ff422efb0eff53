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
    CALENDAR,
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
STATIVE_VERBS = frozenset({"has", "had", "is", "was"})
IMPERSONAL_VERBS = frozenset({"charges", "charged", "sells", "sold", "started", "starts"})
"""Verbs that a shop or a film may be the subject of."""

DEEDS = words("deeds")
ASKS_HOW = re.compile(r"\bhow [a-z]+ $", re.IGNORECASE)
NAMES_THAT_ARE_TITLES = words("names_that_are_titles")
DETERMINERS = words("determiners")
OWNED = re.compile(r"['’]s(?: ([a-z]+)|(?=[.,?!;])|$)")
BEFORE_A_SHOP = re.compile(r"\b(?:at|to|from) $")
SHOP_VERBS = STATIVE_VERBS | IMPERSONAL_VERBS | {"are", "offers", "offered", "opens", "sells"}
COMPOUND_ENDS = words("compound_ends")
MODALS = frozenset({"will", "may"})
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
    if (token.opens_sentence and token.low in MODALS) or _heads_a_compound(text, token):
        return "other"
    plain_word = kind == "word" and not token.opens_sentence and token.low not in {"art", "summer", "autumn", "forest"}
    return "person" if plain_word and not is_attribute(text, token) else "unclear"


def _heads_a_compound(text: str, token: Token) -> bool:
    """Return whether the word belongs to what follows it: "Art class", "Summer camp"."""
    behind = SUBJECT_AFTER.match(text, token.end)
    return behind is not None and behind[1] in COMPOUND_ENDS


def acts_like_a_person(text: str, tokens: Sequence[Token], index: int, people: Iterable[str]) -> bool:
    """Return whether a capitalised word that is no known name is used as one.

    Args:
        text: The text.
        tokens: Its words.
        index: The capitalised word.
        people: Names already known to be persons; a word that is listed beside one of them is a person too.
    """
    token, before = tokens[index], tokens[index - 1] if index else None
    if token.low in CALENDAR | NAMES_THAT_ARE_TITLES:
        return _is_kin_or_crowned(text, token, before)
    if token.low in NEUTRAL_CAPITALS | TITLES or len(token.text) < 2 or follows_number(text, token):
        return False
    if re.split("['’]", token.low)[0] in OPENERS:
        return False
    if any(_conjoined(text, token, name) for name in people):
        return True
    if token.text.isupper():
        return False
    return _is_subject(text, token) or (
        _opens_like_a_person(text, token) if token.opens_sentence else _stands_as_person(text, token, before)
    )


def _is_kin_or_crowned(text: str, token: Token, before: Token | None) -> bool:
    """Return whether a month or title is somebody's name: "her sister July", "Prince sells meat"."""
    if token.low in CALENDAR:
        return before is not None and not token.opens_sentence and before.low in HUMAN_NOUNS
    verb = SUBJECT_AFTER.match(text, token.end)
    acts = verb is not None and verb[1] in ANIMATE_VERBS | STATIVE_VERBS
    return acts and (before is None or token.opens_sentence or before.low not in DETERMINERS)


def follows_number(text: str, token: Token) -> bool:
    """Return whether a number stands before a word: it is counted, or a unit."""
    return text[: token.start].rstrip()[-1:].isdigit()


def _is_subject(text: str, token: Token) -> bool:
    verb = SUBJECT_AFTER.match(text, token.end)
    if verb is None:
        return False
    if verb[1] in STATIVE_VERBS:
        return not (token.opens_sentence and token.low.endswith("s"))
    return verb[1] in ANIMATE_VERBS - IMPERSONAL_VERBS


def _opens_like_a_person(text: str, token: Token) -> bool:
    """Return whether a first word owns something, has relatives, or does something: no plural and no gerund does."""
    behind = text[token.end : token.end + 12]
    if re.match(r"['’]s | and (?:his|her) ", behind):
        return True
    verb = SUBJECT_AFTER.match(text, token.end)
    acts = verb is not None and (verb[1] in DEEDS or verb[1].endswith("ed"))
    return acts and not token.low.endswith(("s", "ing", "ly"))


def reads_as_a_shop(text: str, token: Token) -> bool:
    """Return whether a possessive stands without what is owned, as a shop does: "Macy's is open", "went to Macy's."."""
    owned = OWNED.match(text, token.end)
    if owned is None:
        return False
    if token.opens_sentence and owned[1] in SHOP_VERBS:
        return True
    return BEFORE_A_SHOP.search(text[: token.start]) is not None and (not owned[1] or owned[1] in FUNCTION_WORDS)


def _stands_as_person(text: str, token: Token, before: Token | None) -> bool:
    """Return whether a word within a sentence owns something or stands where a person does.

    So do X in "does X", "than X", "her friend X", "how old is X", "by X", "X will".
    """
    verb = SUBJECT_AFTER.match(text, token.end)
    if token.is_possessive or (verb is not None and verb[1] in AUXILIARIES - {"does", "did"}):
        return True
    if before is None or before.is_capitalised:
        return False
    if before.low in {"is", "was"}:
        return ASKS_HOW.search(text[: before.start]) is not None
    return before.low in AUXILIARIES | {"than", "as", "by"} or before.low in HUMAN_NOUNS


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
