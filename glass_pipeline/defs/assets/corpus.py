"""Holds the assets of stage ``corpus``: which twins are solved, and base and twin side by side once they are."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.corpus.labeled_pairs import build_labeled_pairs
from glass_pipeline.domain.corpus.mix import draw_mix
from glass_pipeline.study import Study


def corpus_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``multiop_mix`` and ``labeled_pairs`` of one suite."""
    size = study.suite(suite).twins_per_base

    @dg.asset(**wired(suite, "multiop_mix", study))
    def multiop_mix(
        context: dg.AssetExecutionContext, twins: pl.DataFrame, noop_audit: pl.DataFrame
    ) -> dg.MaterializeResult[pl.DataFrame]:
        kept = twins.join(noop_audit.filter("keep").select("twin_id"), on="twin_id")
        mix = draw_mix(kept, dose=study.dose(context.partition_key, suite), size=size, seed=study.study.seed)
        return table_result("multiop_mix", mix)

    @dg.asset(**wired(suite, "labeled_pairs", study))
    def labeled_pairs(
        base_problems: pl.DataFrame,
        noop_audit: pl.DataFrame,
        multiop_mix: pl.DataFrame,
        base_labels: pl.DataFrame,
        solver_labels: pl.DataFrame,
    ) -> dg.MaterializeResult[pl.DataFrame]:
        pairs = build_labeled_pairs(base_problems, noop_audit, multiop_mix, base_labels, solver_labels)
        return table_result("labeled_pairs", pairs)

    return [multiop_mix, labeled_pairs]
