"""Holds the closed word classes that the operators read a text by, read once from ``vocabulary.toml``.

Never holds a rule; a rule that needs one of these classes stands in the module of its operator.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

_CLASSES = tomllib.loads(files(__package__).joinpath("vocabulary.toml").read_text(encoding="utf-8"))


def words(name: str) -> frozenset[str]:
    """Return the words of a class of ``vocabulary.toml``, in lower case."""
    return frozenset(_CLASSES[name].split())


MONTHS = words("months")
CALENDAR = words("weekdays") | MONTHS | {f"{day}s" for day in words("weekdays")}
"""Capitalised words that two problems may share without sharing anything (methods §3.4)."""

NEUTRAL_CAPITALS = words("neutral_capitals") | CALENDAR
"""Capitalised words that are no person and may stand beside a name."""

OPENERS = words("openers")
"""Words that open a sentence, so that their capital says nothing."""

GENDERED_TITLES = {
    **dict.fromkeys(words("male_titles"), "male"),
    **dict.fromkeys(words("female_titles"), "female"),
}
TITLES = frozenset(GENDERED_TITLES) | words("other_titles")
SURNAME_TITLES = words("surname_titles")
"""Titles that stand before a surname."""

PRONOUN_GENDER = {
    **dict.fromkeys(words("male_pronouns"), "male"),
    **dict.fromkeys(words("female_pronouns"), "female"),
}
SINGULAR_PRONOUNS = frozenset(PRONOUN_GENDER)
"""Pronouns that stand for one person."""

THIRD_PERSON = SINGULAR_PRONOUNS | words("plural_pronouns") | words("thing_pronouns")

GENDERED_NOUNS = {
    **dict.fromkeys(words("male_nouns"), "male"),
    **dict.fromkeys(words("female_nouns"), "female"),
}
HUMAN_NOUNS = frozenset(GENDERED_NOUNS) | words("other_human_nouns")
"""Nouns that he or she may stand for."""

ANIMATE_VERBS = words("animate_verbs")
"""Verbs whose subject is a person, as a rule."""

DIMENSION_OF = {unit: dimension for dimension, units in _CLASSES["dimensions"].items() for unit in units.split()}
"""Dimension of each unit, and of each word for an amount of it ("cost", "old")."""

NICKNAME_GROUPS = tuple(frozenset(line.split()) for line in _CLASSES["nicknames"].strip().split("\n"))
"""Given names in lower case with their short forms; a short form may stand in several groups."""

AUXILIARIES = words("auxiliaries")

OPENING_ANAPHORS = THIRD_PERSON | words("opening_anaphors")
"""First words that point back to an earlier sentence."""
