"""Holds what an adjudicator can say of a pair, and how a JSON object is read as a verdict.

Never asks an adjudicator, and never takes anything but a plain verdict for one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

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


class Opinion(NamedTuple):
    """A verdict as an answer states it."""

    finding: Finding
    rationale: str


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
    return Opinion(finding, " ".join(rationale.split())[:LONGEST_RATIONALE] if isinstance(rationale, str) else "")
