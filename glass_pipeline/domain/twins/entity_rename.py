"""Holds the operator that gives every person of a problem another name.

Never touches a place, a brand, a month or a formula, and never renames where gender or reference is in doubt.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from glass_pipeline.domain.records import Family, Problem
from glass_pipeline.domain.twins.cast import Person, Uncertain, find_cast, surnames
from glass_pipeline.domain.twins.names import are_forms_of_one_name, nearly_same, replacement_names
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit, Json
from glass_pipeline.domain.twins.segmentation import maths_spans
from glass_pipeline.domain.twins.spans import Replacement, replace_spans, restore_spans

ASKS_ABOUT_LETTERS = re.compile(
    r"\b(?:alphabet\w*|vowels?|consonants?|syllables?|initials|spell\w*|palindrome|anagram|rhym\w+|name ?tags?"
    r"|letters? (?:in|of|as)|(?:first|last|middle|full|sur)[ -]?names?|longer name|shorter name|length of \w+ name)\b"
    r"|\bnames?\b[^.?!]*\bletters?\b|\bletters?\b[^.?!]*\bnames?\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]+")
ATTEMPTS_PER_EDIT = 4
DRAWS_PER_NAME = 64
"""How often a name that looks like one already given is drawn again."""


@dataclass(frozen=True, slots=True)
class EntityRename:
    """Every mention of every person, by one injective name map; all other characters stay."""

    family: Family = "entity_rename"
    quota: int = 10

    def edits(self, problem: Problem, draw: Draw) -> tuple[Edit, ...]:
        """Return up to ``draw.quota`` renamings with distinct name maps."""
        text = problem.text
        if ASKS_ABOUT_LETTERS.search(text):
            raise Declined("letters of a name matter")
        latex = problem.answer_type == "math"
        try:
            people = find_cast(text, latex=latex)
        except Uncertain as reason:
            raise Declined(str(reason)) from None
        _check_protected(problem, people, latex)
        pools = _pools(people, text)
        found: dict[str, Edit] = {}
        for _ in range(draw.quota * ATTEMPTS_PER_EDIT):
            if len(found) == draw.quota:
                break
            edit = _rename(text, people, _name_map(people, pools, draw.rng))
            found.setdefault(edit.text, edit)
        return tuple(found.values())

    def undo(self, text: str, record: Json) -> str:
        """Return the text with the original names."""
        return restore_spans(text, record.get("spans"))


def _check_protected(problem: Problem, people: tuple[Person, ...], latex: bool) -> None:
    """Refuse a name that a formula holds, or that the gold answer names."""
    formulas = maths_spans(problem.text) if latex else ()
    for person in people:
        if any(a < end and start < b for a, b in formulas for start, end in person.spans):
            raise Declined("name in maths")
        if person.name.lower() in {word.lower() for word in WORD.findall(problem.gold)}:
            raise Declined("answer names a person")


def _pools(people: tuple[Person, ...], text: str) -> list[list[str]]:
    """Return for each person the names that no word of the text could be mistaken for."""
    taken = {word.lower() for word in WORD.findall(text)}
    roles = {person.role for person in people}
    names = {role: sorted(surnames()) if role == "surname" else replacement_names(role) for role in roles}
    return [
        [
            name
            for name in names[person.role]
            if name.lower() not in taken and name.endswith("s") == person.needs_final_s
        ]
        for person in people
    ]


def _name_map(people: tuple[Person, ...], pools: list[list[str]], rng: random.Random) -> dict[str, str]:
    """Draw a name for each person that could not be taken for another new name, or for an old one."""
    given = [person.name for person in people]
    for pool in pools:
        drawn = (rng.choice(pool) for _ in range(DRAWS_PER_NAME if pool else 0))
        free = (name for name in drawn if not any(_look_like_one(name, other) for other in given))
        name = next(free, None)
        if name is None:
            raise Declined("too many names")
        given.append(name)
    return {person.name: name for person, name in zip(people, given[len(people) :], strict=True)}


def _look_like_one(name: str, other: str) -> bool:
    return nearly_same(name, other) or are_forms_of_one_name(name, other)


def _rename(text: str, people: tuple[Person, ...], names: dict[str, str]) -> Edit:
    replacements = sorted(
        Replacement(start, text[start:end], _in_case_of(text[start:end], names[person.name]))
        for person in people
        for start, end in person.spans
    )
    renamed, spans = replace_spans(text, replacements)
    return Edit(text=renamed, record={"names": names, "spans": spans})


def _in_case_of(old: str, new: str) -> str:
    if old.islower():
        return new.lower()
    return new.upper() if old.isupper() and len(old) > 1 else new
