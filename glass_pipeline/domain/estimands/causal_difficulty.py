"""Holds the table of every per-job estimand of one solver, pooled and for each dose.

Never holds a formula of its own (see the module of each estimand).
"""

from __future__ import annotations

import numpy as np
import polars as pl

from glass_pipeline.domain.estimands.ccd import break_counts, distinct_texts, observations, with_intervals
from glass_pipeline.domain.estimands.crd import cross_fitted_residual, descriptive_folds
from glass_pipeline.domain.estimands.dose_response import fit_dose_prior, fit_dose_response
from glass_pipeline.domain.estimands.family_standardised import family_standardised
from glass_pipeline.domain.estimands.strata import STRATUM_FROM, base_pass_rates, principal_strata
from glass_pipeline.domain.records import FAMILIES
from glass_pipeline.domain.schemas import CAUSAL_DIFFICULTY

POOLED = "pooled"
NO_TWIN = "no twin was labelled"
OUTSIDE = "base pass rate below 0.5"
NO_RUN = "no run that solved the base posed a twin"
NO_VALUE = {
    "pi_low": "no EB interval: fewer than 10 jobs, no break, or nothing but breaks",
    "a": "no dose response: one dose",
    "a_inject": "no response to injection size: the job has no injection, or all have one size",
    "crd": "no CRD: all jobs are in one fold",
}
"""Why a job with pi lacks another value, by the column that is null."""
STRATA = ("always_solved", "breaks", "repaired", "never_solved")


def causal_difficulty(
    problems: pl.DataFrame, base_labels: pl.DataFrame, pairs: pl.DataFrame, *, seed: int
) -> pl.DataFrame:
    """Estimate every job of one solver, in the pooled slice and in the slice of each dose that has pairs.

    The unit is the distinct twin text; the stratum is Ȳ >= 0.5 over every run held; pairs of a run that
    failed its base are no observations. A job outside the stratum, or without an observation, keeps a row
    with null pi and a note that says why. A problem without any base label has no row.

    Args:
        problems: Columns ``base_id, category, declared_complexity`` of ``schemas.BASE_PROBLEMS``.
        base_labels: Columns ``solver, dose, base_id, y_base, n_samples, n_correct`` of
            ``schemas.BASE_LABELS``, every dose held.
        pairs: ``schemas.LABELED_PAIRS``, every dose held.
        seed: Seed of the study; it keys the folds of the descriptive CRD.

    Returns:
        ``schemas.CAUSAL_DIFFICULTY``.

    Raises:
        ValueError: labels or pairs of more than one solver.

    Source: methods §1.
    """
    solvers = sorted({*base_labels["solver"].unique(), *pairs["solver"].unique()})
    if len(solvers) > 1:
        raise ValueError(f"causal_difficulty: labels of {solvers} found; pass one solver.")
    jobs = (
        base_pass_rates(base_labels)
        .join(problems.select("base_id", "category", "declared_complexity"), on="base_id", how="inner")
        .with_columns(solver=pl.lit(solvers[0] if solvers else ""), in_stratum=pl.col("y_base_mean") >= STRATUM_FROM)
    )
    doses = pairs["file_dose"].unique().sort().to_list()
    slices = {POOLED: pairs} | {f"m{dose}": pairs.filter(pl.col("file_dose") == dose) for dose in doses}
    frames = [_slice(name, jobs, rows, seed) for name, rows in slices.items()]
    return CAUSAL_DIFFICULTY.check(pl.concat(frames))


def _slice(name: str, jobs: pl.DataFrame, pairs: pl.DataFrame, seed: int) -> pl.DataFrame:
    texts = distinct_texts(pairs)
    observed = observations(pairs)
    inside = observed.join(jobs.filter("in_stratum"), on="base_id", how="semi")
    estimated = with_intervals(break_counts(inside)).drop("n", "k")
    rows = (
        jobs.join(_contrasts(texts), on="base_id", how="left")
        .join(break_counts(observed), on="base_id", how="left")
        .join(_family_counts(observed), on="base_id", how="left")
        .join(family_standardised(inside).select("base_id", "pi_std"), on="base_id", how="left")
        .join(pairs.group_by("base_id").agg(doses=pl.col("file_dose").unique().sort()), on="base_id", how="left")
        .join(estimated, on="base_id", how="left")
        .join(_dose_columns(inside, "file_dose", "a", "b"), on="base_id", how="left")
        .join(_dose_columns(inside, "inject_size", "a_inject", "b_inject"), on="base_id", how="left")
    )
    counts = ["n", "k", *STRATA, *(f"{letter}_{family}" for family in FAMILIES for letter in "nk")]
    return (
        rows.join(_crd(rows, seed), on="base_id", how="left")
        .with_columns(
            pl.lit(name).alias("slice"),
            pl.col(counts).fill_null(0).cast(pl.Int64()),
            pl.col("doses").fill_null(pl.lit([], dtype=pl.List(pl.Int64()))),
        )
        .with_columns(note=_note())
        .select(list(CAUSAL_DIFFICULTY.schema))
    )


def _note() -> pl.Expr:
    """Return why a value of a row is null: first why pi is, else which of the others is."""
    no_pi = (
        pl.when(pl.col("d_avg").is_null())
        .then(pl.lit(NO_TWIN))
        .when(~pl.col("in_stratum"))
        .then(pl.lit(OUTSIDE))
        .when(pl.col("pi").is_null())
        .then(pl.lit(NO_RUN))
    )
    others = [pl.when(pl.col(name).is_null()).then(pl.lit(reason)) for name, reason in NO_VALUE.items()]
    return pl.coalesce(no_pi, pl.concat_str(others, separator="; ", ignore_nulls=True))


def _contrasts(texts: pl.DataFrame) -> pl.DataFrame:
    """Return D_avg, D_wc and the principal strata over the distinct twin texts of each job."""
    return texts.group_by("base_id").agg(
        *principal_strata(), d_avg=pl.col("delta").mean(), d_wc=pl.col("delta").max().cast(pl.Float64())
    )


def _family_counts(observed: pl.DataFrame) -> pl.DataFrame:
    own = [(family, pl.col("family") == family) for family in FAMILIES]
    return observed.group_by("base_id").agg(
        *(mask.sum().alias(f"n_{family}") for family, mask in own),
        *(pl.col("is_break").filter(mask).sum().alias(f"k_{family}") for family, mask in own),
    )


def _dose_columns(observed: pl.DataFrame, dose_column: str, level: str, slope: str) -> pl.DataFrame:
    """Return (a, b) of each job, fitted on one kind of dose; no rows where fewer than two are observed."""
    counts = break_counts(observed.drop_nulls(dose_column), by=("base_id", dose_column))
    base_ids = counts["base_id"].unique().sort()
    doses = counts[dose_column].unique().sort()
    if doses.len() < 2:
        return pl.DataFrame(schema={"base_id": pl.String(), level: pl.Float64(), slope: pl.Float64()})
    trials, breaks = np.zeros((base_ids.len(), doses.len())), np.zeros((base_ids.len(), doses.len()))
    row = base_ids.search_sorted(counts["base_id"]).to_numpy()
    column = doses.search_sorted(counts[dose_column]).to_numpy()
    trials[row, column], breaks[row, column] = counts["n"].to_numpy(), counts["k"].to_numpy()
    prior = fit_dose_prior(breaks, trials, doses.to_numpy())
    fit = fit_dose_response(breaks, trials, doses.to_numpy(), prior=prior)
    return pl.DataFrame({"base_id": base_ids, level: fit.a, slope: fit.b})


def _crd(rows: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return the descriptive CRD of each job that has pi; no rows where its folds cannot be crossed."""
    jobs = rows.drop_nulls("pi")
    folds = descriptive_folds(jobs["base_id"].to_list(), seed=seed)
    if np.unique(folds).size < 2:
        return pl.DataFrame(schema={"base_id": pl.String(), "crd": pl.Float64()})
    fit = cross_fitted_residual(
        jobs["pi"].to_numpy(), jobs["declared_complexity"].to_numpy(), folds, weights=jobs["n"].to_numpy()
    )
    return pl.DataFrame({"base_id": jobs["base_id"], "crd": fit.residual})
