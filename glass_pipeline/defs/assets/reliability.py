"""Holds the assets of stage ``reliability``: how far a ranking by π can be trusted, whole and in slices."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.reliability.slice_ceilings import reliability_table, slices_table
from glass_pipeline.study import Study


def reliability_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``reliability`` and ``slices`` of one suite."""
    seed = study.study.seed

    @dg.asset(**wired(suite, "reliability", study))
    def reliability(causal_difficulty: pl.DataFrame, labeled_pairs: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        return table_result("reliability", reliability_table(causal_difficulty, seed=seed, pairs=labeled_pairs))

    @dg.asset(**wired(suite, "slices", study))
    def slices(causal_difficulty: pl.DataFrame, base_labels: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        return table_result("slices", slices_table(causal_difficulty, base_labels, seed=seed))

    return [reliability, slices]
