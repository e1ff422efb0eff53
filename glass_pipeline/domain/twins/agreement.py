"""Holds whether every he and she of a text has somebody of its gender to stand for.

Never resolves a pronoun: it only tells that nobody of its gender has been named where it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glass_pipeline.domain.twins.tokens import Token
from glass_pipeline.domain.twins.vocabulary import GENDERED_NOUNS, GENDERED_TITLES, HUMAN_NOUNS, PRONOUN_GENDER, TITLES

EITHER = "either"
"""Gender of somebody who may be he or she, such as a doctor known by surname."""

CONTRACTED = {
    f"{pronoun}{apostrophe}{ending}": gender
    for pronoun, gender in PRONOUN_GENDER.items()
    for apostrophe in "'’"
    for ending in ("d", "ll")
}
GENDER_OF_PRONOUN = PRONOUN_GENDER | CONTRACTED
PLURAL_NOUNS = frozenset({"men", "women", "gentlemen", "ladies"} | {f"{noun}s" for noun in GENDERED_NOUNS})
SINGULAR_NOUNS = {noun: gender for noun, gender in GENDERED_NOUNS.items() if noun not in PLURAL_NOUNS}
"""Nouns that a single he or she may stand for; friends and sons are they."""


def has_orphaned_pronoun(tokens: Sequence[Token], genders: Mapping[str, str]) -> bool:
    """Return whether some he or she can stand for nobody.

    Who is meant was named before the pronoun; only a name, but no noun, may follow it within its sentence ("When she
    came, Ann …"), though not as "her friend Ann", and none may follow a pronoun that opens the sentence.

    Args:
        tokens: The words of the text.
        genders: Gender of each person by name, in lower case: "female", "male" or ``EITHER``.
    """
    heard: set[str] = set()
    awaited: set[str] = set()
    for index, token in enumerate(tokens):
        low = token.low
        if token.opens_sentence and awaited:
            return True
        gender = GENDER_OF_PRONOUN.get(low)
        if gender is not None:
            if gender not in heard and EITHER not in heard:
                if token.opens_sentence:
                    return True
                awaited.add(gender)
            continue
        named = genders.get(low)
        if named is None and token.is_capitalised and low in TITLES:
            named = GENDERED_TITLES.get(low, EITHER)
        if named is not None:
            if not _is_somebodys(tokens, index):
                awaited = awaited - {named} if named != EITHER else set()
            heard.add(named)
        elif low in SINGULAR_NOUNS and not (token.is_capitalised and low in TITLES):
            heard.add(SINGULAR_NOUNS[low])
    return bool(awaited)


def _is_somebodys(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a name stands in "her friend Ann", where "her" is somebody else."""
    before = [token.low for token in tokens[max(0, index - 2) : index]]
    return len(before) == 2 and before[0] in PRONOUN_GENDER and before[1] in HUMAN_NOUNS
