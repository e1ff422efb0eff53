"""Holds the family-standardised break rate: pi as it would be if every job had the same family mix.

Never replaces pi; it stands beside it, because which families a job has depends on its text.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from glass_pipeline.domain.estimands.ccd import break_counts


def family_weights(observed: pl.DataFrame) -> dict[str, float]:
    """Return the suite's share of observations of each family, families in name order.

    Args:
        observed: Rows of ``ccd.observations``.
    """
    counts = observed.group_by("family").len().sort("family")
    return {family: size / observed.height for family, size in counts.iter_rows()}


def family_standardised(observed: pl.DataFrame, *, weights: Mapping[str, float] | None = None) -> pl.DataFrame:
    """Return pi_std(J) = sum_f w_f k_f / n_f over the families the job has, weights re-normalised to them.

    Args:
        observed: Rows of ``ccd.observations``.
        weights: Weight of each family, fixed for the suite; None takes ``family_weights``.

    Returns:
        ``base_id, pi_std, n_families``, sorted; jobs without an observation of a weighted family have no row.

    Source: methods §1.10.
    """
    fixed = family_weights(observed) if weights is None else weights
    table = pl.DataFrame(
        {"family": list(fixed), "weight": [float(weight) for weight in fixed.values()]},
        schema={"family": pl.String(), "weight": pl.Float64()},
    ).filter(pl.col("weight") > 0)
    return (
        break_counts(observed, by=("base_id", "family"))
        .join(table, on="family")
        .group_by("base_id")
        .agg(
            pi_std=(pl.col("weight") * pl.col("k") / pl.col("n")).sum() / pl.col("weight").sum(),
            n_families=pl.len().cast(pl.Int64()),
        )
        .sort("base_id")
    )
