"""Holds what a writer is asked for, and the check of what it wrote: an edit of the base, or the reason why not.

A written text is never taken as it is: its edit is recovered and applied to the base, so that every character beside
the edit is the base's own. Never asks a writer, and never judges meaning (see ``audit``).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from glass_pipeline.domain.records import Distractor, Family, Problem
from glass_pipeline.domain.twins.batch import check_length
from glass_pipeline.domain.twins.distractors import DistractorIndex
from glass_pipeline.domain.twins.math_irrelevant_context import choose, material_for, target_of
from glass_pipeline.domain.twins.operator import Declined, Edit
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.segmentation import sentences_of
from glass_pipeline.domain.twins.sentence_reorder import setup_size
from glass_pipeline.domain.twins.writer_injection import recovered_injection
from glass_pipeline.domain.twins.writer_rename import NamesOnOffer, names_on_offer, recovered_renaming
from glass_pipeline.domain.twins.writer_reorder import n_orders, recovered_reordering

WRITTEN: tuple[Family, ...] = ("sentence_reorder", "entity_rename", "math_irrelevant_context")
"""Families that a writer may be asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """One twin that a writer is asked for."""

    problem: Problem
    family: Family
    material: tuple[Distractor, ...] = ()
    """Sentences to put in."""
    names: NamesOnOffer | None = None
    """Names to choose from, for a renaming."""


def commissions(
    problem: Problem, family: Family, rngs: Sequence[random.Random], *, dose: int, distractors: DistractorIndex
) -> tuple[Commission, ...]:
    """Return what a writer is asked for one base and family.

    Args:
        problem: The base.
        family: One of ``WRITTEN``.
        rngs: Dice of each twin that is wanted.
        dose: Sentences that an injection puts in.
        distractors: Where these come from.

    Raises:
        Declined: no such twin of this base can exist.
    """
    check_length(problem)
    if family == "entity_rename":
        return tuple(Commission(problem=problem, family=family, names=names_on_offer(problem, rng)) for rng in rngs)
    sentences = sentences_of(problem.text, latex=problem.answer_type == "math")
    if family == "sentence_reorder":
        wanted = min(len(rngs), n_orders(setup_size(sentences)) - 1)
        return (Commission(problem=problem, family=family),) * wanted
    if not question_indices([sentence.core for sentence in sentences]):
        raise Declined("no question found")
    if not distractors:
        raise Declined("no distractors")
    material = material_for(target_of(problem, sentences), distractors)
    chosen = [choose(material, dose, rng) for rng in rngs]
    found = tuple(
        Commission(problem=problem, family=family, material=tuple(entry.source for entry in entries))
        for entries in chosen
        if entries is not None
    )
    if not found:
        raise Declined("too few distractors")
    return found


def recovered_edit(commission: Commission, text: str) -> Edit:
    """Return the edit that a written text makes of its base.

    Args:
        commission: What was asked for.
        text: What was written; hostile.

    Raises:
        Unfaithful: the text does more or less than was asked for.
    """
    problem = commission.problem
    if commission.family == "entity_rename":
        return recovered_renaming(problem, text)
    if commission.family == "sentence_reorder":
        return recovered_reordering(problem, text)
    return recovered_injection(problem, text, commission.material)
