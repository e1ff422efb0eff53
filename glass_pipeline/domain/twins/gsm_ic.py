"""Holds the operator of the comparison suite: one inert sentence about a newcomer, right before the question if it can.

Never states anything countable: a shoe size or a house number enters no sum.
"""

from __future__ import annotations

from dataclasses import dataclass

from glass_pipeline.domain.records import Family, Problem
from glass_pipeline.domain.twins.math_irrelevant_context import target_of
from glass_pipeline.domain.twins.names import replacement_names
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit, Json
from glass_pipeline.domain.twins.places import safe_slots
from glass_pipeline.domain.twins.segmentation import sentences_of
from glass_pipeline.domain.twins.spans import restore_spans
from glass_pipeline.domain.twins.splicing import Insertion, splice

TEMPLATES = (
    ("{name}'s shoe size is {number}.", ("shoe", "shoes", "size")),
    ("{name} lives at house number {number}.", ("house", "houses", "home")),
    ("The bus line that {name} takes has the number {number}.", ("bus", "buses", "line", "lines")),
    ("{name}'s favorite number is {number}.", ("favorite", "number", "numbers")),
    ("The locker of {name} has the number {number}.", ("locker", "lockers")),
    ("{name}'s jersey has the number {number} on its back.", ("jersey", "jerseys", "number", "numbers")),
    (
        "{name} is reading page {number} of a novel.",
        ("page", "pages", "novel", "read", "reads", "reading", "book", "books"),
    ),
    ("{name}'s hotel room has the number {number}.", ("room", "rooms", "hotel")),
)
"""Sentences, and the words of a problem that rule each of them out."""

NUMBERS = range(13, 98)
ATTEMPTS_PER_EDIT = 10


@dataclass(frozen=True, slots=True)
class GsmIc:
    """One inert sentence; the dose is always 1."""

    family: Family = "gsm_ic"
    quota: int = 20

    def edits(self, problem: Problem, draw: Draw) -> tuple[Edit, ...]:
        """Return up to ``draw.quota`` injections with distinct sentences, each in the last safe place."""
        sentences = sentences_of(problem.text, latex=problem.answer_type == "math")
        slot = safe_slots(sentences)[-1]
        target = target_of(problem, sentences)
        closed = target.given_values | target.closed_values
        numbers = [number for number in NUMBERS if number not in closed]
        names = [
            name
            for gender in ("female", "male")
            for name in replacement_names(gender)
            if name.lower() not in target.words
        ]
        templates = [
            (index, sentence) for index, (sentence, taken) in enumerate(TEMPLATES) if not target.words & set(taken)
        ]
        if not templates:
            raise Declined("no inert sentence")
        found: dict[str, Edit] = {}
        for _ in range(draw.quota * ATTEMPTS_PER_EDIT):
            if len(found) == draw.quota:
                break
            index, sentence = draw.rng.choice(templates)
            inert = sentence.format(name=draw.rng.choice(names), number=draw.rng.choice(numbers))
            edit = splice(problem.text, sentences, [Insertion(inert, "inert", index, slot)])
            found.setdefault(edit.text, edit)
        return tuple(found.values())

    def undo(self, text: str, record: Json) -> str:
        """Return the text without the inert sentence."""
        return restore_spans(text, record.get("spans"))
