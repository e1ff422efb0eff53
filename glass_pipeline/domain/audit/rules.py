"""Holds the rules of the audit in the order of their reasons: those that drop a twin and those that only flag it.

Never holds a rule's body; each has its own file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from glass_pipeline.domain.audit.altered_base import altered_base
from glass_pipeline.domain.audit.case import Case, Rule
from glass_pipeline.domain.audit.entity_collision import entity_collision
from glass_pipeline.domain.audit.gold_number import gold_number
from glass_pipeline.domain.audit.multi_question import multi_question
from glass_pipeline.domain.audit.unit_compatible import unit_compatible
from glass_pipeline.domain.audit.unverifiable_gold import unverifiable_gold

DROP_RULES: Mapping[str, Rule] = {
    "entity_collision": entity_collision,
    "gold_number": gold_number,
    "multi_question": multi_question,
    "altered_base": altered_base,
}
FLAG_RULES: Mapping[str, Rule] = {"unit_compatible": unit_compatible, "unverifiable_gold": unverifiable_gold}


class Ruling(NamedTuple):
    """What the rules say of one case."""

    verdicts: dict[str, bool]
    """Each rule's verdict by its name; True: something is wrong."""
    reasons: tuple[str, ...]
    """The drop rules that apply."""

    @property
    def keep(self) -> bool:
        """Whether no drop rule applies."""
        return not self.reasons


def rule(case: Case) -> Ruling:
    """Ask every rule about one case."""
    verdicts = {name: check(case) for name, check in ({**DROP_RULES, **FLAG_RULES}).items()}
    return Ruling(verdicts, tuple(name for name in DROP_RULES if verdicts[name]))
