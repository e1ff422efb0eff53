"""Holds which items changed: won, lost, both, neither, and the largest movers.

Never tests anything: the ids are for reading errors, not for tuning on the items that were compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from glass_pipeline.domain.comparison.results import Floats

LISTED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """Ids of the items by who solves them; the four parts hold every item once."""

    won: tuple[str, ...]
    """Solved by B only."""
    lost: tuple[str, ...]
    """Solved by A only."""
    both: tuple[str, ...]
    neither: tuple[str, ...]


class Movers(NamedTuple):
    """An item and its difference."""

    item: str
    delta: float


def is_right_or_wrong(*scores: Floats) -> bool:
    """Say whether all scores are 0 or 1."""
    return all(bool(np.isin(each, (0.0, 1.0)).all()) for each in scores)


def flips(ids: Sequence[str], solved_a: Sequence[bool], solved_b: Sequence[bool]) -> Flips:
    """Sort items by who solves them.

    Args:
        ids: The I items.
        solved_a: Whether A solves each.
        solved_b: Whether B solves each.
    """
    parts: dict[tuple[bool, bool], list[str]] = {(a, b): [] for a in (False, True) for b in (False, True)}
    for item, a, b in zip(ids, solved_a, solved_b, strict=True):
        parts[bool(a), bool(b)].append(item)
    return Flips(
        won=tuple(parts[False, True]),
        lost=tuple(parts[True, False]),
        both=tuple(parts[True, True]),
        neither=tuple(parts[False, False]),
    )


def largest_movers(ids: Sequence[str], deltas: Floats, *, up: bool, listed: int = LISTED) -> tuple[Movers, ...]:
    """Return the items with the largest rise or fall, the largest first, equal ones in file order.

    Args:
        ids: The I items.
        deltas: B - A of each, shape ``[I]``.
        up: Rises if true, falls if not.
        listed: At most so many.
    """
    signed = deltas if up else -deltas
    order = np.argsort(-signed, kind="stable")[:listed]
    return tuple(Movers(ids[place], float(deltas[place])) for place in order if signed[place] > 0)
