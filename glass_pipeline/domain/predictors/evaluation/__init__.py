"""Holds how predictors are scored: metrics of one test fold, curation, and the evaluation over seeds.

Never says that one method beats another (see ``comparison.predictors``).
"""

from __future__ import annotations

from glass_pipeline.domain.predictors.evaluation.evaluate import Evaluation, evaluate, summarise

__all__ = ["Evaluation", "evaluate", "summarise"]
