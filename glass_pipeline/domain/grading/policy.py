"""Holds the questions of grading that have no right answer, each with the answer taken.

Never decides anything by itself: the modules that read and compare answers ask the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class GradingPolicy:
    """What counts as the same answer; goes into the manifest of a run as it is.

    Not a matter of policy, and so not here: numbers are compared as exact rationals, and a rounded decimal is not
    the fraction it comes from.
    """

    percent: Literal["face_value", "fraction"] = "face_value"
    """``60%`` is 60 or 0.6 (numeric answers; MATH always takes the face value)."""
    ratio: Literal["ambiguous", "quotient"] = "ambiguous"
    """``2:1`` is no number, or 2."""
    clock: Literal["whole_hour", "ambiguous"] = "whole_hour"
    """``2:00 pm`` is 2, or no number; ``2:30`` is never a number."""
    approximation: Literal["ambiguous", "value"] = "ambiguous"
    """``~42`` is no value, or 42; the words "about" and "approximately" never stand in the way of a value."""
    scale_words: bool = True
    """``1.5 million`` is 1500000 and ``70k`` is 70000; False: ambiguous."""
    number_words: bool = True
    """``three`` is 3 where the span has no digit; False: no number."""
    ordinals: bool = True
    """``3rd`` is 3; False: ambiguous."""
    indian_grouping: bool = True
    """``2,50,000`` is 250000; False: ambiguous."""
    float_artefacts: Literal["snapped", "kept"] = "snapped"
    """A decimal of 15 or more significant digits within 1e-12 (relative) of a short one is the short one."""
    list_order: Literal["free", "kept"] = "free"
    """MATH: bare comma lists and sets; the order inside brackets is always kept."""
    base_subscript: Literal["required", "optional"] = "required"
    """MATH: whether ``204`` may stand for ``204_5``."""
    word_case: Literal["ignored", "kept"] = "ignored"
    """MATH: ``evelyn`` for ``Evelyn``; single letters always keep their case."""
    computer_algebra: bool = True
    """MATH: whether a second opinion may accept what the normal forms do not."""


DEFAULT_POLICY = GradingPolicy()
