"""Holds how one sentence leans on another: pronouns without antecedent, order words, running state, ellipsis.

Never resolves a reference: it only tells that one is there.
"""

from __future__ import annotations

import re

from glass_pipeline.domain.twins.names import given_names
from glass_pipeline.domain.twins.unsaid import leaves_unsaid
from glass_pipeline.domain.twins.vocabulary import (
    GENDERED_NOUNS,
    GENDERED_TITLES,
    HUMAN_NOUNS,
    NEUTRAL_CAPITALS,
    OPENERS,
    OPENING_ANAPHORS,
    PRONOUN_GENDER,
    THIRD_PERSON,
    TITLES,
    words,
)

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
ORDER_WORD = re.compile(
    r"\b(?:then|after|afterwards?|before|next|later|finally|eventually|until|till|once|first|second|third|fourth|fifth"
    r"|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)|last|final|former|latter|respectively|previous(?:ly)?"
    r"|following|meanwhile|yesterday|tomorrow|subsequent(?:ly)?|earlier|soon|in turn|at the (?:beginning|end))\b",
    re.IGNORECASE,
)
REMAINDER = re.compile(
    r"\b(?:rest|remain\w*|others?|left ?over|leftovers?|another|else|what(?:'s| is| was)? left"
    r"|(?:are|is|were|was|has|have|had) left)\b",
    re.IGNORECASE,
)
RUNNING_STATE = re.compile(
    r"\b(?:now|currently|so far|already|again|still|anymore|no longer|also|too|as well|instead|however|therefore"
    r"|additional(?:ly)?|extra|back|original(?:ly)?|initial(?:ly)?|start\w*|began|begins?|ends?|ended|increas\w+"
    r"|decreas\w+|rais\w+|reduc\w+|discount\w*|chang\w+|left|return\w*|result\w*|becomes?|became|grew|grows|gains?"
    r"|gained|new|recent(?:ly)?|bring(?:s|ing))\b"
    r"|\b(?:\d+|[a-z]+) more\b(?![^.]*\bthan\b)",
    re.IGNORECASE,
)
CONNECTIVE = re.compile(
    r"^[\"'“‘(]*(?:and|but|so|or|however|therefore|thus|hence|moreover|furthermore|additionally|instead|otherwise"
    r"|likewise|similarly|for example|as a result|in addition|in total|in return|in turn|there,|because"
    r"|of (?:the|these|those|them)|out of|from (?:these|those|this|that)|if|given|assuming|suppose)\b",
    re.IGNORECASE,
)
ELLIPSIS = re.compile(
    r"\bas (?:many|much) as\b"
    r"|\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twice|half) (?:more|fewer|less) than\b"
    r"|\b(?:has|have|had|bought|got|made|sold|ate|did|does|do|ones?)[.]$"
    r"|\b(?:has|have|had|buys|bought|got|made|sold|ate|eats|wants|needs|takes)"
    r" (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)[.]$",
    re.IGNORECASE,
)
DEMONSTRATIVE = re.compile(
    r"\b(?:this|these|those|such)\b|\bthat (?:many|much|number|amount|same|day|week|month|year|time)\b", re.IGNORECASE
)
UNNAMED = re.compile(r"[A-Z]?[^A-Z,]{0,80}")
"""A sentence up to its first name."""

GROUP = re.compile(
    r"(?:^|\b(?:of|between|among|with|by) )"
    r"(?:some|several|many|a (?:group|few|couple|pair|team)(?: of)?|\d+|two|three|four|five|six|seven|eight|nine|ten)"
    r" ((?:[a-z-]+ ){0,2}[a-z]+)\b",
    re.IGNORECASE,
)
PEOPLE = frozenset({"people", "children"})
ANTECEDENT_MARKS = words("antecedent_marks")
LEANINGS = {
    "connective": CONNECTIVE,
    "order word": ORDER_WORD,
    "remainder": REMAINDER,
    "running state": RUNNING_STATE,
    "demonstrative": DEMONSTRATIVE,
    "ellipsis": ELLIPSIS,
}
"""Marks of a sentence that leans on an earlier one, by the slug of the reason, in the order they are asked."""


def leans_back(core: str) -> str | None:
    """Return why a sentence cannot stand before the sentences that precede it; None if it can.

    Returns:
        "opening pronoun", "open pronoun", a key of ``LEANINGS``, or what ``leaves_unsaid`` names.
    """
    if opens_with_anaphor(core):
        return "opening pronoun"
    for reason, pattern in LEANINGS.items():
        if pattern.search(core):
            return reason
    return "open pronoun" if has_open_pronoun(core) else leaves_unsaid(core)


def opens_with_anaphor(core: str) -> bool:
    """Return whether the first word points back ("He", "This", "Each")."""
    first = WORD.search(core)
    return first is not None and _bare(first.group()).lower() in OPENING_ANAPHORS


def opens_with_group(core: str) -> bool:
    """Return whether a sentence is about several persons before it names one ("Three friends", "ages of two boys")."""
    head = UNNAMED.match(core)
    groups = GROUP.findall(head.group()) if head else []
    return any(word.removesuffix("s") in HUMAN_NOUNS | PEOPLE for group in groups for word in group.lower().split())


def has_open_pronoun(core: str) -> bool:
    """Return whether a third-person pronoun stands in a sentence with nothing before it that it may mean.

    He and she need one person of their gender, or of none; it and they need a noun phrase.
    """
    genders: set[str] = set()
    has_noun = False
    for match in WORD.finditer(core):
        word = _bare(match.group())
        low = word.lower()
        if low in THIRD_PERSON:
            gender = PRONOUN_GENDER.get(low)
            return not (has_noun if gender is None else genders & {gender, "unisex"})
        person = person_gender(word)
        genders |= {person} if person and not _is_plural_noun(low) else set()
        has_noun |= person is not None or low in ANTECEDENT_MARKS or _is_proper(word)
    return False


def person_gender(word: str) -> str | None:
    """Return "female", "male" or "unisex" for a given name, a title or a noun for a person; None for other words."""
    listed = given_names().get(word)
    if listed is not None:
        return listed.gender
    low = word.lower()
    if low in TITLES:
        return GENDERED_TITLES.get(low, "unisex")
    if low in GENDERED_NOUNS:
        return GENDERED_NOUNS[low]
    return "unisex" if low.removesuffix("s") in HUMAN_NOUNS else None


def _is_plural_noun(low: str) -> bool:
    return low.endswith("s") and low.removesuffix("s") in HUMAN_NOUNS


def _is_proper(word: str) -> bool:
    return word[0].isupper() and len(word) > 1 and word.lower() not in OPENERS | NEUTRAL_CAPITALS


def _bare(word: str) -> str:
    return re.split("['’]", word)[0]
