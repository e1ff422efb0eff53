"""Holds whether the rest of a text speaks only of its own people, so that a newcomer before it is never meant.

Never resolves a reference: where it cannot tell, the newcomer stays out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

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
PEOPLE = (
    r"boys?|girls?|men|women|kids|children|brothers?|sisters?|siblings|friends|guys|ladies|couple|pair|players?|people"
)
PERSONS = re.compile(
    rf"\b(?:{PEOPLE}|students|teachers|pupils|workers|employees|members|customers|guests|parents"
    r"|family|families|teams?|class|classes|company|companies)\b",
    re.IGNORECASE,
)
GROUP_WORD = re.compile(
    r"\bthe (?:two|three|four|five|six)\b(?! (?!is\b|was\b|has\b|of us)\w+s\b)|\bthe other\b"
    rf"|\b(?:the|those|these|all) (?:two |three |four |five |\d+ )?(?:{PEOPLE})\b"
    r"|\b(?:both|all|each|either|neither|one|none|most) of (?:them|the)\b|\b(?:among|amongst|between|of) them\b"
    r"|\beach other\b|\bone another\b|\ball (?:two|three|four|five)\b|\b(?:he|she) and\b"
    r"|\beach (?:person|one|child|kid|friend|get|have|pay)\b|\b(?:everyone|everybody|everything|we|us|our|ours)\b",
    re.IGNORECASE,
)
"""Words that gather the people who came up before."""

JOINED = re.compile(
    r"\b(?:[A-Z]\w+|s?he)(?:['’]s)?,? (?:and|or|with) (?:[A-Z]\w+|(?:his|her|their|two|three|four)\b)"
    r"|\b[A-Z]\w+, [A-Z]\w+,"
)
"""Two persons in one breath: whom "they" may mean from then on."""

VERB = re.compile(r"(?:['’]s)? ([a-z]+)")
THING = re.compile(
    r"\b(?:it|its)\b(?! (?:takes?|took|will take|would take)(?: [A-Z]\w+| him| her)? to \w+"
    r" (?:the|an?|his|her|one|each|all|\d)| is (?:said|known)| rain\w*| snow\w*)",
    re.IGNORECASE,
)
"""It, unless it stands for nothing: "How long does it take to clean the rooms?" """

THING_NAMED = re.compile(
    r"\b(?:an?|the|each|every|his|her|their|\d+)\b[^,]{0,200}?"
    r"(?:,| and | if | when | that | because | but | which )",
    re.IGNORECASE,
)
"""A thing that came up in an earlier clause of the same sentence."""


@dataclass(slots=True)
class _Known:
    """Who came up since the place of the newcomer."""

    leads: bool
    genders: set[str] = field(default_factory=set)
    has_group: bool = False


def speaks_of_its_own(cores: Sequence[str], *, leads: bool) -> bool:
    """Return whether no pronoun and no group word of these sentences can mean somebody from before them.

    Args:
        cores: The sentences that follow the place of a newcomer, in order.
        leads: The first of them opens the text, so that what its own sentences introduce is all there is.
    """
    known = _Known(leads)
    for index, core in enumerate(cores[:SENTENCES_AHEAD]):
        if not (leads or index) and _has_open_thing(core):
            return False
        if not (_gathers_its_own(core, known) and _names_its_own(core, known)):
            return False
        # In a text that the newcomer only precedes, "they" are whom its first sentence speaks of.
        known.has_group = known.has_group or leads or _joined_at(core) < len(core)
    return True


def _joined_at(core: str) -> int:
    """Return where two persons have come up in one breath; the end of the sentence if they never do."""
    pairs = (pair for pair in JOINED.finditer(core) if CALENDAR.isdisjoint(pair[0].lower().split()))
    return next((pair.end() for pair in pairs), len(core))


def _gathers_its_own(core: str, known: _Known) -> bool:
    """Return whether "they", "the two" and the like come after those they gather, and take in the sentence's own."""
    if known.has_group:
        return True
    joined_at = _joined_at(core)
    if any(group.start() < joined_at for group in GROUP_WORD.finditer(core)):
        return False
    plurals = (word for word in WORD.finditer(core, 0, joined_at) if word.group().lower() in PLURAL)
    return all(PERSONS.search(core, 0, word.start()) for word in plurals)


def _names_its_own(core: str, known: _Known) -> bool:
    """Return whether he and she come after a person of their gender; notes the persons that come up."""
    for match in WORD.finditer(core):
        gender = PRONOUN_GENDER.get(match.group().lower())
        if gender is None:
            known.genders |= _person(match.group(), leads=known.leads, after=core[match.end() : match.end() + 24])
        elif not known.genders & {gender, "unisex"}:
            return False
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
