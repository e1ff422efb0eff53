"""Holds the declared schemas of what solvers answered and how it was marked.

Never reads or writes a table, and never computes a column.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.schemas.columns import (
    BASE_ID,
    DOSE,
    FAMILY,
    INJECT_SIZE,
    SAMPLE_COLUMNS,
    SOLVER,
    TEXT_HASH,
    TWIN_ID,
)
from glass_pipeline.domain.table import Column, Table

BASE_LABELS = Table(
    "base_labels",
    ("base_id",),
    (
        DOSE,
        SOLVER,
        BASE_ID,
        Column("run_id", pl.String(), "name of the dose run: draw of the samples"),
        Column("y_base", pl.Int64(), "1 if the modal answer is right"),
        *SAMPLE_COLUMNS,
    ),
)

SOLVER_LABELS = Table(
    "solver_labels",
    ("base_id", "twin_id"),
    (
        DOSE,
        SOLVER,
        BASE_ID,
        TWIN_ID,
        TEXT_HASH,
        FAMILY,
        INJECT_SIZE,
        Column("y_twin", pl.Int64(), "1 if the modal answer is right"),
        *SAMPLE_COLUMNS,
    ),
)

BASE_PROBES = Table(
    "base_probes",
    ("base_id",),
    (SOLVER, BASE_ID, Column("y_base", pl.Int64(), "1 if the modal answer is right"), *SAMPLE_COLUMNS),
)
