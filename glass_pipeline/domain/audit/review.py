"""Holds what a review says: how far the reviewer agrees with each adjudicator, and how contaminated what was kept is.

Never counts a pair that was not reviewed, and never takes a sample by outcome for a random one.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from sklearn.metrics import cohen_kappa_score

from glass_pipeline.domain.audit.contamination import Estimate, stratified_rate
from glass_pipeline.domain.audit.review_sample import FLAGGED, KEPT, ReviewPair
from glass_pipeline.domain.audit.verdicts import CONTRADICTION, NO_OP
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.stats.intervals import Interval

Said = Literal["no_op", "contradiction", "unsure"]
"""What a reviewer may say of a pair."""
SAYINGS: tuple[Said, ...] = ("no_op", "contradiction", "unsure")
DECIDED = (NO_OP, CONTRADICTION)
RESAMPLES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far the reviewer and one adjudicator agree on the pairs that both decided."""

    adjudicator: str
    n_pairs: int
    n_left_out: int
    """Pairs that one of them did not decide: unsure, or unparsable."""
    agreement: float | None
    """Share of pairs on which they agree."""
    kappa: float | None
    """Cohen's κ; None where chance alone would make them agree on every pair."""
    kappa_interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeReview:
    """What the reviewer found among the pairs of one outcome."""

    outcome: str
    n_pairs: int
    """Distinct pairs of this outcome in the audit."""
    n_reviewed: int
    n_unsure: int
    n_contradictions: int
    rate: Estimate | None
    """Share of contradictions among the decided; None where nothing was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What one review says."""

    outcomes: tuple[OutcomeReview, ...]
    agreements: tuple[Agreement, ...]
    contamination: Estimate | None
    """Share of kept pairs whose answer changed, unsure ones left out; None while some kept outcome is undecided."""
    contamination_with_unsure: Estimate | None
    """The same with every unsure pair taken for contaminated."""


def review(pairs: Sequence[ReviewPair], said: Mapping[str, Said], *, seed: int) -> Review:
    """Return what a reviewer's verdicts say of an audit.

    Args:
        pairs: All pairs of the audit, reviewed or not.
        said: The verdict on each reviewed pair, by twin id.
        seed: Of the resamples.

    Raises:
        ValueError: a reviewed pair is not among the pairs.
    """
    known = {pair.twin_id: pair for pair in pairs}
    strangers = said.keys() - known.keys()
    if strangers:
        raise ValueError(f"review: {min(strangers)!r} is not among the audited pairs.")
    reviewed = [known[twin_id] for twin_id in sorted(said)]
    sizes = Counter(pair.outcome for pair in pairs)
    outcomes = tuple(_of_outcome(name, sizes[name], reviewed, said) for name in sorted(sizes))
    names = dict.fromkeys(name for pair in reviewed for name, _, _ in pair.opinions)
    kept = [each for each in outcomes if each.outcome in {KEPT, FLAGGED}]
    return Review(
        outcomes=outcomes,
        agreements=tuple(_agreement(name, reviewed, said, seed) for name in names),
        contamination=stratified_rate(
            [(each.n_pairs, each.n_contradictions, each.n_reviewed - each.n_unsure) for each in kept]
        ),
        contamination_with_unsure=stratified_rate(
            [(each.n_pairs, each.n_contradictions + each.n_unsure, each.n_reviewed) for each in kept]
        ),
    )


def _of_outcome(name: str, n_pairs: int, reviewed: Sequence[ReviewPair], said: Mapping[str, Said]) -> OutcomeReview:
    counts = Counter(said[pair.twin_id] for pair in reviewed if pair.outcome == name)
    n_decided = counts["no_op"] + counts["contradiction"]
    return OutcomeReview(
        outcome=name,
        n_pairs=n_pairs,
        n_reviewed=counts.total(),
        n_unsure=counts["unsure"],
        n_contradictions=counts["contradiction"],
        rate=stratified_rate([(n_pairs, counts["contradiction"], n_decided)]),
    )


def _agreement(name: str, reviewed: Sequence[ReviewPair], said: Mapping[str, Said], seed: int) -> Agreement:
    both = [(pair.base_id, said[pair.twin_id], dict(_findings(pair)).get(name)) for pair in reviewed]
    judged = [(base_id, mine, theirs) for base_id, mine, theirs in both if theirs is not None]
    decided = [each for each in judged if each[1] in DECIDED and each[2] in DECIDED]
    mine = np.array([each[1] == CONTRADICTION for each in decided], dtype=np.int64)
    theirs = np.array([each[2] == CONTRADICTION for each in decided], dtype=np.int64)
    return Agreement(
        adjudicator=name,
        n_pairs=len(decided),
        n_left_out=len(judged) - len(decided),
        agreement=float((mine == theirs).mean()) if decided else None,
        kappa=cohen_kappa(mine, theirs),
        kappa_interval=_kappa_interval([each[0] for each in decided], mine, theirs, name, seed),
    )
