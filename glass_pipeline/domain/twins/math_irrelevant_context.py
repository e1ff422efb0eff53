"""Holds the operator that splices m self-contained sentences of other problems in before the question.

Doses are nested: with the same dice, each twin of a larger dose holds the sentences of one of every smaller dose, in
the same places. Never inserts a name, a gold value or a question of its own, nor a quantity that the question would
count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from glass_pipeline.domain.records import DOSES, Family, Problem
from glass_pipeline.domain.twins.distractors import DistractorIndex, IndexedDistractor, figures_of, marked, proper_nouns
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit, Json
from glass_pipeline.domain.twins.places import DEFINITE, FAMILIAR, safe_slots
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
    closed_values: frozenset[Fraction]
    """The gold, and the values of the gold solution: a distractor that states one could be taken for a step."""
    given_values: frozenset[Fraction]
    closed: frozenset[str]
    """The closed values as marks (see ``IndexedDistractor``)."""
    stated: frozenset[str]
    """The closed and the given values as marks."""
    barred: frozenset[str]
    """Marks that no sentence of its twins may have."""


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
        material = material_for(target, draw.distractors)
        avoided = sorted(map(str, target.closed_values))
        found: dict[str, Edit] = {}
        for _ in range(draw.quota * 2):
            # Each attempt rolls as often at every dose, so that a larger dose holds what a smaller one drew.
            places = draw.rng.choices(slots, k=max(draw.dose, *DOSES))
            chosen = choose(material, draw.dose, Random(draw.rng.getrandbits(64)))
            if chosen is None:
                break
            edit = splice(problem.text, sentences, list(map(_inserted, chosen, places)), avoided=avoided)
            found.setdefault(edit.text, edit)
            if len(found) == draw.quota:
                break
        if not found:
            raise Declined("too few distractors")
        return tuple(found.values())

    def undo(self, text: str, record: Json) -> str:
        """Return the text without the inserted sentences."""
        return restore_spans(text, record.get("spans"))


def target_of(problem: Problem, sentences: tuple[Sentence, ...]) -> Target:
    """Read off a problem what an insertion must keep clear of.

    No newcomer has a word of the problem, or a short form of one of its names, for a name; none brings a thing that the
    problem calls "the …", or a price of its goods. A question that names nobody counts whoever comes along, so that
    nothing it could count may come.
    """
    words = frozenset(word.lower() for word in WORD.findall(problem.text))
    gold = gold_value(problem.gold)
    closed = values(NO_NUMBER.sub(" ", problem.gold_solution or "")) | ({gold} if gold is not None else set())
    given = values(problem.text)
    definites = topic_of(" ".join(DEFINITE.findall(problem.text.lower()))) - FAMILIAR
    barred = marked("p", words) | marked("k", proper_nouns(problem.text))
    barred |= marked("r", topic_of(problem.text)) | marked("n", definites)
    return Target(
        words=words,
        closed_values=closed,
        given_values=given,
        closed=figures_of(closed),
        stated=figures_of(closed | given),
        barred=barred | _countable([sentence.core for sentence in sentences]),
    )


def _countable(cores: Sequence[str]) -> frozenset[str]:
    """Return the marks of what an open question would count; nothing for a question about somebody."""
    question = " ".join(cores[index] for index in question_indices(cores))
    main = CONDITION.sub(" ", question)
    names = {name for name in NAME.findall(main) if name.lower() not in OPENERS | NEUTRAL_CAPITALS}
    if names or BOUND_QUESTION.search(main):
        return frozenset()
    asked = asked_units(question)
    marks = marked("u", asked) | marked("n", (unit.removeprefix("noun:") for unit in asked))
    return marks | {"c:"} if counts_things(asked) or not asked else marks


@dataclass(frozen=True, slots=True)
class Material:
    """The sentences that may go into one problem."""

    target: Target
    pool: DistractorIndex
    apart: tuple[IndexedDistractor, ...]
    """Those that state no value of the problem."""

    def all(self) -> tuple[IndexedDistractor, ...]:
        """Return those that state none of its answer and its solution."""
        return self.pool.clear_of(self.target.barred | self.target.closed)


def material_for(target: Target, pool: DistractorIndex) -> Material:
    """Return what a pool holds for a problem."""
    return Material(target, pool, pool.clear_of(target.barred | target.stated))


def choose(material: Material, size: int, rng: Random) -> list[IndexedDistractor] | None:
    """Draw sentences about different persons, with values that neither the problem nor the others state if it can be.

    Returns:
        ``size`` sentences, of which fewer are the first of more; None if the material does not yield enough.
    """
    chosen: list[IndexedDistractor] = []
    people: set[str] = set()
    figures: set[str] = set()
    while len(chosen) < size:
        entry = _draw(material.apart, people, figures, rng) or _draw(material.all(), people, set(), rng)
        if entry is None:
            return None
        chosen.append(entry)
        people |= entry.bars
        figures |= entry.figures
    return chosen


def _draw(
    entries: Sequence[IndexedDistractor], people: set[str], figures: set[str], rng: Random
) -> IndexedDistractor | None:
    for _ in range(TRIES_PER_SENTENCE if entries else 0):
        entry = entries[int(rng.random() * len(entries))]
        if entry.people.isdisjoint(people) and entry.figures.isdisjoint(figures):
            return entry
    return None


def _inserted(entry: IndexedDistractor, slot: int) -> Insertion:
    source = entry.source
    return Insertion(text=source.text.strip(), source_id=source.source_id, position=source.position, slot=slot)
