"""Holds the operator that puts the setup sentences of a problem into another order.

Never moves the question, never edits a sentence, and never reorders where order may carry meaning.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import Family, Problem
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit, Json
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.reference import has_open_pronoun, leans_back
from glass_pipeline.domain.twins.segmentation import Sentence, sentences_of
from glass_pipeline.domain.twins.spans import MisfitError
from glass_pipeline.domain.twins.vocabulary import NEUTRAL_CAPITALS, OPENERS, words

ENUMERATED_UP_TO = 6
"""Setups of at most this many sentences have all their orders enumerated (6! = 720); longer ones are sampled."""

MOST_SENTENCES = 30
SHUFFLES_PER_EDIT = 20
EVENT = re.compile(
    r"\b(?:gives?|gave|buys?|bought|sells?|sold|los[et]s?|lost|eats?|ate|spends?|spent|uses?|used|adds?|added|receives?|received"
    r"|gets?|got|finds?|found|takes?|took|donate[sd]?|breaks?|broke|throws?|threw|removes?|removed|pays?|paid|dies?|died|puts?"
    r"|pours?|poured|drinks?|drank|moves?|moved|joins?|joined|grows?|falls?|fell|rises?|rose|cuts?|picks?|picked)\b",
    re.IGNORECASE,
)
PROPORTION = re.compile(
    r"%|\bpercent|\d/\d|\b(?:half|third|thirds|quarters?|fourths?|fifths?|tenths?|twice|doubled?|triple[sd]?|times)\b",
    re.IGNORECASE,
)
DEFINITE = re.compile(
    r"\b(?:the|these|those|each|every|both|all)\s+"
    r"(?=([a-z-]+(?: (?!of\b|for\b|in\b|on\b|at\b|to\b|is\b|are\b)[a-z-]+)?))",
    re.IGNORECASE,
)
FORMULA = re.compile(r"\$[^$]*\$")
SYMBOL = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z](?![a-zA-Z])")
FAMILIAR = words("familiar_nouns")
ENDS_WELL = re.compile(r"""[.!?…]["'”’)\]]*$""")
LIST_ITEM = re.compile(r"^\s*(?:[-•*]|\(?(?:\d{1,3}|[a-zA-Z])[.)]\s)")
SINGULAR_PRONOUN = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.IGNORECASE)
IT = re.compile(r"\b(?:its?|this|that|these|those)\b(?! (?:take|takes|took|cost|costs)\b)", re.IGNORECASE)
STOP = words("stop_words")
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
        before = _precedence(setup)
        seen = {text_hash(problem.text)}
        found: list[Edit] = []
        for order in _orders(n_setup, before, draw.rng, draw.quota):
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
    if any(EVENT.search(core) for core in setup) and any(PROPORTION.search(core) for core in setup):
        raise Declined("running state")
    names = {name for core in setup for name in NAME.findall(core) if name.lower() not in OPENERS | NEUTRAL_CAPITALS}
    if IT.search(question) or (SINGULAR_PRONOUN.search(question) and len(names) > 1):
        raise Declined("pronoun in the question")


def _precedence(setup: Sequence[str]) -> list[set[int]]:
    """Return for each sentence the earlier ones that it needs before it.

    These introduce what it calls "the …", or a symbol that it uses; what nobody introduced by that word ("the fruit")
    may be anything said so far, and needs all of it.
    """
    contents = [_content(core) for core in setup]
    symbols = [set(SYMBOL.findall("".join(FORMULA.findall(core)))) for core in setup]
    before: list[set[int]] = []
    for index, core in enumerate(setup):
        needed = {earlier for earlier in range(index) if symbols[index] & symbols[earlier]}
        for phrase in DEFINITE.findall(core):
            named = _content(phrase)
            introduced = {earlier for earlier in range(index) if named & contents[earlier]}
            needed |= introduced if introduced or named <= FAMILIAR else set(range(index))
        before.append(needed)
    return before


def _content(text: str) -> set[str]:
    return {_stem(word) for word in re.findall(r"[a-z]+", text.lower())} - STOP


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def _orders(n: int, before: Sequence[set[int]], rng: random.Random, quota: int) -> Iterator[tuple[int, ...]]:
    """Yield orders other than the given one that respect ``before``: all of them shuffled, or a sample of long ones."""
    if n <= ENUMERATED_UP_TO:
        orders = list(_extensions((), n, before))[1:]
        rng.shuffle(orders)
        yield from orders
        return
    yield from (_shuffled(n, before, rng) for _ in range(quota * SHUFFLES_PER_EDIT))


def _extensions(done: tuple[int, ...], n: int, before: Sequence[set[int]]) -> Iterator[tuple[int, ...]]:
    """Yield every order in which no sentence stands before one that it needs; the given order comes first."""
    if len(done) == n:
        yield done
    for index in range(n):
        if index not in done and before[index] <= set(done):
            yield from _extensions((*done, index), n, before)


def _shuffled(n: int, before: Sequence[set[int]], rng: random.Random) -> tuple[int, ...]:
    done: list[int] = []
    while len(done) < n:
        done.append(rng.choice([index for index in range(n) if index not in done and before[index] <= set(done)]))
    return tuple(done)


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
