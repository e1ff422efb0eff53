"""Holds conditional causal difficulty: what counts as a break, and pi = breaks / eligible observations.

Never looks at a job's complexity (see ``crd``) or dose trend (see ``dose_response``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import polars as pl

from glass_pipeline.domain.stats.beta_binomial import BetaPrior, fit_beta_binomial
from glass_pipeline.domain.stats.intervals import beta_posterior, jeffreys

FRAGILE_FROM = 0.05
"""A job is fragile if its break rate is above this."""
LEVEL = 0.90
"""Nominal coverage of the intervals of pi."""
FEWEST_JOBS_FOR_PRIOR = 10
"""Below this many jobs a prior of two parameters is not fitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakRule:
    """Which pairs are observations of a job's break rate."""

    unit: Literal["unique", "pairs"] = "unique"
    """unique: one observation for each distinct twin text; pairs: one for each row (methods §0 C10)."""
    dup_policy: Literal["first", "mean", "all"] = "first"
    """A text met in several eligible runs counts once, by its first run in ascending dose or by the mean of
    its runs, or as often as it was met (then the unit is the pair)."""
    unsolved_runs: Literal["drop", "zeros"] = "drop"
    """Pairs whose run failed the base: no observation, or one without a break (methods §0 C9)."""


PUBLISHED = BreakRule(unit="pairs")
"""The unit of the published headline run: five concatenated files, repeats included."""


def observations(pairs: pl.DataFrame, rule: BreakRule = BreakRule()) -> pl.DataFrame:
    """Return the observations of break events, one row each.

    B(J,T) = 1 if the run solved the base and the twin failed. Eligibility comes before the choice among
    repeats, so a text is lost only if no run that posed it solved the base.

    Args:
        pairs: Columns ``base_id, twin_id, text_hash, family, file_dose, inject_size, y_base_run, y_twin`` of
            ``schemas.LABELED_PAIRS``, any doses of one solver.
        rule: Which pairs count.

    Returns:
        The pairs that count, with ``is_break`` in [0, 1], sorted by base, dose and twin.

    Source: methods §1.4.
    """
    eligible = pairs.with_columns(
        is_break=((pl.col("y_base_run") == 1) & (pl.col("y_twin") == 0)).cast(pl.Float64())
    ).sort("base_id", "file_dose", "twin_id")
    if rule.unsolved_runs == "drop":
        eligible = eligible.filter(pl.col("y_base_run") == 1)
    if rule.unit == "pairs" or rule.dup_policy == "all":
        return eligible
    if rule.dup_policy == "mean":
        eligible = eligible.with_columns(pl.col("is_break").mean().over("base_id", "text_hash"))
    return eligible.unique(["base_id", "text_hash"], keep="first", maintain_order=True)


def distinct_texts(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return one pair for each twin text of a job, in or out of the stratum.

    It is the pair of the first run by dose that solved the base, or else of the first run: the pairs that
    ``observations`` keeps, and one for each text that it does not.
    """
    return pairs.sort("base_id", "y_base_run", "file_dose", "twin_id", descending=[False, True, False, False]).unique(
        ["base_id", "text_hash"], keep="first", maintain_order=True
    )


def count_conflicts(pairs: pl.DataFrame) -> int:
    """Count the twin texts whose eligible runs disagree on whether they broke (methods §1.4)."""
    outcomes = pairs.filter(pl.col("y_base_run") == 1).group_by("base_id", "text_hash")
    return outcomes.agg(pl.col("y_twin").n_unique()).filter(pl.col("y_twin") > 1).height


def break_counts(observed: pl.DataFrame, by: tuple[str, ...] = ("base_id",)) -> pl.DataFrame:
    """Count observations n and breaks k of each group.

    Args:
        observed: Rows of ``observations``.
        by: Grouping columns, e.g. ``("base_id", "family")``.

    Returns:
        The grouping columns, ``n`` and ``k`` (both float: k is not whole where repeats are averaged), sorted.
    """
    counts = observed.group_by(by).agg(n=pl.len().cast(pl.Float64()), k=pl.col("is_break").sum())
    return counts.sort(by)


def with_intervals(counts: pl.DataFrame, *, level: float = LEVEL) -> pl.DataFrame:
    """Add pi = k/n and its two intervals to counts of jobs.

    ``pi_low, pi_high`` are quantiles of the posterior Beta(alpha + k, beta + n - k), whose prior is fitted
    to these very jobs; null where it cannot be fitted: fewer than 10 jobs, no break at all, or nothing but
    breaks. ``jeffreys_low, jeffreys_high`` take each job alone.

    Args:
        counts: Columns ``n`` >= 1 and ``k``, one row a job.
        level: Nominal coverage.

    Source: methods §1.4, §12.2.
    """
    k, n = counts["k"].to_numpy(), counts["n"].to_numpy()
    alone = jeffreys(k, n, level=level)
    counts = counts.with_columns(
        pl.Series("jeffreys_low", alone.low, dtype=pl.Float64()),
        pl.Series("jeffreys_high", alone.high, dtype=pl.Float64()),
        pi=pl.col("k") / pl.col("n"),
    )
    prior = rate_prior(counts)
    if prior is None:
        unknown = pl.lit(None, dtype=pl.Float64())
        return counts.with_columns(pi_low=unknown, pi_high=unknown)
    together = beta_posterior(k, n, alpha=prior.alpha, beta=prior.beta, level=level)
    return counts.with_columns(pl.Series("pi_low", together.low), pl.Series("pi_high", together.high))


def rate_prior(counts: pl.DataFrame) -> BetaPrior | None:
    """Return the beta distribution of break rates over jobs, fitted to their counts.

    Args:
        counts: Columns ``n`` >= 1 and ``k``, one row a job.

    Returns:
        The prior, or None where it cannot be fitted: fewer than 10 jobs, no break at all, or nothing but breaks.
    """
    if counts.height < FEWEST_JOBS_FOR_PRIOR or not 0 < counts["k"].sum() < counts["n"].sum():
        return None
    return fit_beta_binomial(counts["k"].to_numpy(), counts["n"].to_numpy())
