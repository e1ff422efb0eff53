"""Holds the predictors of fragility before a twin is solved: features, Frail-pi, every baseline, and their scores.

Never decides which method is better (see ``comparison``); importing it does not import torch.
"""

from __future__ import annotations

from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, job_set, jobs_of_texts

__all__ = ["JobSet", "PredictorError", "job_set", "jobs_of_texts"]
