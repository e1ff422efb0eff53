"""Holds the stage ``arc_lab``: does fine-tuning make a model better at a multiple-choice exam, or was it the seed?

Never reads a file and never reaches a network: models and items are handed in (see ``llm.arc_lab``).
"""

from __future__ import annotations

from glass_pipeline.domain.arc_lab.analysis import IdenticalDeltas, LabAnalysis, analyze, infer_seeds
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import ChoiceItem, parse_items
from glass_pipeline.domain.arc_lab.predicting import Prediction, predict
from glass_pipeline.domain.arc_lab.protocol import LabConfig
from glass_pipeline.domain.arc_lab.report import report_fields, report_page
from glass_pipeline.domain.arc_lab.training import train_adapter

__all__ = [
    "ChoiceItem",
    "IdenticalDeltas",
    "LabAnalysis",
    "LabConfig",
    "LabError",
    "Prediction",
    "analyze",
    "infer_seeds",
    "parse_items",
    "predict",
    "report_fields",
    "report_page",
    "train_adapter",
]
