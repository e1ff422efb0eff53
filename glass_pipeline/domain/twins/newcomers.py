"""Holds whether the rest of a text speaks only of its own people, so that a newcomer before it is never meant.

Never resolves a reference: where it cannot tell, the newcomer stays out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from glass_pipeline.domain.twins.names import given_names
from glass_pipeline.domain.twins.reference import person_gender
from glass_pipeline.domain.twins.vocabulary import (
    ANIMATE_VERBS,
    CALENDAR,
    GENDERED_NOUNS,
    GENDERED_TITLES,
    HUMAN_NOUNS,
    NEUTRAL_CAPITALS,
    OPENERS,
    PRONOUN_GENDER,
    words,
)

WORD = re.compile(r"[^\W\d_]+")
SENTENCES_AHEAD = 24
"""How far a pronoun is followed; a longer text is no word problem."""

PLURAL = words("plural_pronouns")
PEOPLE = r"boys?|girls?|men|women|kids|children|brothers?|sisters?|siblings|friends|guys|ladies|couple|pair|players?|people"
PERSONS = re.compile(
    rf"\b(?:{PEOPLE}|students|teachers|pupils|workers|employees|members|customers|guests|parents|kids|family|families|team|teams"
    r"|class|classes|company|companies)\b",
    re.IGNORECASE,
)
GROUP_WORD = re.compile(
    r"\bthe (?:two|three|four|five|six)\b(?! (?!is\b|was\b|has\b|of us)\w+s\b)"
    rf"|\b(?:the|those|these|all) (?:two |three |four |five |\d+ )?(?:{PEOPLE})\b"
    r"|\b(?:both|all|each|either|neither|one|none|most) of (?:them|the)\b|\beach other\b|\bone another\b|\ball (?:two|three|four|five)\b"
    r"|\b(?:among|amongst|between|of) them\b|\b(?:everyone|everybody|everything|we|us|our|ours)\b|\beach (?:person|one|child|kid|friend|get|have|pay)\b|\b(?:he|she) and\b|\bthe other\b",
    re.IGNORECASE,
)
"""Words that gather the people who came up before."""

VERB = re.compile(r"(?:['’]s)? ([a-z]+)")
JOINED = re.compile(r"\b(?:[A-Z]\w+|s?he)(?:['’]s)?,? (?:and|or|with) (?:[A-Z]\w+|(?:his|her|their|two|three|four)\b)|\b[A-Z]\w+, [A-Z]\w+,")
"""Two persons in one breath: whom "they" may mean from then on."""

THING = re.compile(
    r"\b(?:it|its)\b(?! (?:takes?|took|will take|would take)(?: [A-Z]\w+| him| her)? to \w+ (?:the|an?|his|her|one|each|all|\d)"
    r"| is (?:said|known)| rain\w*| snow\w*)",
    re.IGNORECASE,
)
"""It, unless it stands for nothing: "How long does it take to clean the rooms?" """

THING_NAMED = re.compile(r"\b(?:an?|the|each|every|his|her|their|\d+)\b[^,]{0,200}?(?:,| and | if | when | that | because | but | which )", re.IGNORECASE)
"""A thing that came up in an earlier clause of the same sentence."""


def speaks_of_its_own(cores: Sequence[str], *, leads: bool) -> bool:
    """Return whether no pronoun and no group word of these sentences can mean somebody from before them.

    Args:
        cores: The sentences that follow the place of a newcomer, in order.
        leads: The first of them opens the text, so that what its own sentences introduce is all there is.
    """
    genders: set[str] = set()
    has_group = False
    for index, core in enumerate(cores[:SENTENCES_AHEAD]):
        if not (leads or index) and _has_open_thing(core):
            return False
        joined = next((pair for pair in JOINED.finditer(core) if CALENDAR.isdisjoint(pair[0].lower().split())), None)
        gathers_at = 0 if has_group or (leads and index) else joined.end() if joined else len(core)
        if any(found.start() < gathers_at for found in GROUP_WORD.finditer(core)) and gathers_at:
            return False
        for match in WORD.finditer(core):
            word = match.group()
            low = word.lower()
            gender = PRONOUN_GENDER.get(low)
            if gender is not None:
                if not genders & {gender, "unisex"}:
                    return False
            elif low in PLURAL:
                if match.start() < gathers_at and not PERSONS.search(core, 0, match.start()):
                    return False
            else:
                genders |= _person(word, leads=leads, after=core[match.end() :])
        has_group = has_group or joined is not None
    return True


def _person(word: str, *, leads: bool, after: str) -> set[str]:
    """Return the gender of the one person that a word names.

    A name and a gendered noun are somebody of the text's own; "the doctor" and "a customer" only where nobody else can
    be meant, and so for an unlisted capital who does something.
    """
    low = word.lower()
    is_known = word in given_names() or low in GENDERED_NOUNS or low in GENDERED_TITLES
    if is_known or (leads and low in HUMAN_NOUNS):
        listed = person_gender(word)
        return {listed} if listed and not (low.endswith("s") and not low.endswith("ss") and low == word) else set()
    if not (leads and word[0].isupper()) or len(word) < 2 or low in OPENERS | NEUTRAL_CAPITALS:
        return set()
    verb = VERB.match(after)
    return {"unisex"} if verb and verb[1] in ANIMATE_VERBS else set()


def _has_open_thing(core: str) -> bool:
    thing = THING.search(core)
    return thing is not None and THING_NAMED.search(core[: thing.start()]) is None
