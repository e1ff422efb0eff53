"""Holds the check of an injection that somebody wrote: the base whole and in order, the given sentences in between.

Never accepts a sentence that was made of none of those given, or states other quantities.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins.operator import Edit
from glass_pipeline.domain.twins.quantities import values
from glass_pipeline.domain.twins.questions import asks, question_indices
from glass_pipeline.domain.twins.segmentation import Sentence, sentences_of
from glass_pipeline.domain.twins.splicing import ENDS_WELL, Insertion, splice
from glass_pipeline.domain.twins.writer_text import Unfaithful, check_written_length, squeezed

WORD = re.compile(r"\w+")
MADE_OF = 0.5
"""Least share of a given sentence's words in what was made of it."""


def recovered_injection(problem: Problem, text: str, material: Sequence[Distractor]) -> Edit:
    """Return the injection that a written text makes of its base.

    Args:
        problem: The base.
        text: What was written.
        material: The sentences that were to be put in, each once.

    Raises:
        Unfaithful: the base is not whole, or what stands in between is not the material.
    """
    check_written_length(problem.text, text)
    sentences = sentences_of(problem.text, latex=problem.answer_type == "math")
    added = _added([squeezed(sentence.core) for sentence in sentences], squeezed(text))
    if len(added) != len(material):
        raise Unfaithful("adds another number of sentences than it was given", f"{len(added)}, not {len(material)}")
    last_slot = question_indices([sentence.core for sentence in sentences])[0]
    left = list(material)
    insertions = []
    for sentence, slot in added:
        if slot > last_slot:
            raise Unfaithful("adds a sentence after the question", sentence)
        source = _source_of(sentence, left)
        left.remove(source)
        insertions.append(Insertion(text=sentence, source_id=source.source_id, position=source.position, slot=slot))
    return _spliced(problem.text, sentences, insertions, text)


def _added(cores: Sequence[str], text: str) -> list[tuple[str, int]]:
    """Return each sentence that stands between those of the base, with the index of the one that it stands before."""
    added: list[tuple[str, int]] = []
    for slot, core in enumerate(cores):
        start = _find(core, text)
        added += ((sentence.core, slot) for sentence in sentences_of(text[:start]) if sentence.core)
        text = text[start + len(core) :].lstrip()
    return [*added, *((sentence.core, len(cores)) for sentence in sentences_of(text))]


def _find(core: str, text: str) -> int:
    """Return where a sentence of the base stands in a text as a sentence of its own."""
    found = re.search(rf"(?:^|(?<=\s)){re.escape(core)}(?=\s|$)", text)
    if found is None:
        raise Unfaithful("changes or leaves out a sentence of the problem", core)
    return found.start()


def _source_of(sentence: str, material: Sequence[Distractor]) -> Distractor:
    """Return what an added sentence was made of."""
    words = Counter(WORD.findall(sentence.lower()))

    def share(source: Distractor) -> float:
        own = Counter(WORD.findall(source.text.lower()))
        return (own & words).total() / max(own.total(), 1)

    source = max(material, key=share)
    if share(source) < MADE_OF:
        raise Unfaithful("adds a sentence that it was not given", sentence)
    if values(sentence) != values(source.text):
        raise Unfaithful("changes a quantity of an added sentence", sentence)
    if asks(sentence) or not ENDS_WELL.search(sentence):
        raise Unfaithful("adds something that is no statement", sentence)
    return source


def _spliced(base: str, sentences: tuple[Sentence, ...], insertions: Sequence[Insertion], text: str) -> Edit:
    edit = splice(base, sentences, insertions)
    if squeezed(edit.text) != squeezed(text):
        raise Unfaithful("adds a sentence where the problem has no space between two")
    return edit
