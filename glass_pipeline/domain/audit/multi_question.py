"""Holds the rule against a second question.

Never minds how many questions the base itself asks.
"""

from __future__ import annotations

from functools import lru_cache

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.twins.questions import asks
from glass_pipeline.domain.twins.segmentation import split_sentences


def multi_question(case: Case) -> bool:
    """Return whether new text asks something, and the twin asks more than the base.

    Source: methods §3.4.
    """
    if not any(map(_may_ask, case.inserted + case.reworded)):
        return False
    return _n_questions(case.twin_text) > _n_questions(case.base_text)


@lru_cache(maxsize=65_536)
def _may_ask(text: str) -> bool:
    return "?" in text or _n_questions(text) > 0


def _n_questions(text: str) -> int:
    # Every sentence is counted by itself: beside an open question, a base that asks in passing would count for nothing.
    return sum(map(asks, split_sentences(text)))
