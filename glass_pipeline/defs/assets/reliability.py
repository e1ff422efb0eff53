"""Holds the assets of stage ``reliability``: how far a ranking by π can be trusted, whole and in slices."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.figures import agreement_figures, reliability_figures, slice_figures
from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.reliability.slice_ceilings import reliability_table, slices_table
from glass_pipeline.domain.reliability.solver_agreement import solver_agreement_table
from glass_pipeline.study import Study


def reliability_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``reliability``, ``slices`` and ``solver_agreement`` of one suite."""
    seed = study.study.seed

    @dg.asset(**wired(suite, "reliability", study))
    def reliability(causal_difficulty: pl.DataFrame, labeled_pairs: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        frame = reliability_table(causal_difficulty, seed=seed, pairs=labeled_pairs)
        return table_result("reliability", frame, reliability_figures(frame))

    @dg.asset(**wired(suite, "slices", study))
    def slices(causal_difficulty: pl.DataFrame, base_labels: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        frame = slices_table(causal_difficulty, base_labels, seed=seed)
        return table_result("slices", frame, slice_figures(frame))

    @dg.asset(**wired(suite, "solver_agreement", study))
    def solver_agreement(causal_difficulty: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        frame = solver_agreement_table(causal_difficulty, seed=seed)
        return table_result("solver_agreement", frame, agreement_figures(frame))

    return [reliability, slices, solver_agreement]
