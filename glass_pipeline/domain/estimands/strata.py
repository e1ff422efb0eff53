"""Holds what a job's bases say: its pass rate, whether it is in the solvable stratum, principal strata.

Never looks at how often a twin breaks (see ``ccd``).
"""

from __future__ import annotations

from typing import Literal

import polars as pl

STRATUM_FROM = 0.5
"""Base pass rate from which a job is solvable; exactly 0.5 is in."""

StratumRule = Literal["pass_rate", "modal_ref_run", "all_runs_solved"]
"""pass_rate: Ȳ >= 0.5 (the default); modal_ref_run: the reference run's modal answer is right;
all_runs_solved: every run's modal answer is right (methods §0 C8)."""


def base_pass_rates(base_labels: pl.DataFrame) -> pl.DataFrame:
    """Return each job's pass rate, Ȳ(J) = correct base samples / base samples over every run held.

    Args:
        base_labels: Columns ``base_id, n_samples, n_correct`` of ``schemas.BASE_LABELS``, one row a run.

    Returns:
        ``base_id, y_base_mean, n_base``, sorted; a job without a sample has no row.

    Source: methods §1.2.
    """
    return (
        base_labels.group_by("base_id")
        .agg(pl.col("n_correct").sum(), n_base=pl.col("n_samples").sum())
        .filter(pl.col("n_base") > 0)
        .select("base_id", "n_base", y_base_mean=pl.col("n_correct") / pl.col("n_base"))
        .select("base_id", "y_base_mean", "n_base")
        .sort("base_id")
    )


def solvable_jobs(
    base_labels: pl.DataFrame, *, rule: StratumRule = "pass_rate", reference_dose: int | None = None
) -> pl.Series:
    """Return the ids of the jobs in the solvable stratum, sorted.

    Args:
        base_labels: Columns ``dose, base_id, y_base, n_samples, n_correct`` of ``schemas.BASE_LABELS``.
        rule: What makes a job solvable.
        reference_dose: Run that ``modal_ref_run`` looks at; None takes the largest dose held.

    Source: methods §1.2, §0 C8.
    """
    if rule == "pass_rate":
        rates = base_pass_rates(base_labels)
        return rates.filter(pl.col("y_base_mean") >= STRATUM_FROM)["base_id"]
    if rule == "all_runs_solved":
        runs = base_labels.group_by("base_id").agg(pl.col("y_base").min())
    else:
        runs = reference_run(base_labels, reference_dose)
    return runs.filter(pl.col("y_base") == 1)["base_id"].sort()


def reference_run(base_labels: pl.DataFrame, reference_dose: int | None = None) -> pl.DataFrame:
    """Return the base labels of the reference run: of the given dose, else of the largest one held."""
    dose = pl.col("dose").max() if reference_dose is None else pl.lit(reference_dose)
    return base_labels.filter(pl.col("dose") == dose)


def principal_strata() -> tuple[pl.Expr, ...]:
    """Return the counts of pairs by what happened to base and twin, to be used over pairs of one job.

    always_solved: both solved; breaks: only the base; repaired: only the twin; never_solved: neither. On
    every set of pairs, mean delta = (breaks - repaired) / pairs.

    Source: methods §1.5.
    """
    base, twin = pl.col("y_base_run") == 1, pl.col("y_twin") == 1
    counts = {
        "always_solved": base & twin,
        "breaks": base & ~twin,
        "repaired": ~base & twin,
        "never_solved": ~base & ~twin,
    }
    return tuple(pair.sum().cast(pl.Int64()).alias(name) for name, pair in counts.items())
