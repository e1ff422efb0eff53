"""Holds the way from a reply to Y: extraction, equality, the vote, and the label of an item.

Never asks a solver, starts no process and evaluates no text: what a model wrote is hostile input.
"""

from glass_pipeline.domain.grading.curtailment import can_stop, expected_draws
from glass_pipeline.domain.grading.equality import Equality, GoldError, canonical_gold, equal
from glass_pipeline.domain.grading.extraction import Extraction, extract
from glass_pipeline.domain.grading.labels import Label, Marking, Sample, label
from glass_pipeline.domain.grading.policy import GradingPolicy
from glass_pipeline.domain.grading.rows import RowError, grade_rows
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict, SecondOpinion
from glass_pipeline.domain.grading.voting import VotingRule, modal

__all__ = [
    "Equality",
    "Extraction",
    "GoldError",
    "GradingPolicy",
    "Label",
    "Marking",
    "MathPair",
    "MathVerdict",
    "RowError",
    "Sample",
    "SecondOpinion",
    "VotingRule",
    "can_stop",
    "canonical_gold",
    "equal",
    "expected_draws",
    "extract",
    "grade_rows",
    "label",
    "modal",
]
