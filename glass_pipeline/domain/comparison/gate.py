"""Holds the gate language: a name, an operator and a number, e.g. 'delta_high < 0.02'.

Never evaluates text: what is not in the two tables below is an error.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from glass_pipeline.domain.comparison.results import ComparisonError

OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
LONGEST = 100
GRAMMAR = re.compile(r"\s*([a-z_]+)\s*(<=|>=|<|>)\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*")


class Gate(NamedTuple):
    """A condition on one figure of a comparison."""

    name: str
    operator: str
    number: float

    def __str__(self) -> str:
        """Return the gate as it is written."""
        return f"{self.name} {self.operator} {self.number:g}"


def parse_gate(text: str) -> Gate:
    """Read a gate.

    Raises:
        ComparisonError: the text is not name, operator, number.
    """
    found = GRAMMAR.fullmatch(text) if len(text) <= LONGEST else None
    number = float(found[3]) if found else math.nan
    if found is None or not math.isfinite(number):
        raise ComparisonError(
            f"Gate {text[:LONGEST]!r}: write a name, one of {' '.join(OPERATORS)} and a number, e.g. "
            "'delta_high < 0.02'."
        )
    return Gate(found[1], found[2], number)


def holds(gate: Gate, figures: Mapping[str, float | None]) -> bool:
    """Say whether a gate holds; a figure without a value holds no gate.

    Args:
        gate: The condition.
        figures: Values by name.

    Raises:
        ComparisonError: no figure has that name.
    """
    if gate.name not in figures:
        raise ComparisonError(f"Gate '{gate}': no figure {gate.name!r}; there are {', '.join(sorted(figures))}.")
    value = figures[gate.name]
    return value is not None and OPERATORS[gate.operator](value, gate.number)
