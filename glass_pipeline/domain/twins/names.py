"""Holds the pool of given names: how often women and men bear each, which are also words, and which go together.

Never guesses a gender: a name that both sexes bear is unisex, and a name that is not in the pool is unknown.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

Gender = Literal["female", "male", "unisex"]

CLEAR_RATIO = 20
"""A name has a gender if one sex bears it at least this many times as often as the other."""

HAS_ONE_BEARER = frozenset({"Jesus"})
"""Names that make a reader think of one bearer, and so never replace another name."""

POOL_SIZE = 300
"""How many of the most common plain names of each gender may replace another name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenName:
    """One given name; the shares are approximate and serve only for their ratio."""

    name: str
    female: int
    """Bearers among 100,000 women."""
    male: int
    """Bearers among 100,000 men."""
    kind: Literal["", "word", "month", "place"]
    """What else the capitalised word may be."""

    @property
    def gender(self) -> Gender:
        """Gender by the frequency ratio."""
        if self.female >= CLEAR_RATIO * max(self.male, 1) or (self.female and not self.male):
            return "female"
        if self.male >= CLEAR_RATIO * max(self.female, 1) or (self.male and not self.female):
            return "male"
        return "unisex"


@lru_cache(maxsize=1)
def given_names() -> MappingProxyType[str, GivenName]:
    """Return every known given name, by its capitalised spelling."""
    table = files(__package__).joinpath("names.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(table.splitlines())
    return MappingProxyType(
        {
            row["name"]: GivenName(
                name=row["name"],
                female=int(row["female"]),
                male=int(row["male"]),
                kind=row["kind"],  # type: ignore[arg-type]  # the packaged file holds only these four kinds
            )
            for row in rows
        }
    )


@lru_cache(maxsize=1)
def _families() -> MappingProxyType[str, frozenset[str]]:
    """Return by name all names of the families of forms that it belongs to (Bob and Robert, Jacques and James)."""
    families = files(__package__).joinpath("nicknames.txt").read_text(encoding="utf-8").splitlines()
    forms: dict[str, set[str]] = {}
    for family in map(str.split, families):
        for name in family:
            forms.setdefault(name, set()).update(family)
    return MappingProxyType({name: frozenset(found) for name, found in forms.items()})


@lru_cache(maxsize=2)
def replacement_names(gender: Literal["female", "male"]) -> tuple[str, ...]:
    """Return the most common names of a gender that are nothing but names, in alphabetical order."""
    listed = [name for name in given_names().values() if name.gender == gender and name.name not in HAS_ONE_BEARER]
    plain = [name for name in listed if not name.kind and len(name.name) > 2]
    share = {name.name: name.female if gender == "female" else name.male for name in plain}
    return tuple(sorted(sorted(share, key=lambda name: (-share[name], name))[:POOL_SIZE]))


def are_forms_of_one_name(name: str, other: str) -> bool:
    """Return whether two names may be the same person's: short and full form, or two languages' forms."""
    return other in _families().get(name, frozenset())


def nearly_same(name: str, other: str) -> bool:
    """Return whether two capitalised words may be one name: one starts the other, or one letter differs."""
    if min(len(name), len(other)) < 2:
        return False
    shorter, longer = sorted((name, other), key=len)
    if longer.startswith(shorter):
        return True
    return len(name) > 3 and len(other) > 3 and _one_letter_apart(shorter, longer)


def _one_letter_apart(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    if len(longer) - len(shorter) > 1:
        return False
    first = next((index for index, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    if len(shorter) == len(longer):
        return shorter[first + 1 :] == longer[first + 1 :]
    return shorter[first:] == longer[first + 1 :]


@lru_cache(maxsize=16_384)
def namesakes(name: str) -> frozenset[str]:
    """Return the other names that the bearer of a name may go by ("tony" → {"anthony", …}), in lower case."""
    return frozenset(form.lower() for form in _families().get(name.capitalize(), frozenset())) - {name.lower()}
