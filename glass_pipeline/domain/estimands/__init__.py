"""Holds what is estimated about a job and a solver, one estimand a file.

Never holds how reliable an estimand is (see ``reliability``) or how to predict it (see ``predictors``).
"""

from __future__ import annotations

from glass_pipeline.domain.estimands.causal_difficulty import causal_difficulty
from glass_pipeline.domain.estimands.study_summary import Measure, StudySummary, summary

__all__ = ["Measure", "StudySummary", "causal_difficulty", "summary"]
