"""Holds the choice of the items that rewording breaks most, by what is measured of them and what is predicted.

Never scores a choice (see ``evaluation.curation``).
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.predictors.deployed import StoredModel, ask
from glass_pipeline.domain.predictors.evaluation.curation import top_count
from glass_pipeline.domain.predictors.jobs import JobSet

UNKNOWN = pl.lit(None, pl.Float64())


def most_fragile(
    model: StoredModel, jobs: JobSet, measured: pl.DataFrame, held_out: pl.DataFrame, *, percent: float
) -> pl.DataFrame:
    """Return the top k % of items, most fragile first.

    The score of an item with solved twins is (s pi-hat + k) / (s + n), s the precision of predictions like its own and
    pi-hat what models predicted that had not seen it; that of any other item is pi-hat.

    Args:
        model: Stored.
        jobs: Items to choose among.
        measured: ``base_id, k, n`` of items with solved twins; may be empty.
        held_out: Columns ``base_id, pi_hat`` of ``schemas.PREDICTIONS`` of the same predictor; may be empty.
        percent: k, in (0, 100]; at least one item is chosen.

    Returns:
        ``base_id, score, pi_hat, pi_low, pi_high, k, n``; k and n are 0 where nothing is measured.

    Source: methods §9, §12.1.
    """
    asked = ask(model, jobs)
    unseen = held_out.drop_nulls("pi_hat").group_by("base_id").agg(before=pl.col("pi_hat").mean())
    table = (
        asked.join(unseen, on="base_id", how="left")
        .join(measured.select("base_id", pl.col("k", "n").cast(pl.Float64())), on="base_id", how="left")
        .with_columns(pl.coalesce("before", "pi_hat").alias("pi_hat"), pl.col("k", "n").fill_null(0.0))
    )
    score, low, high = pl.col("pi_hat"), UNKNOWN, UNKNOWN
    if model.intervals is not None:
        given = table["pi_hat"]
        bounds = model.intervals.bounds(given)
        updated = pl.Series("score", model.intervals.updated(given, table["k"], table["n"]))
        table = table.with_columns(updated, pl.Series("pi_low", bounds.low), pl.Series("pi_high", bounds.high))
    else:
        table = table.with_columns(score=score, pi_low=low, pi_high=high)
    chosen = max(1, top_count(table.height, percent))
    return (
        table.sort("score", "base_id", descending=[True, False])
        .head(chosen)
        .select("base_id", "score", "pi_hat", "pi_low", "pi_high", "k", "n")
    )
