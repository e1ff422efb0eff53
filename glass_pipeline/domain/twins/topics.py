"""Holds which words of a text say what it is about.

Never tells two topics apart by meaning: words are compared as they stand and in the singular.
"""

from __future__ import annotations

import re
from functools import lru_cache

from glass_pipeline.domain.twins.units import singular
from glass_pipeline.domain.twins.vocabulary import words

LOWER_WORD = re.compile(r"(?<![\w'’])[a-z]{3,}")
EVERYDAY = words("everyday_words")
"""Words that make no topic."""


@lru_cache(maxsize=65_536)
def nouns_of(text: str) -> frozenset[str]:
    """Return the lower-case words of a text in the singular."""
    return frozenset(singular(word) for word in LOWER_WORD.findall(text))


@lru_cache(maxsize=65_536)
def topic_of(text: str) -> frozenset[str]:
    """Return the lower-case words of a text that say what it is about, as they stand and in the singular."""
    found = {word for word in LOWER_WORD.findall(text) if word not in EVERYDAY}
    return frozenset(found | {singular(word) for word in found})
