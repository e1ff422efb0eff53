"""Holds which pairs of MATH answers a computer algebra system may be asked about, and what it may say.

Never asks it: a system that runs on model text lives in a process that can be killed (``llm.math_pool``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from glass_pipeline.domain.grading.equality import Equality, equal
from glass_pipeline.domain.grading.extraction import Extraction
from glass_pipeline.domain.grading.latex import normal_form
from glass_pipeline.domain.grading.policy import DEFAULT_POLICY, GradingPolicy

_MAX_LENGTH = 200
_MAX_DEPTH = 20
_COMMAND = re.compile(r"\\([a-zA-Z]+)")
_KNOWN_COMMAND = re.compile(
    "frac|sqrt|pi|cdot|times|pm|infty|cup|cap|leq|geq|neq|in|sin|cos|tan|cot|sec|csc|log|ln|exp|theta|alpha|beta"
    "|begin|end|overline"
)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{[pbv]?matrix\}")
_WORD = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{4,}")
_LARGE_POWER = re.compile(r"(?<![a-zA-Z])\^\{?-?\d{2,}|\^\{?-?\d{3,}|\^\{[^{}]*\^|\^[^{]\^")
_LONG_NUMBER = re.compile(r"\d{20,}")
# "32,349" in normal form is the list 32, 349; the system would read one number.
_GROUPED_LIST = re.compile(r"\d,\d{3}(?!\d)")
_FORBIDDEN = re.compile(r"!|;|:|__|[\"'`#&@?]")


@dataclass(frozen=True, slots=True, order=True)
class MathPair:
    """One question to a computer algebra system, both sides in normal form."""

    gold: str
    answer: str


@dataclass(frozen=True, slots=True)
class MathVerdict:
    """What came back for one pair."""

    accepted: bool
    how: Literal["math_verify", "different", "timeout", "error"]
    """``math_verify`` tags every accept; a timeout or an error never accepts."""


SecondOpinion = Callable[[Sequence[MathPair]], Sequence[MathVerdict]]


def math_pair(span: str | None, gold: str, *, policy: GradingPolicy = DEFAULT_POLICY) -> MathPair | None:
    """Return the pair to ask about, or None where there is nothing to ask.

    Nothing is asked where the own comparison has accepted, the policy has switched the system off, or a side is not
    plain mathematics of moderate size: factorials, dots, ratios, words, towers of powers, deep nests and long
    numbers are what such a system answers wrongly or not at all.

    Args:
        span: The answer as the reply has it: the canonical form has lost the left side of ``y = 2x``.
        gold: The gold answer.
        policy: What counts as the same answer.
    """
    if span is None or not policy.computer_algebra:
        return None
    if equal(span, gold, answer_type="math", policy=policy).equal:
        return None
    pair = MathPair(gold=normal_form(gold), answer=normal_form(span))
    return pair if _is_plain(pair.gold) and _is_plain(pair.answer) and not _are_constants(pair) else None


def pair_of(found: Extraction, gold: str, *, policy: GradingPolicy = DEFAULT_POLICY) -> MathPair | None:
    """Return the pair to ask about for the answer of a reply (see ``math_pair``)."""
    if found.answer is None:
        return None
    # The span of a last number is a whole line of prose.
    span = found.answer if found.rule == "last_number" else found.span
    return math_pair(span, gold, policy=policy)


def settle(verdict: MathVerdict) -> Equality:
    """Return the verdict of the second opinion as an equality."""
    return Equality(equal=verdict.accepted, how=verdict.how)


def _is_plain(form: str) -> bool:
    if not form or len(form) > _MAX_LENGTH or _depth(form) > _MAX_DEPTH:
        return False
    if "\\begin" in form:
        form = _ENVIRONMENT.sub("", form.replace("\\\\", ",").replace("&", ","))
    if any(trap.search(form) for trap in (_FORBIDDEN, _LARGE_POWER, _LONG_NUMBER, _GROUPED_LIST)):
        return False
    return all(map(_KNOWN_COMMAND.fullmatch, _COMMAND.findall(form))) and not _WORD.search(form)


def _are_constants(pair: MathPair) -> bool:
    """Whether both sides are plain rationals, which the own comparison has already told apart exactly."""
    return all(re.fullmatch(r"[-+\d.]*(?:\\frac\{-?\d+\}\{\d+\})?", form) for form in (pair.gold, pair.answer))


def _depth(form: str) -> int:
    depth = deepest = 0
    for character in form:
        depth += (character in "([{") - (character in ")]}")
        deepest = max(deepest, depth)
    return deepest
