"""Holds the sample of pairs that a person reviews: drawn by outcome of the audit, each pair seeded by its own name.

Never shows a pair (see ``report.review_sheet``), and never reads what the person says (see ``review``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from glass_pipeline.domain.audit.adjudication import rule_reasons
from glass_pipeline.domain.audit.rules import FLAG_RULES
from glass_pipeline.domain.audit.verdicts import CONTRADICTION, UNPARSABLE, Verdict
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import Problem, Twin
from glass_pipeline.domain.seeding import unit_interval

KEPT, FLAGGED = "kept", "kept, flagged"
"""Outcomes that let a twin pass; every other outcome is the reason that dropped it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPair:
    """One pair that may be reviewed; a text that stands in several dose files is one pair."""

    twin_id: str
    """The first of the twins that have this text."""
    base_id: str
    family: str
    base_text: str
    twin_text: str
    gold: str
    text_hash: str
    outcome: str
    opinions: tuple[Verdict, ...]
    """What adjudicators said of it."""


def review_pairs(problems: Iterable[Problem], twins: Iterable[Twin], audit: pl.DataFrame) -> tuple[ReviewPair, ...]:
    """Return every distinct pair of an audit, in order of twin id.

    Args:
        problems: The bases.
        twins: Their twins, of one dose or of several.
        audit: ``NOOP_AUDIT`` of these twins.

    Raises:
        ValueError: a twin's base is not among the problems, or a twin was not audited.
    """
    bases = {problem.base_id: problem for problem in problems}
    rows = {row["twin_id"]: row for row in audit.iter_rows(named=True)}
    pairs: dict[tuple[str, str], ReviewPair] = {}
    for twin in sorted(twins, key=lambda each: each.twin_id):
        base, row = bases.get(twin.base_id), rows.get(twin.twin_id)
        if base is None or row is None:
            lacks = "base" if base is None else "audit"
            raise ValueError(f"review_pairs: the {lacks} of twin {twin.twin_id!r} was not given.")
        identity = text_hash(twin.text)
        pairs.setdefault((twin.base_id, identity), _pair(base, twin, row, identity))
    return tuple(pairs.values())


def outcome(row: Mapping[str, Any]) -> str:
    """Return the one outcome that a row of the audit is counted under: what a model said before what a rule said."""
    reasons = list(row["reasons"])
    for finding in (CONTRADICTION, UNPARSABLE):
        if finding in reasons:
            return finding
    by_rules = rule_reasons(reasons)
    if by_rules:
        return by_rules[0]
    return FLAGGED if any(row[rule] for rule in FLAG_RULES) else KEPT


def draw_sample(pairs: Sequence[ReviewPair], n: int, seed: int) -> tuple[ReviewPair, ...]:
    """Draw pairs by outcome, in an order that does not tell the outcomes apart; a larger sample holds each smaller one.

    Args:
        pairs: All pairs.
        n: Pairs to draw, at least 1; fewer come where there are no more.
        seed: The study's seed.

    Raises:
        ValueError: n is below 1.
    """
    if n < 1:
        raise ValueError(f"draw_sample(n={n}): a sample has at least one pair.")
    left = allocation(Counter(pair.outcome for pair in pairs), n)
    drawn: list[ReviewPair] = []
    for pair in sorted(pairs, key=lambda each: unit_interval(seed, "review", each.base_id, each.text_hash)):
        if left[pair.outcome]:
            left[pair.outcome] -= 1
            drawn.append(pair)
    return tuple(drawn)


def allocation(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """Divide a sample among strata by the square root of their sizes.

    n_h is proportional to √N_h, at most N_h, and at least 1 while n lasts: rare outcomes are seen often enough to be
    judged, and the large ones still get most.

    Args:
        sizes: N_h, 1 or more.
        n: Sample size.

    Source: Bankier (1988), power allocation with exponent 1/2.
    """
    drawn = dict.fromkeys(sizes, 0)

    def claim(name: str) -> tuple[bool, float, str]:
        return drawn[name] == 0, math.sqrt(sizes[name]) / (drawn[name] + 1), name

    for _ in range(min(n, sum(sizes.values()))):
        # D'Hondt's divisors: the next pair goes where it is furthest below its share, once each has one.
        drawn[max((name for name in sizes if drawn[name] < sizes[name]), key=claim)] += 1
    return drawn


def _pair(base: Problem, twin: Twin, row: Mapping[str, Any], identity: str) -> ReviewPair:
    return ReviewPair(
        twin_id=twin.twin_id,
        base_id=twin.base_id,
        family=twin.family,
        base_text=base.text,
        twin_text=twin.text,
        gold=base.gold,
        text_hash=identity,
        outcome=outcome(row),
        opinions=tuple(
            Verdict(twin_id=twin.twin_id, adjudicator=name, finding=finding, rationale=rationale)
            for name, finding, rationale in zip(row["adjudicators"], row["verdicts"], row["rationales"], strict=True)
        ),
    )
