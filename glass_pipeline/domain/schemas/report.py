"""Holds the declared schemas of the figures behind the report.

Never reads or writes a table, and never computes a column.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.schemas.columns import SOLVER
from glass_pipeline.domain.table import Column, Table

FIGURE = (
    SOLVER,
    Column("figure", pl.String(), "name of the figure on the first screen"),
    Column("value", pl.Float64(), "its value; null where it cannot be had", nullable=True),
    Column("low", pl.Float64(), "lower end of its 95 % interval", nullable=True),
    Column("high", pl.Float64(), "upper end of its 95 % interval", nullable=True),
    Column("n", pl.Int64(), "items, pairs or completions behind it; doses asked for", nullable=True),
    Column("note", pl.String(), "unit, or why there is no value; of doses, which are missing"),
)

REPORT = Table("report", ("solver", "figure"), FIGURE)

OVERVIEW = Table(
    "overview",
    ("suite", "solver", "figure"),
    (
        Column("suite", pl.String(), "slug of the suite"),
        Column("is_simulated", pl.Boolean(), "the solver's labels are a simulation"),
        *FIGURE,
    ),
)
