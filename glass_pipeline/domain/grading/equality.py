"""Holds whether two answers are the same answer, and which comparison said so.

Never extracts, and never asks a computer algebra system (see ``second_opinion``).
"""

from __future__ import annotations

from typing import NamedTuple

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.grading.canonical import canonical
from glass_pipeline.domain.grading.numeric import AMBIGUOUS
from glass_pipeline.domain.grading.policy import DEFAULT_POLICY, GradingPolicy
from glass_pipeline.domain.grading.rationals import parse_rendered
from glass_pipeline.domain.records import AnswerType


class Equality(NamedTuple):
    """A verdict and the comparison that gave it."""

    equal: bool
    how: str
    """``numeric``, ``normal_form``, ``label``, ``exact``, ``math_verify``, or ``different``."""


DIFFERENT = Equality(equal=False, how="different")
_HOW = {"numeric": "numeric", "choice": "label", "exact": "exact"}


class GoldError(BadInput):
    """A gold answer that cannot be read as the suite's answer type."""


def equal(
    answer: str | None,
    gold: str,
    *,
    answer_type: AnswerType,
    policy: GradingPolicy = DEFAULT_POLICY,
) -> Equality:
    """Return whether an answer is the gold answer.

    Numbers are equal as exact rationals, also as a MATH answer or inside one; other MATH answers are equal in normal
    form, labels and texts in canonical form. No answer, or an empty one, equals nothing.

    Args:
        answer: An answer span or a canonical answer; None for no answer.
        gold: The gold answer as the source writes it, or canonical.
        answer_type: How the suite's answers are read.
        policy: What counts as the same answer.

    Raises:
        GoldError: the gold answer has no canonical form.
    """
    if answer is None:
        return DIFFERENT
    stated = canonical(answer, answer_type=answer_type, policy=policy)
    wanted = canonical_gold(gold, answer_type=answer_type, policy=policy)
    if stated is None or stated is AMBIGUOUS:
        return DIFFERENT
    if stated == wanted:
        return Equality(equal=True, how=_HOW.get(answer_type) or _how_math(stated))
    if answer_type == "math" and policy.base_subscript == "optional" and _differ_by_base(stated, wanted):
        return Equality(equal=True, how="normal_form")
    return DIFFERENT


def canonical_gold(gold: str, *, answer_type: AnswerType, policy: GradingPolicy = DEFAULT_POLICY) -> str:
    r"""Return the canonical form of a gold answer.

    Raises:
        GoldError: it has none; an empty MATH gold (``\text{}``) is an empty text, which equals nothing.
    """
    wanted = canonical(gold, answer_type=answer_type, policy=policy)
    if wanted is None and answer_type == "math":
        return ""
    if wanted is None or wanted is AMBIGUOUS:
        raise GoldError(
            f"The gold answer {gold[:80]!r} is no single {answer_type} answer; correct it or its answer type."
        )
    return wanted


def _how_math(form: str) -> str:
    return "normal_form" if parse_rendered(form) is None else "numeric"


def _differ_by_base(stated: str, wanted: str) -> bool:
    number, _, base = stated.partition("_")
    other, _, other_base = wanted.partition("_")
    return number == other and not (base and other_base)
