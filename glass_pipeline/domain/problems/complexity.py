"""Holds declared complexity C: gold steps, the author's level, or the text heuristic, and its common scale.

Never looks at a label: C is known before any model has answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from glass_pipeline.domain.problems.item import SourceError, SourceItem

Complexity = Literal["gold_steps", "level", "heuristic"]
ComplexityLabel = Literal["easy", "medium", "hard"]

LOWEST, HIGHEST = 0.05, 0.95
SPAN = HIGHEST - LOWEST
STEPS_AT_TOP = 8
LEVELS = 5
MEDIUM_FROM, HARD_FROM = 0.35, 0.65

KEYWORDS = frozenset((
    "after", "altogether", "average", "before", "both", "combined", "difference", "double", "each",
    "equal", "equally", "every", "fewer", "half", "if", "left", "less", "more", "most", "per", "percent",
    "product", "quarter", "ratio", "remaining", "rest", "same", "sum", "than", "then", "third", "times",
    "total", "triple", "twice", "until", "when", "while",
))  # fmt: skip
NUMERAL = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+")
WORD = re.compile(r"[a-z]+")
SENTENCE_END = re.compile(r"[.!?]+(?=[\"'”’)]?(?:\s|$))")


class DeclaredComplexity(NamedTuple):
    """C on its own scale, and on the common one."""

    value: float
    """Gold steps, level, or the heuristic score."""
    score: float
    """C mapped to [0.05, 0.95], never decreasing in C."""


def declare_complexity(item: SourceItem, complexity: Complexity) -> DeclaredComplexity:
    """Return C of one item.

    Raises:
        SourceError: the item has no gold steps, or no level, where that is what the suite declares.

    Source: methods §1.8.
    """
    return DECLARATIONS[complexity](item)


def heuristic_score(text: str) -> float:
    """Score a text by its numbers, keywords and sentences.

    0.05 + 0.9·clip(0.45·min(numbers/10, 1) + 0.30·min(keywords/8, 1) + 0.25·min(sentences/8, 1)).

    This is length in disguise (methods §1.8): prefer gold steps or a level where the source has them.

    Source: methods §1.8; the keyword list is ours, since none is published.
    """
    numbers = len(NUMERAL.findall(text))
    keywords = sum(1 for word in WORD.findall(text.lower()) if word in KEYWORDS)
    sentences = max(1, len(SENTENCE_END.findall(text)))
    share = 0.45 * min(numbers / 10, 1) + 0.30 * min(keywords / 8, 1) + 0.25 * min(sentences / 8, 1)
    return LOWEST + SPAN * share


def complexity_label(score: float) -> ComplexityLabel:
    """Name a complexity score: easy below 0.35, hard from 0.65, else medium.

    Raises:
        ValueError: the score is outside [0.05, 0.95].
    """
    # Half a rounding error of slack: the ends are themselves sums of floats.
    if not LOWEST - 1e-9 <= score <= HIGHEST + 1e-9:
        raise ValueError(f"complexity score {score!r} is outside [{LOWEST}, {HIGHEST}]; pass complexity_score, not C.")
    if score < MEDIUM_FROM:
        return "easy"
    return "medium" if score < HARD_FROM else "hard"


def _by_gold_steps(item: SourceItem) -> DeclaredComplexity:
    if item.gold_steps is None:
        raise _undeclared("gold_steps", "number of gold steps")
    return DeclaredComplexity(float(item.gold_steps), _position(item.gold_steps, STEPS_AT_TOP))


def _by_level(item: SourceItem) -> DeclaredComplexity:
    if item.level is None:
        raise _undeclared("level", "level")
    return DeclaredComplexity(float(item.level), _position(item.level, LEVELS))


def _by_heuristic(item: SourceItem) -> DeclaredComplexity:
    score = heuristic_score(item.text)
    return DeclaredComplexity(score, score)


def _position(rank: int, top: int) -> float:
    # Rank 1 is 0.05 and rank `top` is 0.95, linearly; what lies beyond stays at the ends.
    return LOWEST + SPAN * (min(max(rank, 1), top) - 1) / (top - 1)


def _undeclared(complexity: Complexity, noun: str) -> SourceError:
    return SourceError(
        f'the suite declares complexity = "{complexity}" but the item has no {noun}; set complexity = '
        '"heuristic" in glass.toml or add the field'
    )


DECLARATIONS: Mapping[Complexity, Callable[[SourceItem], DeclaredComplexity]] = {
    "gold_steps": _by_gold_steps,
    "level": _by_level,
    "heuristic": _by_heuristic,
}
