"""Holds the stage ``comparison``: whether a difference between two systems, or two predictors, is real.

Never trains, solves or grades, and never reads a file itself (``reading`` works on bytes).
"""

from __future__ import annotations

from glass_pipeline.domain.comparison.break_rates import BreakRates, compare_break_rates
from glass_pipeline.domain.comparison.compare import ComparisonConfig, PairedComparison, compare
from glass_pipeline.domain.comparison.figures import figures
from glass_pipeline.domain.comparison.multiplicity import compare_many
from glass_pipeline.domain.comparison.predictor_folds import seed_folds
from glass_pipeline.domain.comparison.predictors import PredictorComparison, SeedFold, judge_predictors
from glass_pipeline.domain.comparison.results import ComparisonError, Results

__all__ = [
    "BreakRates",
    "ComparisonConfig",
    "ComparisonError",
    "PairedComparison",
    "PredictorComparison",
    "Results",
    "SeedFold",
    "compare",
    "compare_break_rates",
    "compare_many",
    "figures",
    "judge_predictors",
    "seed_folds",
]
