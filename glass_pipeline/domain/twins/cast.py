"""Holds who is named in a text: every mention of every person, or the reason why that is not certain.

Never guesses: a name that may be a word, a place, a brand or two persons makes the whole text uncertain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Literal

from glass_pipeline.domain.twins.agreement import has_orphaned_pronoun
from glass_pipeline.domain.twins.names import are_forms_of_one_name, given_names, nearly_same
from glass_pipeline.domain.twins.readings import (
    acts_like_a_person,
    follows_number,
    is_attribute,
    reading_of,
    reads_as_a_shop,
)
from glass_pipeline.domain.twins.tokens import Token, capital_says_something, tokens_of
from glass_pipeline.domain.twins.vocabulary import (
    CALENDAR,
    GENDERED_NOUNS,
    GENDERED_TITLES,
    HUMAN_NOUNS,
    NEUTRAL_CAPITALS,
    OPENERS,
    PRONOUN_GENDER,
    SURNAME_TITLES,
    TITLES,
    words,
)

Role = Literal["female", "male", "surname"]

JUST_SPACE = re.compile(r"(?:['’][sS]?)? +")
GLUED_BEFORE = re.compile(r"[\w\-&/@.–]")
GLUED_AFTER = re.compile(r"[\w\-&/@–]")
FESTIVE = NEUTRAL_CAPITALS - CALENDAR - {"i"}
ATTRIBUTE_BEFORE = frozenset(
    {"of", "the", "at", "in", "from", "by", "two", "three", "four", "five", "six", "ten", "dozen"}
)
MOST_PEOPLE = 16
"""More names than this make a list, not a problem."""

LOWER_CASE_WORDS = frozenset({"will", "may"})
DETERMINERS = words("determiners")
BRANDED_NAMES = words("branded_names")
CIVIC_NOUNS = words("civic_nouns")


class Uncertain(ValueError):
    """Who is named in a text cannot be told for sure; the message is the reason's slug."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One name of one person, and every place where it stands."""

    name: str
    role: Role
    spans: tuple[tuple[int, int], ...]
    """[start, end) of each mention, without possessive endings."""
    needs_final_s: bool
    """Some mention owns something without 's, as only a name in -s can."""


@lru_cache(maxsize=1)
def surnames() -> frozenset[str]:
    """Return the surnames that the package knows."""
    return frozenset(files(__package__).joinpath("surnames.txt").read_text(encoding="utf-8").split())


def find_cast(text: str, *, latex: bool = False) -> tuple[Person, ...]:
    """Return every person that a text names, in order of first mention.

    Raises:
        Uncertain: no name, or some capitalised word that may or may not be one.
    """
    return _Reader(text, tokens_of(text, latex=latex)).cast()


class _Reader:
    """One text, its words, and what each capitalised word is taken for."""

    def __init__(self, text: str, tokens: tuple[Token, ...]) -> None:
        self.text = text
        self.tokens = tokens
        self.lowered = frozenset(token.text for token in tokens if token.text.islower())
        self.capitals = tuple(index for index, token in enumerate(tokens) if self._may_name(token))

    def _may_name(self, token: Token) -> bool:
        """Return whether a capital says something, or opens a sentence with a name, be it also in lower case."""
        is_listed = token.is_capitalised and token.text in given_names() and token.low not in OPENERS
        return is_listed or capital_says_something(token, self.lowered)

    def cast(self) -> tuple[Person, ...]:
        roles: dict[str, Role] = {}
        for index in self.capitals:
            name = self.tokens[index].text
            role = self._role(index)
            if role is None:
                continue
            if roles.setdefault(name, role) != role:
                raise Uncertain("title and name disagree")
            if len(roles) > MOST_PEOPLE:
                raise Uncertain("too many names")
        if not roles:
            roles = self._unlisted_hero()
        self._check_other_capitals(roles)
        if has_orphaned_pronoun(self.tokens, {name.lower(): role for name, role in roles.items() if role != "surname"}):
            raise Uncertain("pronoun disagrees")
        people = [self._person(name, role) for name, role in roles.items()]
        return tuple(sorted(people, key=lambda person: person.spans[0]))

    def _role(self, index: int) -> Role | None:
        """Return what a capitalised word names: a person's given name or surname, or None."""
        token = self.tokens[index]
        title = self._title_before(index)
        if title is not None:
            self._check_end(index)
            return self._titled_role(token, title)
        if token.low in TITLES or len(token.text) < 2 or (token.text.isupper() and len(token.text) > 1):
            return None
        listed = given_names().get(token.text)
        if listed is None:
            return "surname" if self._follows_given_name(index) else None
        if listed.kind and not self._all_read_as_person(token.text):
            return None
        self._check_neighbours(index)
        if listed.gender == "unisex":
            raise Uncertain("unisex name")
        self._check_apposition(index, listed.gender)
        return listed.gender

    def _titled_role(self, token: Token, title: str) -> Role:
        if len(token.text) == 1:
            raise Uncertain("name is an initial")
        if f"{title}-{token.low}" in BRANDED_NAMES:
            raise Uncertain("name in a longer name")
        gender = GENDERED_TITLES.get(title)
        listed = given_names().get(token.text)
        if listed is not None and listed.gender != "unisex" and title not in SURNAME_TITLES:
            if gender is not None and gender != listed.gender:
                raise Uncertain("title and name disagree")
            return listed.gender
        if title in SURNAME_TITLES or gender is None:
            return "surname"
        return "female" if gender == "female" else "male"

    def _title_before(self, index: int) -> str | None:
        if index == 0:
            return None
        before, token = self.tokens[index - 1], self.tokens[index]
        between = self.text[before.end : token.start]
        is_title = before.is_capitalised and before.low in TITLES and not before.is_possessive
        return (
            before.low
            if is_title and between in {" ", ". ", ".  ", "."} and token.low not in NEUTRAL_CAPITALS
            else None
        )

    def _beside(self, index: int, step: int) -> Token | None:
        """Return the word directly beside a word, with nothing but a possessive ending and white space between."""
        other = index + step
        if not 0 <= other < len(self.tokens):
            return None
        left, right = sorted((index, other))
        between = self.text[self.tokens[left].end : self.tokens[right].start]
        return self.tokens[other] if JUST_SPACE.fullmatch(between) else None

    def _neighbour(self, index: int, step: int) -> Token | None:
        """Return the capitalised word directly beside a word, if its capital says something."""
        token = self._beside(index, step)
        if token is None or token.low in NEUTRAL_CAPITALS or not capital_says_something(token, self.lowered):
            return None
        return token

    def _check_neighbours(self, index: int) -> None:
        """Refuse a name that is part of a longer name, or stands like an attribute ("Graham crackers")."""
        token = self.tokens[index]
        if GLUED_BEFORE.search(self.text[: token.start][-1:]) or GLUED_AFTER.match(self.text[token.end :][:1]):
            raise Uncertain("name inside a token")
        self._check_end(index)
        before = self._neighbour(index, -1)
        if before is not None and before.low not in TITLES and not before.is_possessive:
            raise Uncertain("name in a longer name")
        self._check_word_before(index)

    def _check_end(self, index: int) -> None:
        after, beside = self._neighbour(index, 1), self._beside(index, 1)
        is_brand = beside is not None and beside.is_capitalised and beside.low in FESTIVE and not beside.opens_sentence
        if is_brand or (after is not None and after.text not in surnames()):
            raise Uncertain("name in a longer name")
        if reads_as_a_shop(self.text, self.tokens[index]):
            raise Uncertain("name may be a shop")

    def _check_word_before(self, index: int) -> None:
        token, before = self.tokens[index], self._beside(index, -1)
        if before is not None and before.low in {"a", "an"}:
            raise Uncertain("article before a name")
        if before is not None and before.is_capitalised and before.low in FESTIVE:
            raise Uncertain("name in a longer name")
        counted = before is not None and before.low in ATTRIBUTE_BEFORE
        if (counted or follows_number(self.text, token)) and is_attribute(self.text, token):
            raise Uncertain("name before a noun")

    def _follows_given_name(self, index: int) -> bool:
        before = self._neighbour(index, -1)
        if before is None or self.tokens[index].text not in surnames() or before.is_possessive:
            return self.tokens[index].text in self._known_surnames
        return before.text in given_names() or before.low in SURNAME_TITLES

    @cached_property
    def _known_surnames(self) -> frozenset[str]:
        return frozenset(
            self.tokens[index].text
            for index in self.capitals
            if self._title_before(index) in SURNAME_TITLES
            or (
                self.tokens[index].text in surnames()
                and (before := self._neighbour(index, -1)) is not None
                and before.text in given_names()
            )
        )

    def _all_read_as_person(self, name: str) -> bool:
        """Return whether a name that is also a word, month or place means a person wherever it is capitalised."""
        kind = given_names()[name].kind
        readings = {
            reading_of(self.text, self.tokens, index, kind)
            for index, token in enumerate(self.tokens)
            if token.text == name
        }
        if readings == {"other"}:
            return False
        if readings != {"person"} or (kind == "place" and self.lowered & CIVIC_NOUNS):
            raise Uncertain(f"name is also a {kind}")
        return True

    def _check_apposition(self, index: int, gender: str) -> None:
        """Refuse "her brother, Ashley": a kinship noun beside a name of the other gender."""
        before = self.text[: self.tokens[index].start]
        kin = re.search(r"\b([a-z]+),? (?:named |called |is )?$", before[-40:])
        if kin and GENDERED_NOUNS.get(kin[1], gender) != gender and not before.endswith(f"{kin[1]} is "):
            raise Uncertain("gendered noun disagrees")

    def _unlisted_hero(self) -> dict[str, Role]:
        """Return the one unlisted name of a text whose pronouns all agree; {} never: it raises instead."""
        names = {
            self.tokens[index].text for index in self.capitals if acts_like_a_person(self.text, self.tokens, index, ())
        }
        genders = {PRONOUN_GENDER[token.low] for token in self.tokens if token.low in PRONOUN_GENDER}
        if not names:
            raise Uncertain("no name")
        nouns = HUMAN_NOUNS & {token.low.removesuffix("s") for token in self.tokens}
        if len(names) > 1 or len(genders) != 1 or nouns:
            raise Uncertain("unlisted name")
        (name,) = names
        for index in self.capitals:
            if self.tokens[index].text == name:
                self._check_neighbours(index)
        return {name: "female" if genders == {"female"} else "male"}

    def _check_other_capitals(self, roles: dict[str, Role]) -> None:
        """Refuse a text in which some other capitalised word may be one of the persons, or another one."""
        kinds = {token.text for token in self.tokens if token.is_capitalised and token.low not in OPENERS}
        if any(nearly_same(name, other) for name in roles for other in kinds - {name, name.upper()}):
            raise Uncertain("name prefix of another token")
        if any(are_forms_of_one_name(name, other) for name, other in combinations(roles, 2)):
            raise Uncertain("one name in two forms")
        for index in self.capitals:
            is_known = self.tokens[index].text in roles
            if not is_known and acts_like_a_person(self.text, self.tokens, index, roles):
                raise Uncertain("unlisted name")

    def _person(self, name: str, role: Role) -> Person:
        spans = []
        bare_apostrophe = False
        for index, token in enumerate(self.tokens):
            if token.low != name.lower():
                continue
            if token.text.islower() and self._is_word(index, name):
                continue
            spans.append((token.start, token.end))
            bare_apostrophe |= self._lacks_possessive_s(token)
        return Person(name=name, role=role, spans=tuple(spans), needs_final_s=bare_apostrophe)

    def _lacks_possessive_s(self, token: Token) -> bool:
        """Return whether only a name in -s can stand there: "James' hat", or, carelessly, "James age"."""
        if token.is_possessive:
            return self.text[token.end + 1 : token.end + 2].lower() != "s"
        return token.low.endswith("s") and is_attribute(self.text, token)

    def _is_word(self, index: int, name: str) -> bool:
        """Return whether a name in lower case is the word; False: it is the name, carelessly written."""
        listed = given_names().get(name)
        if listed is not None and not listed.kind:
            return False
        before = self.tokens[index - 1].low if index else ""
        counted = follows_number(self.text, self.tokens[index])
        if name.lower() in LOWER_CASE_WORDS or before in DETERMINERS or counted:
            return True
        raise Uncertain("name also written in lower case")
