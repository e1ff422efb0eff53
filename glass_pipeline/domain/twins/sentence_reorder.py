"""Holds the operator that puts the setup sentences of a problem into another order.

Never moves the question, never edits a sentence, and never reorders where order may carry meaning.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import Family, Problem
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit, Json
from glass_pipeline.domain.twins.precedence import orders, precedence
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.reference import has_open_pronoun, leans_back
from glass_pipeline.domain.twins.running_state import order_is_time
from glass_pipeline.domain.twins.segmentation import Sentence, sentences_of
from glass_pipeline.domain.twins.spans import MisfitError
from glass_pipeline.domain.twins.vocabulary import NEUTRAL_CAPITALS, OPENERS

MOST_SENTENCES = 30
ENDS_WELL = re.compile(r"""[.!?…]["'”’)\]]*$""")
LIST_ITEM = re.compile(r"^\s*(?:[-•*]|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s)")
SINGULAR_PRONOUN = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.IGNORECASE)
IT = re.compile(r"\b(?:its?|this|that|these|those)\b(?! (?:take|takes|took|cost|costs)\b)", re.IGNORECASE)
NAME = re.compile(r"\b[A-Z][a-z]+")


@dataclass(frozen=True, slots=True)
class SentenceReorder:
    """The setup sentences permuted, the question last, the white space between places as it was."""

    family: Family = "sentence_reorder"
    quota: int = 10

    def edits(self, problem: Problem, draw: Draw) -> tuple[Edit, ...]:
        """Return up to ``draw.quota`` distinct orders."""
        sentences = sentences_of(problem.text, latex=problem.answer_type == "math")
        n_setup = setup_size(sentences)
        if "[asy]" in problem.text:
            raise Declined("figure")
        setup = [sentence.core for sentence in sentences[:n_setup]]
        _check_form(sentences, n_setup)
        _check_meaning(setup, sentences[n_setup].core)
        before = precedence(setup)
        seen = {text_hash(problem.text)}
        found: list[Edit] = []
        for order in orders(n_setup, before, draw.rng, draw.quota):
            edit = reordered(sentences, order)
            if (identity := text_hash(edit.text)) not in seen:
                seen.add(identity)
                found.append(edit)
            if len(found) == draw.quota:
                break
        if not found:
            raise Declined("one order only")
        return tuple(found)

    def undo(self, text: str, record: Json) -> str:
        """Return the text with its sentences in the original order."""
        order, cores = record.get("order"), record.get("cores")
        spans = _spans(text, order, cores)
        original = {base: text[start:end] for base, (start, end) in zip(order or (), spans, strict=True)}
        pieces, read = [], 0
        for place, (start, end) in enumerate(spans):
            pieces += [text[read:start], original[place]]
            read = end
        return "".join(pieces) + text[read:]


def setup_size(sentences: tuple[Sentence, ...]) -> int:
    """Return how many sentences stand before the one question at the end.

    Raises:
        Declined: there is no such question, or not enough before it to change places.
    """
    questions = question_indices([sentence.core for sentence in sentences])
    if not questions:
        raise Declined("no question found")
    if len(questions) > 1:
        raise Declined("several questions")
    if questions[0] != len(sentences) - 1:
        raise Declined("question not last")
    if questions[0] < 2:
        raise Declined("one setup sentence" if questions[0] else "no setup sentence")
    if questions[0] > MOST_SENTENCES:
        raise Declined("too many sentences")
    return questions[0]


def _check_form(sentences: tuple[Sentence, ...], n_setup: int) -> None:
    """Refuse lists, quotations over several sentences, and sentences that do not look like one when moved."""
    for sentence in sentences[:n_setup]:
        core = sentence.core
        if LIST_ITEM.match(core) or core.endswith(":") or "\n" in core:
            raise Declined("list")
        if not ENDS_WELL.search(core):
            raise Declined("no end mark")
        if not sentence.gap:
            raise Declined("no space between sentences")
        if core.lstrip("\"'“‘(")[:1].islower():
            raise Declined("sentence starts in lower case")
        if core.count('"') % 2 or core.count("(") != core.count(")") or core.count("“") != core.count("”"):
            raise Declined("quotation")


def _check_meaning(setup: Sequence[str], question: str) -> None:
    if has_open_pronoun(setup[0]) or (reason := leans_back(setup[0])) in {"order word", "remainder", "running state"}:
        raise Declined("open pronoun" if has_open_pronoun(setup[0]) else str(reason))
    for core in setup[1:]:
        if (reason := leans_back(core)) is not None:
            raise Declined(reason)
    if order_is_time(setup, question):
        raise Declined("running state")
    names = {name for core in setup for name in NAME.findall(core) if name.lower() not in OPENERS | NEUTRAL_CAPITALS}
    if IT.search(question) or (SINGULAR_PRONOUN.search(question) and len(names) > 1):
        raise Declined("pronoun in the question")


def reordered(sentences: tuple[Sentence, ...], order: tuple[int, ...]) -> Edit:
    """Put the sentence with index ``order[i]`` into place i; places beyond the order keep theirs."""
    pieces: list[str] = []
    cores: list[list[int]] = []
    written = 0
    for place, sentence in enumerate(sentences):
        core = sentences[order[place]].core if place < len(order) else sentence.core
        if place < len(order):
            cores.append([written, written + len(core)])
        pieces += [core, sentence.gap]
        written += len(core) + len(sentence.gap)
    return Edit(text="".join(pieces), record={"order": list(order), "cores": cores})


def _spans(text: str, order: object, cores: object) -> list[tuple[int, int]]:
    """Return the recorded sentence spans after checking that they fit the text and the order."""
    if not (isinstance(order, list) and isinstance(cores, list) and _is_permutation(order, len(cores))):
        raise MisfitError(f"A reordering records a permutation and as many spans, not {order!r} and {cores!r}.")
    spans: list[tuple[int, int]] = []
    read = 0
    for core in cores:
        match core:
            case [int(start), int(end)] if read <= start <= end <= len(text):
                spans.append((start, end))
                read = end
            case _:
                raise MisfitError(f"A reordered sentence spans [start, end) inside the text, not {core!r}.")
    return spans


def _is_permutation(order: list[object], n: int) -> bool:
    return all(type(index) is int for index in order) and sorted(map(str, order)) == sorted(map(str, range(n)))
