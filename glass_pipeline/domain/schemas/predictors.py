"""Holds the declared schemas of splits, held-out predictions, their scores and what the scores show.

Never reads or writes a table, and never computes a column.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.schemas.columns import BASE_ID, SOLVER, number
from glass_pipeline.domain.table import Column, Table

SEED = Column("seed", pl.Int64(), "seed of the split and of the training")
PREDICTOR = Column("predictor", pl.String(), "name of the predictor in glass.toml")
KIND = Column("kind", pl.String(), "frail_pi or a baseline; with its features where they are not tfidf_svd")
READS = Column("reads", pl.String(), "what it is shown of a new job: text, design, twins or solver")
SLICE = Column("slice", pl.String(), "twins that are learned and scored: pooled, or of one dose (m1 … m9)")
FINGERPRINT = Column("fingerprint", pl.String(), "sha256 of the seed's split")

SPLITS = Table(
    "splits",
    ("seed", "base_id"),
    (
        SEED,
        BASE_ID,
        Column("part", pl.String(), "train, validation or test"),
        Column("dataset_key", pl.String(), "what keys the folds"),
        FINGERPRINT,
    ),
)
"""Empty where the jobs are too few for three parts."""

PREDICTIONS = Table(
    "predictions",
    ("predictor", "seed", "base_id"),
    (
        SOLVER,
        PREDICTOR,
        KIND,
        READS,
        Column("is_rate", pl.Boolean(), "predictions are break rates, not only scores that rank like them"),
        SLICE,
        SEED,
        FINGERPRINT,
        BASE_ID,
        number("pi_hat", "predicted break rate or score; null where it could not be trained"),
        number("a_hat", "predicted a_J in logits"),
        number("b_hat", "predicted b_J in logits per dose unit"),
        number("wc_hat", "predicted chance of a break among the worst-case twins"),
        number("pi", "measured break rate; null outside the stratum or without an observation"),
        number("pi_std", "the same, family-standardised"),
        Column("k", pl.Float64(), "breaks"),
        Column("n", pl.Float64(), "eligible observations"),
        Column("note", pl.String(), "why there is no prediction, else empty"),
    ),
)
"""One row a seed and job of its test part, solved or not."""

PREDICTOR_SCORES = Table(
    "predictor_scores",
    ("predictor", "slice", "target", "part", "name", "metric"),
    (
        SOLVER,
        PREDICTOR,
        KIND,
        READS,
        SLICE,
        Column("target", pl.String(), "pi, pi_std (family-standardised) or crd (residualised on C)"),
        Column("part", pl.String(), "all, complete (jobs with all three families), family or category"),
        Column("name", pl.String(), "which family or category"),
        Column("metric", pl.String(), "spearman, recall_20, …"),
        number("mean", "mean over seeds"),
        number("sd", "standard deviation over seeds (ddof 1)"),
        Column("n_seeds", pl.Int64(), "seeds in which the metric is defined"),
        number("n_jobs", "test jobs a seed, mean"),
        Column("note", pl.String(), "why there is no value, else empty"),
    ),
)
"""One row a predictor, target, part and metric of one solver."""

PREDICTOR_VERDICTS = Table(
    "predictor_verdicts",
    ("slice", "target", "candidate", "baseline"),
    (
        SOLVER,
        SLICE,
        Column("target", pl.String(), "pi or pi_std"),
        Column("candidate", pl.String(), "the Frail-π that is judged"),
        Column("baseline", pl.String(), "the predictor it is judged against"),
        Column("n_jobs", pl.Int64(), "jobs of all test parts together"),
        Column("n_seeds", pl.Int64(), "seeds that both share"),
        number("delta", "mean over seeds of rho(candidate) - rho(baseline)"),
        number("error", "its standard error, resampled jobs and seeds together"),
        number("low", "lower end of its 95 % interval"),
        number("high", "upper end of its 95 % interval"),
        number("p_value", "z test"),
        number("p_holm", "the same, adjusted over the baselines"),
        number("p_nadeau_bengio", "corrected t test over seeds, secondary"),
        Column("same_sign", pl.Int64(), "seeds whose difference has the sign of the mean"),
        Column(
            "outcome", pl.String(), "beats by at least the declared gain, beats, is beaten, not shown or not judged"
        ),
        Column("sentence", pl.String(), "what may be said"),
    ),
)
"""One row a candidate, baseline and target of one solver."""

SOLVER_TRANSFER = Table(
    "solver_transfer",
    ("predictor", "slice", "solver", "other", "target"),
    (
        PREDICTOR,
        KIND,
        SLICE,
        Column("solver", pl.String(), "solver whose breaks were learned"),
        Column("other", pl.String(), "solver whose items are ranked"),
        Column("target", pl.String(), "pi, or crd (residualised on C)"),
        number("mean", "Spearman on test jobs of the other's stratum, mean over seeds"),
        number("sd", "standard deviation over seeds (ddof 1)"),
        Column("n_seeds", pl.Int64(), "seeds in which it is defined"),
        number("n_jobs", "test jobs a seed, mean"),
        number("sqrt_r", "ceiling of the other solver, for pi"),
        number("bound", "Spearman of the first solver's measured rates with the other's, for pi"),
    ),
)
"""One row a predictor that reads the text alone, and a pair of solvers."""
