"""The gate language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.comparison.gate import Gate, holds, parse_gate
from glass_pipeline.domain.comparison.results import ComparisonError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("delta_pi < 0.02", Gate("delta_pi", "<", 0.02)),
        ("  delta>=-.5e-1 ", Gate("delta", ">=", -0.05)),
        ("p_value<=1", Gate("p_value", "<=", 1.0)),
        ("won > +3.", Gate("won", ">", 3.0)),
    ],
)
def test_a_gate_is_name_operator_number(text: str, expected: Gate) -> None:
    """Spaces do not matter."""
    assert parse_gate(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "delta",
        "delta 0.02",
        "delta < ",
        "delta == 0",
        "delta < 0.02 or 1",
        "delta < nan",
        "delta < 1e999",
        "__import__('os') < 1",
        "delta < 0.02; x",
        "delta < " + "9" * 200,
        "Delta < 1",
    ],
)
def test_everything_else_is_refused(text: str) -> None:
    """Nothing is evaluated."""
    with pytest.raises(ComparisonError, match=r"^Gate .*: write a name, one of < <= > >= and a number"):
        parse_gate(text)


@given(st.text(max_size=40))
def test_any_text_is_a_gate_or_an_error(text: str) -> None:
    """No text raises anything else, and what is read is written back as the same gate."""
    try:
        gate = parse_gate(text)
    except ComparisonError:
        return
    assert gate.operator in ("<", "<=", ">", ">=")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("delta < 0.02", False), ("delta <= 0.02", True), ("delta > 0.01", True), ("delta >= 0.03", False)],
)
def test_operators_mean_what_they_say(text: str, expected: bool) -> None:
    """Against a difference of .02."""
    assert holds(parse_gate(text), {"delta": 0.02}) is expected


def test_a_figure_without_a_value_holds_no_gate() -> None:
    """What cannot be calculated cannot pass."""
    assert not holds(parse_gate("delta_low > -1"), {"delta_low": None})


def test_an_unknown_figure_is_named() -> None:
    """With those that exist."""
    with pytest.raises(ComparisonError, match="no figure 'delat'; there are delta, p_value"):
        holds(parse_gate("delat < 1"), {"p_value": 1.0, "delta": 0.0})
