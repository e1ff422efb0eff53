"""Holds the declared schemas of what is estimated from labels.

Never reads or writes a table, and never computes a column.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.schemas.columns import BASE_ID, CELL, NOTE, SOLVER, number
from glass_pipeline.domain.table import Column, Table

FAMILY_COUNTS = tuple(
    Column(f"{letter}_{family}", pl.Int64(), f"{meaning} among {family} twins")
    for family in ("sentence_reorder", "entity_rename", "math_irrelevant_context")
    for letter, meaning in (("n", "eligible observations"), ("k", "breaks"))
)

CAUSAL_DIFFICULTY = Table(
    "causal_difficulty",
    ("slice", "base_id"),
    (
        SOLVER,
        Column("slice", pl.String(), "pooled, or one dose (m1 … m9)"),
        BASE_ID,
        Column("category", pl.String(), "subject or topic of the base"),
        Column("declared_complexity", pl.Float64(), "C"),
        Column("y_base_mean", pl.Float64(), "Ȳ: share of correct base samples over every run held"),
        Column("n_base", pl.Int64(), "base samples over every run held"),
        Column("in_stratum", pl.Boolean(), "Ȳ >= 0.5"),
        Column("n", pl.Int64(), "eligible observations"),
        Column("k", pl.Int64(), "breaks"),
        Column("pi", pl.Float64(), "k/n; null outside the stratum or where n = 0", nullable=True),
        Column("pi_low", pl.Float64(), "lower end of the EB beta-binomial 90 % interval", nullable=True),
        Column("pi_high", pl.Float64(), "upper end of the EB beta-binomial 90 % interval", nullable=True),
        Column("jeffreys_low", pl.Float64(), "lower end of Jeffreys' 90 % interval", nullable=True),
        Column("jeffreys_high", pl.Float64(), "upper end of Jeffreys' 90 % interval", nullable=True),
        Column("pi_std", pl.Float64(), "family-standardised pi: as if every job had the same families", nullable=True),
        Column("d_avg", pl.Float64(), "mean delta over all twins, stratum or not", nullable=True),
        Column("d_wc", pl.Float64(), "largest delta over all twins", nullable=True),
        Column("a", pl.Float64(), "a_J in logits: fragility at m = 5, by file dose", nullable=True),
        Column("b", pl.Float64(), "b_J in logits per dose unit, by file dose", nullable=True),
        Column("a_inject", pl.Float64(), "a_J fitted on injection size", nullable=True),
        Column("b_inject", pl.Float64(), "b_J fitted on injection size", nullable=True),
        Column("crd", pl.Float64(), "pi minus its 5-fold regression on C (descriptive)", nullable=True),
        Column("always_solved", pl.Int64(), "pairs: base and twin solved"),
        Column("breaks", pl.Int64(), "pairs: base solved, twin failed"),
        Column("repaired", pl.Int64(), "pairs: base failed, twin solved"),
        Column("never_solved", pl.Int64(), "pairs: neither solved"),
        *FAMILY_COUNTS,
        Column("doses", pl.List(pl.Int64()), "doses this row holds"),
        Column("note", pl.String(), "why pi or another value is null, else empty"),
    ),
)

SOLVER_AGREEMENT = Table(
    "solver_agreement",
    ("solver", "other"),
    (
        SOLVER,
        Column("other", pl.String(), "the second solver"),
        Column("n_jobs", pl.Int64(), "jobs that both can solve and that have twins of both"),
        Column("spearman", pl.Float64(), "rank agreement of the two pi", nullable=True),
        Column("spearman_se", pl.Float64(), "its standard error, jackknife over jobs", nullable=True),
        Column("kendall", pl.Float64(), "Kendall's tau of the two pi", nullable=True),
        Column("kappa", pl.Float64(), "Cohen's kappa of fragile (pi > 0.05) against not", nullable=True),
        Column("r", pl.Float64(), "reliability of the first solver on these jobs", nullable=True),
        Column("r_other", pl.Float64(), "reliability of the second", nullable=True),
        Column("disattenuated", pl.Float64(), "spearman / sqrt(r r_other); may exceed 1", nullable=True),
        Column("note", pl.String(), "'n too small' under 30 jobs, or why a value is null, else empty"),
    ),
)

IDENTITY_FLOOR = Table(
    "identity_floor",
    ("solver",),
    (
        SOLVER,
        Column("reference_dose", pl.Int64(), "dose run whose solved bases are re-solved by the others"),
        Column("n_items", pl.Int64(), "bases of the stratum that the reference run solved"),
        Column("n_resolves", pl.Int64(), "further solves of these bases"),
        Column("breaks", pl.Int64(), "of these, how many failed"),
        Column("floor", pl.Float64(), "breaks / re-solves; null without a re-solve", nullable=True),
        Column("low", pl.Float64(), "lower end of its 95 % job-cluster interval", nullable=True),
        Column("high", pl.Float64(), "upper end of its 95 % job-cluster interval", nullable=True),
        Column("note", pl.String(), "why there is no floor or interval, else empty"),
    ),
)

RELIABILITY = Table(
    "reliability",
    ("slice", "kind", "name", "unit"),
    (
        *CELL,
        Column("default_prior", pl.String(), "prior of r, sqrt_r and oracle"),
        number("r", "new-twins reliability by the default prior"),
        number("r_low", "lower end of its 95 % job-bootstrap interval"),
        number("r_high", "upper end of its 95 % job-bootstrap interval"),
        number("r_sd", "its standard deviation over replicates"),
        number("sqrt_r", "published ceiling"),
        number("oracle", "Spearman that a predictor knowing the truth would reach"),
        number("r_npmle", "r with the non-parametric prior"),
        number("oracle_npmle", "oracle with the non-parametric prior"),
        number("r_beta", "r with the beta prior"),
        number("oracle_beta", "oracle with the beta prior"),
        number("split_half", "Spearman-Brown; too high where many rates tie"),
        NOTE,
    ),
)
"""One row a cell of one solver."""

SLICES = Table(
    "slices",
    ("slice", "kind", "name", "unit"),
    (
        *CELL,
        Column("n_breaks", pl.Int64(), "breaks"),
        number("mean_pi", "mean break rate over jobs"),
        number("pi_low", "lower end of its 95 % job-bootstrap interval"),
        number("pi_high", "upper end of its 95 % job-bootstrap interval"),
        number("floor", "identity floor of these jobs"),
        number("above_floor", "breaks / observations less the floor"),
        number("above_floor_low", "lower end of its 95 % job-cluster interval"),
        number("above_floor_high", "upper end of its 95 % job-cluster interval"),
        NOTE,
    ),
)
"""One row a cell of one solver."""

ORTHOGONALITY = Table(
    "orthogonality",
    ("slice", "removed", "kind", "against"),
    (
        SOLVER,
        Column("slice", pl.String(), "pooled, or one dose (m1 … m9)"),
        Column("removed", pl.String(), "proxy whose regression was taken away from pi, or nothing"),
        Column("kind", pl.String(), "regression: levels, spline, cubic or linear; nothing for pi itself"),
        Column("against", pl.String(), "proxy that it is correlated with: declared (C), gold_steps, level, …"),
        Column("is_crd", pl.Boolean(), "whether the row is about the column crd of causal_difficulty"),
        Column("n_jobs", pl.Int64(), "jobs with pi that state both proxies"),
        number("corr", "Pearson's correlation with the proxy"),
        number("corr_p", "its permutation p-value"),
        number("rho", "Spearman's correlation with the proxy"),
        number("rho_p", "its permutation p-value"),
        number("rank_kept", "Spearman's correlation with pi: how much of the ranking is left"),
        number("bound", "3 / sqrt(n_jobs): |corr| below it passes"),
        Column("is_orthogonal", pl.Boolean(), "|corr| < bound", nullable=True),
        Column("note", pl.String(), "why there is no correlation, else empty"),
    ),
)
"""One row a target and proxy of one solver."""

BUDGET_TARGETS = Table(
    "budget_targets",
    ("slice", "base_id"),
    (
        SOLVER,
        Column("slice", pl.String(), "pooled: the twins of all doses held; m1 … m9: those of one dose"),
        BASE_ID,
        Column("twins", pl.Int64(), "K: budget of new twins, m at each dose of the slice"),
        Column("n", pl.Int64(), "eligible observations in the slice"),
        Column("k", pl.Int64(), "breaks in the slice"),
        Column("rate", pl.Float64(), "posterior mean of the break rate"),
        Column("worst_case", pl.Float64(), "probability that at least one of K new twins breaks"),
        Column("half", pl.Int64(), "q: half of K, rounded up"),
        Column("at_least_half", pl.Float64(), "probability that at least q of K new twins break"),
        number("worst_case_curve", "the first again, by the job's fitted dose response"),
        number("at_least_half_curve", "the second again, by the job's fitted dose response"),
        Column("note", pl.String(), "what a value rests on where it is not the usual, else empty"),
    ),
)
"""One row a job that has pi, and slice, of one solver."""
