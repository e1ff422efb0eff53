"""The ARC lab over a folder of files: each step calls ``domain.arc_lab`` and writes down what it returns.

Both the command line and the graph use these steps; only ``llm.arc_source`` reaches a network.
"""

from __future__ import annotations

from glass_pipeline.llm.arc_lab.analyze import analyze_results, verify
from glass_pipeline.llm.arc_lab.evaluate import Chosen, answer, evaluate
from glass_pipeline.llm.arc_lab.folder import LabFolder
from glass_pipeline.llm.arc_lab.prepare import prepare
from glass_pipeline.llm.arc_lab.train import train

__all__ = ["Chosen", "LabFolder", "analyze_results", "answer", "evaluate", "prepare", "train", "verify"]
