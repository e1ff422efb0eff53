"""Holds what the rules are asked about: one base, one twin, and what the twin brought in.

Never holds a rule, and never finds out what was brought in (see ``recorded`` and ``pairs``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One pair of texts as the rules see it."""

    base_text: str
    twin_text: str
    gold: str
    inserted: tuple[str, ...]
    """Sentences or phrases of the twin that the base does not have."""
    new_names: tuple[str, ...]
    """Names that stand in the twin for other names of the base."""
    is_base_kept: bool
    """Everything the base says is still in the twin: exactly, for a recorded edit."""
    reworded: tuple[str, ...] = ()
    """Stretches of the twin that may stand for words that the base lost; only a comparison finds them."""


Rule = Callable[[Case], bool]
"""Returns True where something is wrong."""
