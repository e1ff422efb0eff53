"""Holds where a foreign sentence may stand in a problem, and how it is put there.

Never chooses the sentence, and never puts one behind the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from glass_pipeline.domain.twins.newcomers import speaks_of_its_own
from glass_pipeline.domain.twins.operator import Declined, Edit
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.reference import CONNECTIVE, ELLIPSIS, opens_with_anaphor
from glass_pipeline.domain.twins.segmentation import Sentence, starts_of
from glass_pipeline.domain.twins.spans import Replacement, replace_spans
from glass_pipeline.domain.twins.units import BOUNDARY, singular

ENDS_WELL = re.compile(r"""[.!?…]["'”’)\]]*$""")
POINTS_BACK = re.compile(
    r"\b(?:then|this|that|these|those|after(?:wards| that)?|next|later|finally|another"
    r"|the (?:rest|remaining|other|others|first|second|last|former|latter|same)|also|instead|however|so|both|each)\b",
    re.IGNORECASE,
)


NOUN_BEFORE = re.compile(
    r"^(?:so |then |and |,|in total |altogether )*how (?:many|much)(?: more| less| fewer| in total)?"
    r" (?:are|is|was|were|do|does|did|will|would|can|could|has|have|had|should|left|of)\b"
    r"|\b(?:one|ones|another|others)\b(?=[.,;?]| (?:is|are|was|were|has|have|had|and|but|costs?)\b)",
    re.IGNORECASE,
)
"""A count or a "one" whose noun stands in the sentence before."""

BRIDGE = re.compile(r"^(?:[a-z]+ )?the ((?:[a-z-]+ ){0,2}[a-z-]+)", re.IGNORECASE)
WORD = re.compile(r"[a-z]+")


class Insertion(NamedTuple):
    """One foreign sentence and the index of the sentence that it stands before."""

    text: str
    source_id: str
    position: int
    slot: int


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


def splice(text: str, sentences: tuple[Sentence, ...], insertions: Sequence[Insertion]) -> Edit:
    """Insert sentences, each with the white space that the text has there."""
    starts = starts_of(sentences)
    ordered = sorted(insertions, key=lambda insertion: insertion.slot)
    replacements = [
        Replacement(starts[insertion.slot], "", insertion.text + _gap(sentences, insertion.slot))
        for insertion in ordered
    ]
    spliced, spans = replace_spans(text, replacements)
    record: dict[str, Any] = {"spans": spans, "inserted": [insertion._asdict() for insertion in ordered]}
    return Edit(text=spliced, record=record, inject_size=len(insertions))


def _gap(sentences: tuple[Sentence, ...], slot: int) -> str:
    """Return the white space of the text around a slot; a space where it has none or breaks the line."""
    around = sentences[slot - 1].gap if slot else sentences[0].gap
    return around if around and not around.strip(" ") else " "


def _is_safe(cores: Sequence[str], sentences: Sequence[Sentence], slot: int) -> bool:
    if slot and not (ENDS_WELL.search(cores[slot - 1]) and sentences[slot - 1].gap):
        return False
    if slot and (_leans(cores[slot]) or _bridges(cores[:slot], cores[slot])):
        return False
    return speaks_of_its_own(cores[slot:], leads=slot == 0)


def _leans(core: str) -> bool:
    """Return whether a sentence points at the one right before it."""
    return opens_with_anaphor(core) or any(
        pattern.search(core) for pattern in (CONNECTIVE, POINTS_BACK, NOUN_BEFORE, ELLIPSIS)
    )


def _bridges(before: Sequence[str], core: str) -> bool:
    """Return whether a sentence opens with "the walls" of what the one before it speaks of, without having named them."""
    opening = BRIDGE.match(core)
    if opening is None:
        return False
    known = {singular(word) for word in WORD.findall(" ".join(before).lower())}
    named = takewhile(lambda word: word not in BOUNDARY, WORD.findall(opening[1].lower()))
    return known.isdisjoint(map(singular, named))
