"""Holds glass.toml as frozen records: suites, doses, solvers, one module a table.

Never talks to a network, and knows nothing of Dagster.
"""

from glass_pipeline.study.arc_lab import ArcLab
from glass_pipeline.study.declared import DERIVED, Study, StudyError, derived_slug, dose_key, fold_source, known_suites
from glass_pipeline.study.every_suite import PRESETS, Common
from glass_pipeline.study.predictor import PREDICTOR_KEYS, Predictor, PredictorKind
from glass_pipeline.study.reading import Settings, load_study, parse_study, settings_from
from glass_pipeline.study.solver import Solver
from glass_pipeline.study.suite import RULES, Suite

__all__ = [
    "DERIVED",
    "PREDICTOR_KEYS",
    "PRESETS",
    "RULES",
    "ArcLab",
    "Common",
    "Predictor",
    "PredictorKind",
    "Settings",
    "Solver",
    "Study",
    "StudyError",
    "Suite",
    "derived_slug",
    "dose_key",
    "fold_source",
    "known_suites",
    "load_study",
    "parse_study",
    "settings_from",
]
