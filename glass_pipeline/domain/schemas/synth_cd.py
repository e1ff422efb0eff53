"""Holds the declared schema of the scores of Synth-CD.

Never reads or writes a table, and never computes a column.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.schemas.columns import number
from glass_pipeline.domain.table import Column, Table

SYNTH_SCORES = Table(
    "synth_scores",
    ("variant", "method"),
    (
        Column("variant", pl.String(), "continuous or bernoulli"),
        Column("method", pl.String(), "what ranked the held-out jobs"),
        Column("reads", pl.String(), "text, twins, or what was drawn"),
        Column("n_jobs", pl.Int64(), "held-out jobs"),
        number("spearman", "with mean drop D_avg (continuous) or break rate (bernoulli)"),
        number("ndcg_10", "of the first ten"),
        number("auroc", "of D_avg above the training median, or of a break rate above .05"),
        number("mae", "mean absolute error, of methods that predict the target itself"),
        number("abs_rho_c", "|Spearman| with C"),
        Column("published", pl.String(), "Spearman in the source; a dash where it has none"),
    ),
)
