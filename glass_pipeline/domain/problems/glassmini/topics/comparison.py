"""Holds the chain that collections and ages share: each person's number is told by another's.

Never writes a topic's own words: those come in a ``Wording``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from glass_pipeline.domain.problems.glassmini.words import TIMES_WORDS, Number
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet


class Wording(NamedTuple):
    """How a topic states a number outright and by comparison; ``a`` and ``b`` are names."""

    more: Callable[[str, str, int], str]
    fewer: Callable[[str, str, int], str]
    multiple: Callable[[str, str, str], str]
    line: Callable[[str], str]
    """Worked line for one person; ``{}`` takes the calculation."""
    highest: int


def tell_chain(sheet: Worksheet, wording: Wording, start: int, links: int, *, free: bool) -> list[int]:
    """Tell ``links`` comparisons among the sheet's people, one step each.

    Args:
        sheet: The first person's number must be told by the caller.
        wording: Words of the topic.
        start: The first person's number.
        links: How many further people.
        free: True lets a person be compared with anyone before them; False with the last one only, so that
            every link is needed for the last number.

    Returns:
        Everybody's number, in the order of the sheet's people.
    """
    numbers = [start]
    for person in range(1, links + 1):
        model = sheet.rng.randrange(person) if free else person - 1
        numbers.append(_link(sheet, wording, person, model, numbers[model]))
    return numbers


def _link(sheet: Worksheet, wording: Wording, person: int, model: int, known: int) -> int:
    rng = sheet.rng
    name, other = sheet.people[person].name, sheet.people[model].name
    factors = [factor for factor in TIMES_WORDS if known * factor <= wording.highest]
    kinds = ["more", "fewer"] if known > 6 else ["more"]
    kinds += ["times"] * (2 if factors else 0) + ["half"] * (known % 2 == 0 and known >= 8)
    kind = rng.choice(kinds)
    line = wording.line(name)
    if kind == "times":
        factor = rng.choice(factors)
        sheet.tell(wording.multiple(name, other, TIMES_WORDS[factor]))
        return _whole(sheet.times(known, factor, line))
    if kind == "half":
        sheet.tell(wording.multiple(name, other, "half"))
        return _whole(sheet.over(known, 2, line))
    if kind == "fewer":
        gap = rng.randint(2, min(known - 3, 15))
        sheet.tell(wording.fewer(name, other, gap))
        return _whole(sheet.minus(known, gap, line))
    gap = rng.randint(2, 12)
    sheet.tell(wording.more(name, other, gap))
    return _whole(sheet.total([known, gap], line))


def _whole(value: Number) -> int:
    return int(value)
