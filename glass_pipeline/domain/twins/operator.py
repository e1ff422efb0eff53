"""Holds what an operator is: it proposes edits of one text, or declines with a reason.

Never holds an operator itself; ``registry`` lists them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from glass_pipeline.domain.records import Family, Problem
from glass_pipeline.domain.twins.distractors import DistractorIndex

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One rewording: the new text, and what suffices to take it back."""

    text: str
    record: Json
    inject_size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What an operator may use beside the problem: how many edits, of which size, from which pool, by which dice."""

    quota: int
    dose: int
    distractors: DistractorIndex
    rng: random.Random


class Declined(ValueError):
    """The operator does not reword this problem; the message is the reason's slug."""


class Operator(Protocol):
    """One family of rewordings."""

    @property
    def family(self) -> Family:
        """Name of the family."""

    @property
    def quota(self) -> int:
        """Most twins of one base and dose."""

    def edits(self, problem: Problem, draw: Draw) -> tuple[Edit, ...]:
        """Return up to ``draw.quota`` distinct edits.

        Raises:
            Declined: the problem cannot be reworded for sure without changing what it asks.
        """

    def undo(self, text: str, record: Json) -> str:
        """Return the base text that an edit was made of.

        Raises:
            ValueError: the record does not fit the text.
        """
