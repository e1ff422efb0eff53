"""Holds the operator that splices m self-contained sentences of other problems in before the question.

Doses are nested: with the same dice, each twin of a larger dose holds the sentences of one of every smaller dose, in
the same places. Never inserts a name, a gold value or a question of its own, nor a quantity that the question would
count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from glass_pipeline.domain.records import DOSES, Family, Problem
from glass_pipeline.domain.twins.distractors import DistractorIndex, IndexedDistractor, proper_nouns
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit, Json
from glass_pipeline.domain.twins.places import safe_slots
from glass_pipeline.domain.twins.quantities import gold_value, values
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.segmentation import Sentence, sentences_of
from glass_pipeline.domain.twins.spans import restore_spans
from glass_pipeline.domain.twins.splicing import Insertion, splice
from glass_pipeline.domain.twins.topics import topic_of
from glass_pipeline.domain.twins.units import asked_units, counts_things
from glass_pipeline.domain.twins.vocabulary import NEUTRAL_CAPITALS, OPENERS

WORD = re.compile(r"[^\W\d_]+")
BOUND_QUESTION = re.compile(r"\b(?:he|she|him|her|his|hers|i|my|me|you|your)\b", re.IGNORECASE)
CONDITION = re.compile(r"\b[Ii]f\b[^,?.]*(?:,(?! and)|(?=[?.]|$))")
"""Whom a condition names does not bound what is asked: "How many pens are there if Ann has 3?" """

NAME = re.compile(r"(?<!^)\b[A-Z][a-z]+")
NO_NUMBER = re.compile(r"[^\d.,]+")
"""What stands between the numbers of a calculation: 14/2=7 states 14, 2 and 7, not seven alone."""

TRIES_PER_SENTENCE = 60
"""Draws from the pool before a looser rule is taken, then before the operator gives up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an insertion must keep clear of in one problem."""

    words: frozenset[str]
    """Every word of the problem, in lower case."""
    proper: frozenset[str]
    """Its proper nouns, in lower case."""
    topic: frozenset[str]
    """What it is about."""
    closed_values: frozenset[Fraction]
    """The gold, and the values of the gold solution: a distractor that states one could be taken for a step."""
    given_values: frozenset[Fraction]
    asked: frozenset[str]
    asked_nouns: frozenset[str]
    counts_things: bool
    """The question asks for a number of things, or for what cannot be told."""
    is_open: bool
    """The question names nobody, so it would count whoever comes along."""

    def admits(self, entry: IndexedDistractor, chosen: Sequence[IndexedDistractor], strict: bool) -> bool:
        """Return whether a sentence may go in beside those already chosen.

        Args:
            entry: The sentence.
            chosen: Sentences that go in with it; none may share a name with it.
            strict: Also keep clear of the values of the problem and of those sentences.
        """
        if not (entry.proper.isdisjoint(self.words) and entry.values.isdisjoint(self.closed_values)):
            return False
        if not (entry.namesakes.isdisjoint(self.proper) and entry.rated.isdisjoint(self.topic)):
            return False
        if strict and not entry.values.isdisjoint(self.given_values):
            return False
        for other in chosen:
            if _may_be_one(entry, other) or (strict and not entry.values.isdisjoint(other.values)):
                return False
        if not self.is_open:
            return True
        if not (entry.units.isdisjoint(self.asked) and entry.nouns.isdisjoint(self.asked_nouns)):
            return False
        return not (self.counts_things and entry.counts_things)


@dataclass(frozen=True, slots=True)
class MathIrrelevantContext:
    """``dose`` sentences of other problems, stacked in before the question."""

    family: Family = "math_irrelevant_context"
    quota: int = 20

    def edits(self, problem: Problem, draw: Draw) -> tuple[Edit, ...]:
        """Return up to ``draw.quota`` distinct injections of ``draw.dose`` sentences each."""
        sentences = sentences_of(problem.text, latex=problem.answer_type == "math")
        slots = safe_slots(sentences)
        target = target_of(problem, sentences)
        if not draw.distractors:
            raise Declined("no distractors")
        avoided = sorted(map(str, target.closed_values))
        found: dict[str, Edit] = {}
        for _ in range(draw.quota * 2):
            # Each attempt rolls as often at every dose, so that a larger dose holds what a smaller one drew.
            places = draw.rng.choices(slots, k=max(draw.dose, *DOSES))
            chosen = choose(target, draw.distractors, draw.dose, Random(draw.rng.getrandbits(64)))
            if chosen is None:
                break
            edit = splice(problem.text, sentences, list(map(_inserted, chosen, places)))
            found.setdefault(edit.text, replace(edit, record={**edit.record, "avoided": avoided}))
            if len(found) == draw.quota:
                break
        if not found:
            raise Declined("too few distractors")
        return tuple(found.values())

    def undo(self, text: str, record: Json) -> str:
        """Return the text without the inserted sentences."""
        return restore_spans(text, record.get("spans"))


def target_of(problem: Problem, sentences: tuple[Sentence, ...]) -> Target:
    """Read off a problem what an insertion must keep clear of."""
    cores = [sentence.core for sentence in sentences]
    question = " ".join(cores[index] for index in question_indices(cores))
    main = CONDITION.sub(" ", question)
    names = {name for name in NAME.findall(main) if name.lower() not in OPENERS | NEUTRAL_CAPITALS}
    asked, gold = asked_units(question), gold_value(problem.gold)
    return Target(
        words=frozenset(word.lower() for word in WORD.findall(problem.text)),
        proper=proper_nouns(problem.text),
        topic=topic_of(problem.text),
        closed_values=values(NO_NUMBER.sub(" ", problem.gold_solution or "")) | ({gold} if gold is not None else set()),
        given_values=values(problem.text),
        asked=asked,
        asked_nouns=frozenset(unit.removeprefix("noun:") for unit in asked),
        counts_things=counts_things(asked) or not asked,
        is_open=not names and BOUND_QUESTION.search(main) is None,
    )


def choose(target: Target, pool: DistractorIndex, size: int, rng: Random) -> list[IndexedDistractor] | None:
    """Draw sentences with distinct names; None if the pool does not yield enough."""
    chosen: list[IndexedDistractor] = []
    while len(chosen) < size:
        entry = _draw(target, pool, chosen, rng)
        if entry is None:
            return None
        chosen.append(entry)
    return chosen


def _draw(
    target: Target, pool: DistractorIndex, chosen: Sequence[IndexedDistractor], rng: Random
) -> IndexedDistractor | None:
    for strict in (True, False):
        for _ in range(TRIES_PER_SENTENCE):
            entry = pool[rng.randrange(len(pool))]
            if target.admits(entry, chosen, strict):
                return entry
    return None


def _may_be_one(one: IndexedDistractor, other: IndexedDistractor) -> bool:
    """Return whether two sentences may speak of one person, by name or by nickname."""
    return not (one.proper.isdisjoint(other.proper) and one.namesakes.isdisjoint(other.proper))


def _inserted(entry: IndexedDistractor, slot: int) -> Insertion:
    source = entry.source
    return Insertion(text=source.text.strip(), source_id=source.source_id, position=source.position, slot=slot)
