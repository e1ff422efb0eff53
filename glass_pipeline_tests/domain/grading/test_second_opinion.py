"""Which pairs of answers a computer algebra system may see."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.grading.policy import GradingPolicy
from glass_pipeline.domain.grading.second_opinion import MathPair, math_pair


@pytest.mark.parametrize(
    ("span", "gold"),
    [
        ("(x+1)^2", "x^2+2x+1"),
        ("5 \\geq x", "x \\leq 5"),
        ("y = 2x", "2x - y = 0"),
        ("x^{12} + 1", "1 + x^{12}"),
        ("\\begin{pmatrix}1\\\\1+1\\end{pmatrix}", "\\begin{pmatrix}1\\\\2\\end{pmatrix}"),
        ("\\sqrt{8}", "2\\sqrt{2}"),
    ],
)
def test_plain_mathematics_is_asked(span: str, gold: str) -> None:
    """What needs algebra goes to the system, both sides in normal form."""
    assert math_pair(span, gold) is not None


@pytest.mark.parametrize(
    ("span", "gold"),
    [
        ("1/2", "0.5"),
        ("0.333333", "\\frac13"),
        ("\\frac{1}{2006!}", "\\frac{1}{2004!}"),
        ("1, 2, \\ldots, n", "1, 3, \\ldots, n"),
        ("\\frac{1}{2^{99}}", "\\frac{1}{2^{98}}"),
        ("9^{9^{9}}", "5"),
        ("9^9^9", "5"),
        ("\\sum_{k=1}^{9} k", "45"),
        ("__import__('os')", "5"),
        ("eval(x)", "x"),
        ("\\input{x}", "5"),
        ("(" * 60 + "x" + ")" * 60, "x"),
        ("x+" * 200 + "x", "x"),
        ("32, 349", "32349"),
        ("2:1", "2"),
        ("\\text{neither}", "x"),
        ("1" * 30 + "x", "x"),
        ("", "x"),
    ],
)
def test_what_such_a_system_gets_wrong_is_not_asked(span: str, gold: str) -> None:
    """Settled pairs, factorials, dots, towers, words, code, deep nests and long texts never leave."""
    assert math_pair(span, gold) is None


def test_no_answer_and_no_algebra_ask_nothing() -> None:
    """None has no pair, and a policy can switch the system off."""
    assert math_pair(None, "x") is None
    assert math_pair("(x+1)^2", "x^2+2x+1", policy=GradingPolicy(computer_algebra=False)) is None


def test_a_pair_is_in_normal_form() -> None:
    """The system sees LaTeX without layout, and the left side that the canonical form drops."""
    assert math_pair("$y = \\dfrac12 x$", "x=2y") == MathPair(gold="x=2y", answer="y=\\frac{1}{2}x")
