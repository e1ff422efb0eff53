"""Holds the choice of a problem's outline: how many parts and extras make the wanted number of steps.

Never writes a sentence.
"""

from __future__ import annotations

import random
from typing import NamedTuple


class Outline(NamedTuple):
    """Parts that are each one step and then added up, and further steps on their sum."""

    parts: int
    extras: int


def draw_outline(rng: random.Random, steps: int, *, most_parts: int, most_extras: int) -> Outline:
    """Draw parts p and extras e with p + [p > 1] + e = steps.

    Two or more parts cost one more step, which adds them up.
    """
    outlines = [
        Outline(parts, extras)
        for parts in range(1, most_parts + 1)
        for extras in range(most_extras + 1)
        if parts + (parts > 1) + extras == steps
    ]
    return rng.choice(outlines)


def draw_divisor(rng: random.Random, value: int, low: int, high: int) -> int | None:
    """Draw a divisor of a value from low to high that leaves at least 2; None if there is none."""
    divisors = [divisor for divisor in range(low, high + 1) if value % divisor == 0 and value // divisor > 1]
    return rng.choice(divisors) if divisors else None


def draw_removal(rng: random.Random, value: int, divisor: int, most: int) -> int:
    """Draw how much to take from a value so that what is left divides evenly and is not nothing.

    Args:
        rng: The problem's own generator.
        value: What there is, at least twice the divisor.
        divisor: What the rest must be a multiple of.
        most: Take no more than this, unless the divisor leaves no smaller choice.
    """
    choices = [amount for amount in range(1, value - divisor + 1) if (value - amount) % divisor == 0]
    small = [amount for amount in choices if amount <= most]
    return rng.choice(small) if small else choices[0]
