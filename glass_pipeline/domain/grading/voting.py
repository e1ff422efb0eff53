"""Holds the modal answer of several samples.

Never sees the gold answer: a tie rule that did would bias Y upward.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class VotingRule:
    """How samples become one answer (methods §1.1)."""

    tie: Literal["first", "wrong"] = "first"
    """A tie goes to the tied answer that appeared first, or leaves the item without an answer."""
    unparsable_votes: bool = False
    """True: samples without an answer vote too, for no answer."""


DEFAULT_RULE = VotingRule()


def modal(answers: Sequence[str | None], *, rule: VotingRule = DEFAULT_RULE) -> str | None:
    """Return the most frequent canonical answer.

    Args:
        answers: One canonical answer a sample, in the order of sampling; None for a sample without one.
        rule: What happens to ties and to samples without an answer.

    Returns:
        The modal answer, or None if no sample has one (or a tie counts as wrong).

    Raises:
        ValueError: there is no sample at all.

    Source: methods §1.1.
    """
    if not answers:
        raise ValueError("No samples to vote on; ask the solver at least once.")
    votes = Counter(answers if rule.unparsable_votes else [answer for answer in answers if answer is not None])
    if not votes:
        return None
    # Counter keeps the order of first appearance, and most_common is stable.
    leaders = votes.most_common(2)
    if rule.tie == "wrong" and len(leaders) == 2 and leaders[0][1] == leaders[1][1]:
        return None
    return leaders[0][0]
