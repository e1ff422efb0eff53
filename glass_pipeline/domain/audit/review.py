"""Holds what a review says: how far the reviewer agrees with each adjudicator, and how contaminated what was kept is.

Never counts a pair that was not reviewed, and never takes a sample by outcome for a random one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from glass_pipeline.domain.audit.contamination import Rate, Stratum, stratified_rate
from glass_pipeline.domain.audit.review_sample import FLAGGED, KEPT, ReviewPair
from glass_pipeline.domain.audit.verdicts import CONTRADICTION, NO_OP
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.stats.bootstrap import cluster_interval
from glass_pipeline.domain.stats.intervals import Interval, wilson

Floats = NDArray[np.float64]
Said = Literal["no_op", "contradiction", "unsure"]
"""What a reviewer may say of a pair."""
SAYINGS: tuple[Said, ...] = ("no_op", "contradiction", "unsure")
DECIDED = frozenset({NO_OP, CONTRADICTION})


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far the reviewer and one adjudicator agree on the pairs that both decided."""

    adjudicator: str
    n_pairs: int
    n_left_out: int
    """Pairs that one of them did not decide: unsure, or unparsable."""
    n_agreed: int
    agreement: Interval | None
    """Wilson interval of the share of pairs on which they agree."""
    kappa: float | None
    """Cohen's κ; None where one category is all that either used."""
    kappa_interval: Interval | None
    """By resampling bases; of no width where they agree on every pair, so read ``agreement`` there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeReview:
    """What the reviewer found among the pairs of one outcome."""

    outcome: str
    n_pairs: int
    """Distinct pairs of this outcome in the audit."""
    n_reviewed: int
    n_unsure: int
    n_contradictions: int
    rate: Rate | None
    """Share of contradictions among the decided; None where nothing was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """What one review says."""

    outcomes: tuple[OutcomeReview, ...]
    agreements: tuple[Agreement, ...]
    contamination: Rate | None
    """Share of kept pairs whose answer changed, unsure ones left out; None while some kept outcome is undecided."""
    contamination_with_unsure: Rate | None
    """The same with every unsure pair taken for contaminated."""


def review(pairs: Sequence[ReviewPair], said: Mapping[str, Said], *, seed: int) -> Review:
    """Return what a reviewer's verdicts say of an audit.

    Contamination is of all kept pairs, weighted by outcome; agreement is of the sample, in which rare outcomes are
    common.

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
    names = dict.fromkeys(opinion.adjudicator for pair in reviewed for opinion in pair.opinions)
    kept = [each for each in outcomes if each.outcome in {KEPT, FLAGGED}]
    return Review(
        outcomes=outcomes,
        agreements=tuple(_agreement(name, reviewed, said, seed) for name in names),
        contamination=stratified_rate(
            [Stratum(each.n_pairs, each.n_contradictions, each.n_reviewed - each.n_unsure) for each in kept]
        ),
        contamination_with_unsure=stratified_rate(
            [Stratum(each.n_pairs, each.n_contradictions + each.n_unsure, each.n_reviewed) for each in kept]
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
        rate=stratified_rate([Stratum(n_pairs, counts["contradiction"], n_decided)]),
    )


def _agreement(name: str, reviewed: Sequence[ReviewPair], said: Mapping[str, Said], seed: int) -> Agreement:
    judged = [
        (pair.base_id, said[pair.twin_id], each.finding)
        for pair in reviewed
        for each in pair.opinions
        if each.adjudicator == name
    ]
    decided = [each for each in judged if {each[1], each[2]} <= DECIDED]
    tables = _tables(decided)
    total = tables.sum(axis=0)
    n_agreed = int(total[0] + total[3])
    return Agreement(
        adjudicator=name,
        n_pairs=len(decided),
        n_left_out=len(judged) - len(decided),
        n_agreed=n_agreed,
        agreement=wilson(n_agreed, len(decided)) if decided else None,
        kappa=_defined(float(cohen_kappa(*total))),
        kappa_interval=cluster_interval(
            tuple(tables.T), _kappa_of_resamples, rng=child_generator(seed, "review", name)
        ),
    )


def _tables(decided: Sequence[tuple[str, str, str]]) -> Floats:
    """Return one row a base: pairs that both call contradictions, only the reviewer, only the other, neither."""
    by_base: dict[str, list[int]] = {}
    for base_id, mine, theirs in decided:
        by_base.setdefault(base_id, [0, 0, 0, 0])[2 * (mine == NO_OP) + (theirs == NO_OP)] += 1
    return np.array(list(by_base.values()), dtype=np.float64).reshape(-1, 4)


def cohen_kappa(both: ArrayLike, first: ArrayLike, second: ArrayLike, neither: ArrayLike) -> Floats:
    """Return Cohen's κ of two raters and two categories, (p_o - p_e) / (1 - p_e), for one table or many.

    Args:
        both: Pairs that both put into the first category, any shape.
        first: Pairs that only the first rater puts there, same shape.
        second: Pairs that only the second rater puts there, same shape.
        neither: Pairs that neither puts there, same shape.

    Returns:
        κ of each table; NaN where p_e = 1 (everything in one category) or the table is empty.

    Source: Cohen (1960).
    """
    a, b, c, d = (np.asarray(count, dtype=np.float64) for count in (both, first, second, neither))
    n = a + b + c + d
    by_chance = (a + b) * (a + c) + (c + d) * (b + d)
    below = n * n - by_chance
    return np.asarray(np.where(below > 0, (n * (a + d) - by_chance) / np.where(below > 0, below, 1.0), np.nan))


def _kappa_of_resamples(both: Floats, first: Floats, second: Floats, neither: Floats) -> Floats:
    return cohen_kappa(both.sum(axis=1), first.sum(axis=1), second.sum(axis=1), neither.sum(axis=1))


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value
