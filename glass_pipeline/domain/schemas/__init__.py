"""Holds the declared schema of every table of the warehouse, a module a theme.

Never reads or writes a table, and never computes a column; what a table is, ``table`` says.
"""

from __future__ import annotations

from collections.abc import Mapping

from glass_pipeline.domain.schemas.corpus import (
    BASE_PROBLEMS,
    DECLINES,
    DISTRACTORS,
    LABELED_PAIRS,
    MULTIOP_MIX,
    NOOP_AUDIT,
    REAUDIT,
    TWINS,
)
from glass_pipeline.domain.schemas.estimates import (
    BUDGET_TARGETS,
    CAUSAL_DIFFICULTY,
    IDENTITY_FLOOR,
    ORTHOGONALITY,
    RELIABILITY,
    SLICES,
    SOLVER_AGREEMENT,
)
from glass_pipeline.domain.schemas.labels import BASE_LABELS, BASE_PROBES, SOLVER_LABELS
from glass_pipeline.domain.schemas.predictors import (
    PREDICTIONS,
    PREDICTOR_SCORES,
    PREDICTOR_VERDICTS,
    SOLVER_TRANSFER,
    SPLITS,
)
from glass_pipeline.domain.schemas.report import OVERVIEW, REPORT
from glass_pipeline.domain.table import Table

__all__ = [
    "BASE_LABELS",
    "BASE_PROBES",
    "BASE_PROBLEMS",
    "BUDGET_TARGETS",
    "CAUSAL_DIFFICULTY",
    "DECLINES",
    "DISTRACTORS",
    "IDENTITY_FLOOR",
    "LABELED_PAIRS",
    "MULTIOP_MIX",
    "NOOP_AUDIT",
    "ORTHOGONALITY",
    "OVERVIEW",
    "PREDICTIONS",
    "PREDICTOR_SCORES",
    "PREDICTOR_VERDICTS",
    "REAUDIT",
    "RELIABILITY",
    "REPORT",
    "SLICES",
    "SOLVER_AGREEMENT",
    "SOLVER_LABELS",
    "SOLVER_TRANSFER",
    "SPLITS",
    "TABLES",
    "TWINS",
]

TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        BASE_PROBLEMS,
        DISTRACTORS,
        TWINS,
        DECLINES,
        NOOP_AUDIT,
        REAUDIT,
        MULTIOP_MIX,
        BASE_LABELS,
        SOLVER_LABELS,
        BASE_PROBES,
        LABELED_PAIRS,
        CAUSAL_DIFFICULTY,
        BUDGET_TARGETS,
        ORTHOGONALITY,
        IDENTITY_FLOOR,
        RELIABILITY,
        SLICES,
        SOLVER_AGREEMENT,
        SPLITS,
        PREDICTIONS,
        PREDICTOR_SCORES,
        PREDICTOR_VERDICTS,
        SOLVER_TRANSFER,
        REPORT,
        OVERVIEW,
    )
}
