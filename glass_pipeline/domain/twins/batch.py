"""Holds how the twins of a suite are made: every operator asked for every problem, each with its own dice.

Never depends on the order of the problems or of the pool, and never drops a problem silently.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import FAMILIES, Decline, Distractor, Family, Problem, Twin
from glass_pipeline.domain.seeding import child_rng
from glass_pipeline.domain.twins.distractors import DistractorIndex
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit
from glass_pipeline.domain.twins.registry import OPERATORS

SURFACE: frozenset[Family] = frozenset({"sentence_reorder", "entity_rename"})
"""Their twins have no dose: every dose file holds the same ones, so each is solved once (methods §1.6)."""

DICE: Mapping[Family, str] = {**dict.fromkeys(SURFACE, "surface"), "math_irrelevant_context": "nested"}
"""Name of the dice of the families that roll the same at every dose: those without one, and nested injections."""

LONGEST_TEXT = 20_000
"""Characters of the longest text that is reworded; a longer one is no word problem."""


class TwinBatch(NamedTuple):
    """The twins of some problems at one dose, and who was declined why."""

    twins: tuple[Twin, ...]
    declines: tuple[Decline, ...]


def make_twins(
    problems: Iterable[Problem],
    *,
    suite: str,
    seed: int,
    dose: int,
    distractors: Iterable[Distractor] | DistractorIndex,
    families: Sequence[Family] = FAMILIES,
) -> TwinBatch:
    """Reword problems with the deterministic operators.

    Args:
        problems: Base problems in any order.
        suite: Slug of the suite; part of every seed.
        seed: The study's seed.
        dose: m: how many sentences an injection stacks.
        distractors: Pool of foreign sentences, or its index where one pool serves several calls.
        families: Operator families to ask.

    Returns:
        Twins in order of problem, family and number, and one decline for each (problem, family) without a twin.
        A text that equals its base after white space is collapsed is no twin.

    Raises:
        ValueError: the dose is not positive or a family is unknown.

    Source: methods §3.1, §3.4.
    """
    if dose < 1:
        raise ValueError(f"make_twins(dose={dose}): a dose counts inserted sentences; give 1 or more.")
    unknown = set(families) - OPERATORS.keys()
    if unknown:
        raise ValueError(
            f"make_twins(families=…): no operator {sorted(unknown)[0]!r}; there are {', '.join(OPERATORS)}."
        )
    index = distractors if isinstance(distractors, DistractorIndex) else DistractorIndex(distractors)
    twins: list[Twin] = []
    declines: list[Decline] = []
    for problem in problems:
        for family in families:
            dice = child_rng(seed, suite, problem.base_id, DICE.get(family, f"m{dose}"), family)
            operator = OPERATORS[family]
            draw = Draw(quota=operator.quota, dose=dose, distractors=index, rng=dice)
            try:
                check_length(problem)
                edits = operator.edits(problem, draw)
                twins += twins_of_edits(problem, family, dose, edits, generator="rules")
            except Declined as reason:
                declines.append(Decline(base_id=problem.base_id, dose=dose, family=family, reason=str(reason)))
    return TwinBatch(tuple(twins), tuple(declines))


def check_length(problem: Problem) -> None:
    """Refuse a text that is too long to be a word problem.

    Raises:
        Declined: it is.
    """
    if len(problem.text) > LONGEST_TEXT:
        raise Declined("text too long")


def twins_of_edits(problem: Problem, family: Family, dose: int, edits: Sequence[Edit], *, generator: str) -> list[Twin]:
    """Return the twins that edits of one problem make, without those that equal their base.

    Raises:
        Declined: none is left.
    """
    base = text_hash(problem.text)
    changed = [edit for edit in edits if text_hash(edit.text) != base]
    if not changed:
        raise Declined("twin equals base")
    return [
        Twin(
            base_id=problem.base_id,
            twin_id=f"{problem.base_id}-m{dose}-{family}-{number}",
            dose=dose,
            family=family,
            inject_size=edit.inject_size,
            operator=family if edit.inject_size is None else f"{family}_m{edit.inject_size}",
            text=edit.text,
            generator=generator,
            edit=json.dumps(edit.record, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
        )
        for number, edit in enumerate(changed)
    ]
