"""Holds where a foreign sentence may stand in a problem without changing what any word of it refers to.

Never chooses the sentence (see ``math_irrelevant_context``), and never allows a place behind the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from glass_pipeline.domain.twins.newcomers import speaks_of_its_own
from glass_pipeline.domain.twins.operator import Declined
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.reference import CONNECTIVE, ELLIPSIS, opens_with_anaphor
from glass_pipeline.domain.twins.segmentation import Sentence
from glass_pipeline.domain.twins.splicing import ENDS_WELL
from glass_pipeline.domain.twins.topics import nouns_of, topic_of
from glass_pipeline.domain.twins.units import BOUNDARY, singular
from glass_pipeline.domain.twins.vocabulary import words

POINTS_BACK = re.compile(
    r"\b(?:then|this|that|these|those|after(?:wards| that)?|next|later|finally|another"
    r"|the (?:rest|remaining|other|others|first|second|last|former|latter|same)|also|instead|however|so|both|each)\b",
    re.IGNORECASE,
)
NOUN_BEFORE = re.compile(
    r"^(?:so |then |and |,|in total |altogether )*how (?:many|much)(?: more| less| fewer| in total)?(?:, in [a-z]+,)?"
    r" (?:are|is|was|were|do|does|did|will|would|can|could|has|have|had|should|left|of)\b"
    r"|^(?:and |then |about |only |over |around )*(?:twice|half|thrice|double|triple|[a-z]+ times|\d+ times)"
    r" (?:as|that|the)\b"
    r"|\b(?:one|ones|another|others)\b(?=[.,;?]| (?:is|are|was|were|has|have|had|and|but|costs?)\b)"
    r"|^there(?:['’]s| is| are| was| were)\b|^(?:the )?\w+ (?:agreed|agrees|refused|refuses|accepted|accepts)\.$",
    re.IGNORECASE,
)
"""A count, a "one", a "there are" or an "agreed" whose other half stands in the sentence before."""

FRAGMENT = re.compile(r"^(?:if|suppose|assuming|given|when|while|since|because)\b", re.IGNORECASE)
"""What a sentence that ends before its main clause opens with; the next one is that clause."""

DEFINITE = re.compile(r"\bthe ((?:[a-z-]+ ?){1,4})", re.IGNORECASE)
TELLS_WHICH = {"of", "that", "who", "which", "between"}
"""Words after a noun by which it needs no earlier mention: "the number of pens"."""

FAMILIAR = words("familiar_nouns")
LOWER = re.compile(r"[a-z]+")
CAPITAL = re.compile(r"\b[A-Z][a-z]+")


def safe_slots(sentences: Sequence[Sentence]) -> tuple[int, ...]:
    """Return the indices of the sentences before which a foreign sentence changes no reference.

    Raises:
        Declined: the text asks nothing, or no place is safe.
    """
    cores = [sentence.core for sentence in sentences]
    questions = question_indices(cores)
    if not questions:
        raise Declined("no question found")
    slots = tuple(slot for slot in range(questions[0] + 1) if _is_safe(cores, sentences, slot))
    if not slots:
        raise Declined("no safe position")
    return slots


def _is_safe(cores: Sequence[str], sentences: Sequence[Sentence], slot: int) -> bool:
    if slot and not (ENDS_WELL.search(cores[slot - 1]) and sentences[slot - 1].gap):
        return False
    if slot and (_leans(cores[slot]) or FRAGMENT.match(cores[slot - 1]) or not _is_anchored(cores, slot)):
        return False
    return speaks_of_its_own(cores[slot:], leads=slot == 0)


def _leans(core: str) -> bool:
    """Return whether a sentence points at the one right before it."""
    return opens_with_anaphor(core) or any(
        pattern.search(core) for pattern in (CONNECTIVE, POINTS_BACK, NOUN_BEFORE, ELLIPSIS)
    )


def _is_anchored(cores: Sequence[str], slot: int) -> bool:
    """Return whether a sentence takes up a word or a name from before, and names nothing as known that was not.

    "The walls are thick", of the boxes just spoken of, would be the walls of what a newcomer brings.
    """
    before, core = " ".join(cores[:slot]), cores[slot]
    known = nouns_of(before.lower())
    if topic_of(before).isdisjoint(topic_of(core)) and set(CAPITAL.findall(before)).isdisjoint(CAPITAL.findall(core)):
        return False
    return all(_is_known(match, known) for match in DEFINITE.finditer(core))


def _is_known(definite: re.Match[str], known: frozenset[str]) -> bool:
    phrase = LOWER.findall(definite[1].lower())
    named = list(takewhile(lambda word: word not in BOUNDARY, phrase))
    if any(word in TELLS_WHICH for word in phrase[len(named) :][:1]):
        return True
    return any(singular(word) in known or word in FAMILIAR for word in named)
