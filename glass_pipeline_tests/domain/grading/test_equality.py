"""Equality: which comparison says that two answers are one."""

from __future__ import annotations

from typing import get_args

import pytest

from glass_pipeline.domain.grading.equality import Equality, GoldError, canonical_gold, equal
from glass_pipeline.domain.grading.policy import GradingPolicy
from glass_pipeline.domain.records import AnswerType


@pytest.mark.parametrize(
    ("answer", "gold", "answer_type", "how"),
    [
        ("$1,300.00", "1300", "numeric", "numeric"),
        ("1300", "1,300", "numeric", "numeric"),
        ("0", "0", "numeric", "numeric"),
        ("2 \\sqrt3", "2\\sqrt{3}", "math", "normal_form"),
        ("0.5", "\\frac{1}{2}", "math", "numeric"),
        ("(b)", "B", "choice", "label"),
        ("Lisbon", "lisbon.", "exact", "exact"),
    ],
)
def test_equal_answers_say_how(answer: str, gold: str, answer_type: AnswerType, how: str) -> None:
    """Each answer type has its own comparison, which is named."""
    assert equal(answer, gold, answer_type=answer_type) == Equality(equal=True, how=how)


@pytest.mark.parametrize(
    ("answer", "gold", "answer_type"),
    [
        ("25", "5", "numeric"),
        ("-18", "18", "numeric"),
        ("0.333333", "1/3", "numeric"),
        ("5 or 6", "5", "numeric"),
        (None, "0", "numeric"),
        ("", "0", "numeric"),
        ("", "\\text{}", "math"),
        ("204", "204_5", "math"),
        ("A", "B", "choice"),
        ("", "x", "exact"),
    ],
)
def test_different_answers_are_different(answer: str | None, gold: str, answer_type: AnswerType) -> None:
    """Parts of numbers, rounded fractions, ambiguous and empty answers equal nothing."""
    assert equal(answer, gold, answer_type=answer_type) == Equality(equal=False, how="different")


def test_a_base_may_be_dropped_only_by_policy() -> None:
    """With an optional subscript 204 stands for 204_5, and 204_6 still does not."""
    policy = GradingPolicy(base_subscript="optional")
    assert equal("204", "204_5", answer_type="math", policy=policy).equal
    assert equal("204_5", "204", answer_type="math", policy=policy).equal
    assert not equal("204_6", "204_5", answer_type="math", policy=policy).equal


@pytest.mark.parametrize(("gold", "answer_type"), [("many", "numeric"), ("5 or 6", "numeric"), ("both", "choice")])
def test_an_unreadable_gold_is_an_error(gold: str, answer_type: AnswerType) -> None:
    """A gold answer that nothing could equal is reported, not graded."""
    with pytest.raises(GoldError, match=gold):
        canonical_gold(gold, answer_type=answer_type)


def test_every_answer_type_can_be_compared() -> None:
    """No answer type of the records is without a comparison."""
    for answer_type in get_args(AnswerType):
        assert equal("B", "B", answer_type="choice" if answer_type == "numeric" else answer_type).equal
