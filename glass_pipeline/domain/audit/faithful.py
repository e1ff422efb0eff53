"""Holds whether a recorded edit is of the kind that its family allows, once it is known to give the base back.

Never compares texts to find an edit (see ``pairs``), and never judges meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from glass_pipeline.domain.records import Problem, Twin
from glass_pipeline.domain.twins.names import given_names
from glass_pipeline.domain.twins.operator import Json
from glass_pipeline.domain.twins.segmentation import sentences_of
from glass_pipeline.domain.twins.vocabulary import SURNAME_TITLES

INJECTIONS = frozenset({"math_irrelevant_context", "gsm_ic"})
Span = tuple[int, str, str]
"""Start in the twin, the base's words, the twin's words."""
WORD = re.compile(r"[^\W\d_]+")
TITLE_BEFORE = re.compile(rf"\b(?:{'|'.join(sorted(SURNAME_TITLES))})\.? $", re.IGNORECASE)
"""What follows a title may be a surname, which has no gender."""


def is_faithful(base: Problem, twin: Twin, record: Json) -> bool:
    """Return whether an edit that gives the base back is what its family may do.

    An injection replaces nothing; a renaming maps each name to one of no other gender, no two to one, and leaves no
    mention; a reordering leaves the last sentence, the question, last.

    Source: methods §3.4, "rename keeps gender and pronouns; reorder keeps gold".
    """
    spans: Sequence[Span] = record.get("spans", ())
    if twin.family in INJECTIONS:
        return not any(old for _, old, _ in spans)
    if twin.family == "entity_rename":
        return _renames_well(twin, spans)
    return twin.text.rstrip().endswith(_last_sentence(base.text, base.answer_type == "math"))


def _renames_well(twin: Twin, spans: Sequence[Span]) -> bool:
    pairs = {(old.lower(), new.lower()) for _, old, new in spans}
    is_injective = len(pairs) == len({old for old, _ in pairs}) == len({new for _, new in pairs})
    left = {word for word in WORD.findall(twin.text) if word[0].isupper()} & {old for _, old, _ in spans}
    return (
        is_injective
        and not left
        and all(
            _may_share_gender(old, new) for start, old, new in spans if not TITLE_BEFORE.search(twin.text[:start][-16:])
        )
    )


def _may_share_gender(old: str, new: str) -> bool:
    """Return whether two names may be of one gender: unless one is a woman's and the other a man's."""
    genders = {listed.gender for name in (old, new) if (listed := given_names().get(name.capitalize())) is not None}
    return not genders >= {"female", "male"}


@lru_cache(maxsize=4_096)
def _last_sentence(text: str, latex: bool) -> str:
    sentences = sentences_of(text, latex=latex)
    return sentences[-1].core if sentences else ""
