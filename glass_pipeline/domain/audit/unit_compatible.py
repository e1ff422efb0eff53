"""Holds the flag for an inserted quantity that has a unit the question asks for.

Never drops a twin: most such twins are sound, and how solvers take them is a result (methods §3.4).
"""

from __future__ import annotations

from functools import lru_cache

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.segmentation import split_sentences
from glass_pipeline.domain.twins.units import asked_units, units


def unit_compatible(case: Case) -> bool:
    """Return whether some inserted quantity shares a unit or a counted noun with a question of the base."""
    asked = _asked(case.base_text)
    return not all(asked.isdisjoint(units(text)) for text in case.inserted)


@lru_cache(maxsize=4_096)
def _asked(base_text: str) -> frozenset[str]:
    sentences = split_sentences(base_text)
    return frozenset[str]().union(*(asked_units(sentences[index]) for index in question_indices(sentences)))
