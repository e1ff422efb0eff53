"""Holds which unit or counted noun each quantity of a sentence has, and which one a question asks for.

Never converts between units, and never calls two nouns the same thing because they mean the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from glass_pipeline.domain.twins.vocabulary import DIMENSION_OF, words

QUANTITY = re.compile(
    r"(?:\d[\d,./]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen|half|twice|many|some|several))"
    r"[ -]((?:[a-z]+[ -]?){1,4})",
    re.IGNORECASE,
)
HOW_MANY = re.compile(r"\b(?:how many|number of|how much)\s+((?:[a-z-]+\s+){0,3}[a-z-]+)", re.IGNORECASE)
BOUNDARY = words("phrase_ends")
MONEY = re.compile(r"[$€£]\s?\d|\b(?:dollars?|cents?)\b", re.IGNORECASE)
QUESTION_MONEY = re.compile(
    r"[$€£]|\b(?:dollars?|cents?|money|costs?|price|pay|paid|spen[dt]|earn\w*|profit|salary|wages?|bill|revenue|income|owe\w*"
    r"|worth|charge\w*|change|budget|sav(?:e|ed|ings)|make|made)\b",
    re.IGNORECASE,
)
HOW_LONG = re.compile(
    r"\bhow (?:long|old)\b|\bwhat (?:time|age)\b|\b(?:hours?|minutes?|days?|weeks?|months?|years?|age)\b", re.IGNORECASE
)


@lru_cache(maxsize=16_384)
def singular(noun: str) -> str:
    """Return the singular of a noun in lower case; a singular stays."""
    return str(_engine().singular_noun(noun) or noun)


@lru_cache(maxsize=1)
def _engine() -> Any:
    # Importing inflect takes a second, most of it type instrumentation; a run that makes no twins never needs it.
    import inflect

    return inflect.engine()


@lru_cache(maxsize=65_536)
def units(sentence: str) -> frozenset[str]:
    """Return the dimensions and counted nouns of a sentence's quantities, e.g. {"money", "noun:apple"}."""
    found = {"money"} if MONEY.search(sentence) else set()
    if "%" in sentence:
        found.add("percent")
    for phrase in QUANTITY.findall(sentence):
        found.update(_heads(phrase))
    return frozenset(found)


def asked_units(question: str) -> frozenset[str]:
    """Return the dimensions and counted nouns that a question asks for."""
    found: set[str] = set()
    for phrase in HOW_MANY.findall(question):
        found.update(_heads(phrase))
    if QUESTION_MONEY.search(question) and not any(unit.startswith("noun:") for unit in found):
        found.add("money")
    if HOW_LONG.search(question) and not found:
        found.add("time")
    return frozenset(found)


def counts_things(found: frozenset[str]) -> bool:
    """Return whether some unit is a counted noun."""
    return any(unit.startswith("noun:") for unit in found)


def _heads(phrase: str) -> set[str]:
    """Return the units that a noun phrase may count: every word of it up to the first function word."""
    found: set[str] = set()
    for word in re.split(r"[\s-]+", phrase.lower().strip()):
        if word in BOUNDARY or not word:
            break
        noun = singular(word)
        dimension = DIMENSION_OF.get(noun) or DIMENSION_OF.get(word)
        found.add(dimension or f"noun:{noun}")
    return found
