"""Holds the edits that do change what a problem asks: negatives beside which a twin should look like its base.

Never makes a twin, and never a negative so much longer or shorter than its base that length alone tells it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.seeding import child_rng
from glass_pipeline.domain.twins.quantities import value_list, values
from glass_pipeline.domain.twins.questions import question_indices
from glass_pipeline.domain.twins.segmentation import Sentence, maths_spans, sentences_of

Kind = Literal["number", "comparison", "question", "deletion", "formula", "other_base"]

LENGTH_TOLERANCE = 0.15
"""A negative differs from its base by at most this share of its characters, the fallback excepted."""

NUMBER = re.compile(r"(?<![\w.,/:$^{\\-])(\$?)(\d{1,3}(?:,\d{3})+|\d{1,9})(?!(?:st|nd|rd|th)\b)(?![\w/:]|[.,]\d)")
YEARS = range(1500, 2101)
OPPOSITES = (
    ("more", "fewer"),
    ("twice", "half"),
    ("before", "after"),
    ("increased", "decreased"),
    ("increases", "decreases"),
    ("increase", "decrease"),
    ("first", "last"),
    ("older", "younger"),
    ("taller", "shorter"),
    ("longer", "shorter"),
    ("heavier", "lighter"),
    ("gives", "takes"),
    ("earns", "spends"),
    ("greater", "less"),
    ("maximum", "minimum"),
    ("largest", "smallest"),
)
OPPOSITE = {word: other for pair in OPPOSITES for word, other in (pair, pair[::-1])}
COMPARISON = re.compile(rf"\b(?:{'|'.join(OPPOSITE)})\b")
FORMULA_PART = re.compile(
    r"(?<=[\w)}] )[+-](?= ?[\w\\({])|(?<=[\w)}])[+-](?=[\w\\({])|(?<![\w.{])\d{1,3}(?![\w.,]\d?)|(?<=\^)\d"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Negative:
    """A text that asks something else than its base."""

    base_id: str
    kind: Kind
    text: str


def make_negatives(problems: Iterable[Problem], *, suite: str, seed: int) -> tuple[Negative, ...]:
    """Change the requirement of each problem once.

    Each problem's edits are tried in an order drawn for it; where none fits, the negative is another problem's text.

    Args:
        problems: At least two problems, in any order.
        suite: Slug of the suite; part of every seed.
        seed: The study's seed.

    Raises:
        ValueError: fewer than two distinct problem texts, so that there is no other base to fall back on.

    Source: methods §6.
    """
    donors = sorted(problems, key=lambda problem: problem.base_id)
    if len({text_hash(problem.text) for problem in donors}) < 2:
        raise ValueError(
            "make_negatives: fewer than two distinct problems; a negative needs another problem beside it."
        )
    by_category: dict[str, list[Problem]] = {}
    for problem in donors:
        by_category.setdefault(problem.category, []).append(problem)
    return tuple(
        _negative(problem, by_category[problem.category], donors, child_rng(seed, suite, problem.base_id, "negative"))
        for problem in donors
    )


def _negative(problem: Problem, alike: Sequence[Problem], all_: Sequence[Problem], rng: random.Random) -> Negative:
    kinds = list(EDITS)
    rng.shuffle(kinds)
    for kind in kinds:
        text = EDITS[kind](problem, alike, rng)
        if text is not None and _is_close(problem.text, text):
            return Negative(base_id=problem.base_id, kind=kind, text=text)
    own = text_hash(problem.text)
    others = [other for other in (rng.choice(all_) for _ in range(20)) if text_hash(other.text) != own]
    other = others[0] if others else next(other for other in all_ if text_hash(other.text) != own)
    return Negative(base_id=problem.base_id, kind="other_base", text=other.text)


def _is_close(base: str, text: str) -> bool:
    return text_hash(text) != text_hash(base) and abs(len(text) - len(base)) <= LENGTH_TOLERANCE * len(base)


def _change_number(problem: Problem, alike: Sequence[Problem], rng: random.Random) -> str | None:
    """Double a number or add to it: one that the gold solution uses, if that is known; never a year or an ordinal."""
    used = values(re.sub(r"[^\d.,]+", " ", problem.gold_solution or ""))
    formulas = maths_spans(problem.text) if problem.answer_type == "math" else ()
    found = [
        match
        for match in NUMBER.finditer(problem.text)
        if int(match[2].replace(",", "")) not in YEARS
        and not any(start <= match.start() < end for start, end in formulas)
        and (not problem.gold_solution or set(value_list(match[2])) & used)
    ]
    if not found:
        return None
    match = rng.choice(found)
    old = int(match[2].replace(",", ""))
    new = rng.choice((2 * old, old + rng.randint(1, 9))) or old + 1
    spelled = f"{new:,}" if "," in match[2] else str(new)
    return problem.text[: match.start(2)] + spelled + problem.text[match.end(2) :]


def _swap_comparison(problem: Problem, alike: Sequence[Problem], rng: random.Random) -> str | None:
    """Put a comparison word's opposite in its place."""
    found = list(COMPARISON.finditer(problem.text))
    if not found:
        return None
    match = rng.choice(found)
    return problem.text[: match.start()] + OPPOSITE[match.group()] + problem.text[match.end() :]


def _replace_question(problem: Problem, alike: Sequence[Problem], rng: random.Random) -> str | None:
    """Ask what another problem of the category asks."""
    sentences, asked = _parts(problem)
    if asked is None:
        return None
    for other in (rng.choice(alike) for _ in range(10)):
        theirs, index = _parts(other)
        if index is None or theirs[index].core == sentences[asked].core:
            continue
        text = _joined(sentences, asked, theirs[index].core)
        if _is_close(problem.text, text):
            return text
    return None


def _delete_setup(problem: Problem, alike: Sequence[Problem], rng: random.Random) -> str | None:
    """Leave out one setup sentence that states a quantity."""
    sentences, asked = _parts(problem)
    stated = [
        i for i, sentence in enumerate(sentences) if asked is not None and i < asked and value_list(sentence.core)
    ]
    if len(stated) < 2:
        return None
    gone = rng.choice(stated)
    return "".join(s.core + s.gap for index, s in enumerate(sentences) if index != gone)


def _change_formula(problem: Problem, alike: Sequence[Problem], rng: random.Random) -> str | None:
    """Change an operator, a coefficient or an exponent of a formula."""
    if problem.answer_type != "math":
        return None
    found = [
        (start + match.start(), match.group())
        for start, end in maths_spans(problem.text)
        if not problem.text.startswith("[asy]", start)
        for match in FORMULA_PART.finditer(problem.text[start:end])
    ]
    if not found:
        return None
    start, old = rng.choice(found)
    new = {"+": "-", "-": "+"}.get(old) or str(int(old) + rng.randint(1, 3))
    return problem.text[:start] + new + problem.text[start + len(old) :]


def _parts(problem: Problem) -> tuple[tuple[Sentence, ...], int | None]:
    """Return the sentences of a problem and the index of its first question."""
    sentences = sentences_of(problem.text, latex=problem.answer_type == "math")
    questions = question_indices([sentence.core for sentence in sentences])
    return sentences, questions[0] if questions else None


def _joined(sentences: Sequence[Sentence], index: int, core: str) -> str:
    return "".join((core if i == index else s.core) + s.gap for i, s in enumerate(sentences))


EDITS: Mapping[Kind, Callable[[Problem, Sequence[Problem], random.Random], str | None]] = {
    "number": _change_number,
    "comparison": _swap_comparison,
    "question": _replace_question,
    "deletion": _delete_setup,
    "formula": _change_formula,
}
