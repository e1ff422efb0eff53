"""Holds the check of a renaming that somebody wrote: nothing but names differs, and each name has one new name.

Never accepts a name that may be of another gender, nor a place or a brand in place of another.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins.cast import surnames
from glass_pipeline.domain.twins.distractors import proper_nouns
from glass_pipeline.domain.twins.entity_rename import ASKS_ABOUT_LETTERS
from glass_pipeline.domain.twins.names import Gender, given_names, replacement_names
from glass_pipeline.domain.twins.operator import Declined, Edit
from glass_pipeline.domain.twins.segmentation import maths_spans
from glass_pipeline.domain.twins.spans import Replacement, replace_spans
from glass_pipeline.domain.twins.vocabulary import CALENDAR, GENDERED_NOUNS, PRONOUN_GENDER, TITLES
from glass_pipeline.domain.twins.writer_text import Unfaithful, check_written_length, squeezed

WORD = re.compile(r"[^\W\d_]+")
OFFERED = 4
"""Names of each gender that a writer may choose from."""


class NamesOnOffer(NamedTuple):
    """Names that a writer may choose from."""

    women: tuple[str, ...]
    men: tuple[str, ...]


def names_on_offer(problem: Problem, rng: random.Random) -> NamesOnOffer:
    """Draw names that no word of a problem could be mistaken for.

    Raises:
        Declined: nobody is named, or the letters of a name matter.
    """
    if ASKS_ABOUT_LETTERS.search(problem.text):
        raise Declined("letters of a name matter")
    if not any(word.capitalize() in given_names() for word in proper_nouns(problem.text)):
        raise Declined("no person named")
    taken = {word.lower() for word in WORD.findall(problem.text)}
    women, men = (
        [name for name in replacement_names(gender) if name.lower() not in taken] for gender in ("female", "male")
    )
    return NamesOnOffer(tuple(rng.sample(women, OFFERED)), tuple(rng.sample(men, OFFERED)))


def recovered_renaming(problem: Problem, text: str) -> Edit:
    """Return the renaming that a written text makes of its base.

    Raises:
        Unfaithful: something other than names differs, a mention was left, two persons share a name, or a new name
            does not fit.
    """
    base = problem.text
    check_written_length(base, text)
    if _frame(base) != _frame(text):
        raise Unfaithful("changes more than names")
    pairs = list(zip(WORD.finditer(base), WORD.findall(text), strict=True))
    names = _name_map((old.group(), new) for old, new in pairs if old.group() != new)
    if not names:
        raise Unfaithful("renames nobody")
    _check_mentions(names, ((old.group(), new) for old, new in pairs))
    for old, new in names.items():
        _check_old(old, problem)
        _check_new(old, new, base)
    replacements = [Replacement(old.start(), old.group(), new) for old, new in pairs if old.group() != new]
    renamed, spans = replace_spans(base, replacements)
    return Edit(text=renamed, record={"names": _capitalised(names), "spans": spans})


def _frame(text: str) -> str:
    """Return all of a text but its words."""
    return WORD.sub("w", squeezed(text))


def _name_map(changed: Iterable[tuple[str, str]]) -> dict[str, str]:
    names: dict[str, str] = {}
    for old, new in changed:
        if names.setdefault(old.lower(), new.lower()) != new.lower():
            raise Unfaithful("gives one person two names", old)
        if (old.islower(), old.isupper() and len(old) > 1) != (new.islower(), new.isupper() and len(new) > 1):
            raise Unfaithful("changes more than names", new)
    if len(set(names.values())) < len(names):
        raise Unfaithful("gives two persons one name")
    return names


def _check_mentions(names: Mapping[str, str], pairs: Iterable[tuple[str, str]]) -> None:
    for old, new in pairs:
        if old == new and old[0].isupper() and old.lower() in names:
            raise Unfaithful("leaves a mention of a name", old)


def _check_old(old: str, problem: Problem) -> None:
    is_person = old.capitalize() in given_names() or old.capitalize() in surnames()
    if not is_person or old not in proper_nouns(problem.text) or old in TITLES | CALENDAR | PRONOUN_GENDER.keys():
        raise Unfaithful("changes a word that is not known to be a person's name", old)
    if old in {word.lower() for word in WORD.findall(problem.gold)}:
        raise Unfaithful("renames the answer", old)
    if problem.answer_type == "math" and any(
        old in WORD.findall(problem.text[start:end].lower()) for start, end in maths_spans(problem.text)
    ):
        raise Unfaithful("renames inside maths", old)


def _check_new(old: str, new: str, base: str) -> None:
    words = {word.lower() for word in WORD.findall(base)}
    if new in words:
        raise Unfaithful("takes a name that the problem has already", new)
    if new.capitalize() in surnames() and old.capitalize() in surnames():
        return
    spoken_of = {gender for word in words if (gender := PRONOUN_GENDER.get(word) or GENDERED_NOUNS.get(word))}
    if not _fits(_gender(old), _gender(new), spoken_of):
        raise Unfaithful("takes a name that may be of another gender", new)


def _fits(old: Gender | None, new: Gender | None, spoken_of: set[str]) -> bool:
    """Return whether a new name can stand beside the he and she of a text as the old one did."""
    if new is None:
        return False
    if new == "unisex":
        return not spoken_of
    return new == old if old in {"female", "male"} else spoken_of <= {new}


def _gender(name: str) -> Gender | None:
    listed = given_names().get(name.capitalize())
    return listed.gender if listed is not None else None


def _capitalised(names: Mapping[str, str]) -> dict[str, str]:
    return {old.capitalize(): new.capitalize() for old, new in names.items()}
