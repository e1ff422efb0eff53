"""Holds what an adjudicator can say of a pair, and how a JSON object is read as a verdict.

Never asks an adjudicator, and never takes anything but a plain verdict for one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Finding = Literal["no_op", "contradiction", "unparsable"]

NO_OP: Finding = "no_op"
CONTRADICTION: Finding = "contradiction"
UNPARSABLE: Finding = "unparsable"
DROPPING: tuple[Finding, ...] = (CONTRADICTION, UNPARSABLE)
"""Findings that drop a twin, and the reasons that they are recorded under (methods §3.4)."""

SPELLINGS: Mapping[str, Finding] = {"noop": NO_OP, "contradiction": CONTRADICTION}
LONGEST_RATIONALE = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one adjudicator says of one twin."""

    twin_id: str
    adjudicator: str
    """Who judged: solver, model and prompt version."""
    finding: Finding
    rationale: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """A verdict as an answer states it; two are equal if they find the same, whatever their reasons."""

    finding: Finding
    rationale: str = field(compare=False)


def read_opinion(answer: Mapping[str, Any]) -> Opinion | None:
    """Return what a JSON object says, or None if it states no verdict.

    Args:
        answer: Hostile JSON; ``verdict`` is read without regard to case, spaces, hyphens and underscores.
    """
    stated, rationale = answer.get("verdict"), answer.get("rationale")
    if not isinstance(stated, str):
        return None
    finding = SPELLINGS.get(re.sub(r"[\s_-]", "", stated[:40].lower()))
    if finding is None:
        return None
    reasons = " ".join(rationale.split())[:LONGEST_RATIONALE] if isinstance(rationale, str) else ""
    return Opinion(finding=finding, rationale=reasons)
