"""Holds the rule against a newcomer who bears a name of the base.

Never counts weekdays and months as names (methods §3.4).
"""

from __future__ import annotations

import re
from functools import lru_cache

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.twins.distractors import proper_nouns

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def entity_collision(case: Case) -> bool:
    """Return whether inserted text re-uses a proper noun of the base, or a new name is a word of the base.

    Names are compared without regard to case, as possessives and as parts of longer names.
    """
    of_base = proper_nouns(case.base_text)
    if not all(of_base.isdisjoint(proper_nouns(text)) for text in case.inserted):
        return True
    return any(part in _words(case.base_text) for name in case.new_names for part in name.lower().split())


@lru_cache(maxsize=4_096)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.split("['’]", word)[0].lower() for word in WORD.findall(text))
