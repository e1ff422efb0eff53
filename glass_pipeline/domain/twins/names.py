"""Holds the pool of given names: how often women and men bear each, which are also words, and which go together.

Never guesses a gender: a name that both sexes bear is unisex, and a name that is not in the pool is unknown.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

from glass_pipeline.domain.twins.vocabulary import NICKNAME_GROUPS

Gender = Literal["female", "male", "unisex"]

CLEAR_RATIO = 20
"""A name has a gender if one sex bears it at least this many times as often as the other."""

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


@lru_cache(maxsize=2)
def replacement_names(gender: Literal["female", "male"]) -> tuple[str, ...]:
    """Return the most common names of a gender that are nothing but names, in alphabetical order."""
    plain = [name for name in given_names().values() if name.gender == gender and not name.kind and len(name.name) > 2]
    share = {name.name: name.female if gender == "female" else name.male for name in plain}
    return tuple(sorted(sorted(share, key=lambda name: (-share[name], name))[:POOL_SIZE]))


@lru_cache(maxsize=16_384)
def namesakes(name: str) -> frozenset[str]:
    """Return the other names that the bearer of a name may go by ("tony" → {"anthony", "antonio"}), in lower case."""
    low = name.lower()
    return frozenset[str]().union(*(group for group in NICKNAME_GROUPS if low in group)) - {low}
