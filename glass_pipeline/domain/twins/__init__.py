"""Holds the stage ``twins``: deterministic operators that reword a problem without changing what it asks.

Each operator declines where it cannot be sure. Never asks a model, and never judges a twin (see ``audit``).
"""

from glass_pipeline.domain.twins.batch import TwinBatch, make_twins
from glass_pipeline.domain.twins.distractors import DistractorIndex, harvest
from glass_pipeline.domain.twins.registry import OPERATORS, undo
from glass_pipeline.domain.twins.segmentation import split_sentences
from glass_pipeline.domain.twins.spans import MisfitError

__all__ = [
    "OPERATORS",
    "DistractorIndex",
    "MisfitError",
    "TwinBatch",
    "harvest",
    "make_twins",
    "split_sentences",
    "undo",
]
