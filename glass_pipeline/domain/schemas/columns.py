"""Holds the columns that several tables share.

Never reads or writes a table, and never computes a column.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.table import Column

TEXTS = pl.List(pl.String())
DOSE = Column("dose", pl.Int64(), "m of the corpus file")
SOLVER = Column("solver", pl.String(), "slug of the solver")
BASE_ID = Column("base_id", pl.String(), "the job: id of the base problem")
TWIN_ID = Column("twin_id", pl.String(), "id of the twin")
FAMILY = Column("family", pl.String(), "operator family")
INJECT_SIZE = Column("inject_size", pl.Int64(), "sentences spliced in; null for surface twins", nullable=True)
OPERATOR = Column("operator", pl.String(), "family, with _m<inject_size> for injections")
TEXT_HASH = Column("text_hash", pl.String(), "sha256 of the NFC, white-space-collapsed text")

SAMPLE_COLUMNS = (
    Column("modal_answer", pl.String(), "modal canonical answer of the samples", nullable=True),
    Column("how", pl.String(), "comparison that decided Y", nullable=True),
    Column("n_samples", pl.Int64(), "samples with an answer or a terminal status"),
    Column("n_correct", pl.Int64(), "samples whose answer is right"),
    Column("answers", TEXTS, "canonical answer of each sample, null where there is none"),
    Column("correct", pl.List(pl.Boolean()), "whether each sample's own answer is right", nullable=True),
    Column("rules", TEXTS, "extraction rule that found each answer"),
    Column("statuses", TEXTS, "status of each sample"),
    Column("outputs", TEXTS, "the solver's own words"),
    Column("prompt_tokens", pl.Int64(), "sum over samples; null if not reported", nullable=True),
    Column("completion_tokens", pl.Int64(), "sum over samples; null if not reported", nullable=True),
    Column("cost_usd", pl.Float64(), "sum over samples; null if a price is unknown", nullable=True),
)

CELL = (
    SOLVER,
    Column("slice", pl.String(), "pooled, or one dose (m1 … m9)"),
    Column("kind", pl.String(), "all, family, category, complexity or category_complexity"),
    Column("name", pl.String(), "which family, category or level"),
    Column("unit", pl.String(), "unique: distinct twin texts; pairs: rows, repeats included"),
    Column("n_jobs", pl.Int64(), "jobs with an observation"),
    Column("n_observations", pl.Int64(), "eligible observations"),
)
NOTE = Column(
    "note", pl.String(), "'n too small' under 30 jobs, 'inflated by repeats' for pairs, why a value is null, else empty"
)


def number(name: str, meaning: str) -> Column:
    """Return a figure that may be null where it cannot be had."""
    return Column(name, pl.Float64(), meaning, nullable=True)
