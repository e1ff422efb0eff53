"""Holds the assets of stage ``estimands``: how fragile each job is for one solver, and what stands beside that."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.figures import budget_figures, difficulty_figures, floor_figures, orthogonality_figures
from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.estimands import causal_difficulty as estimate_causal_difficulty
from glass_pipeline.domain.estimands.budget_targets import budget_targets as estimate_budget_targets
from glass_pipeline.domain.estimands.identity_floor import identity_floor_table
from glass_pipeline.domain.estimands.orthogonality_table import orthogonality_table
from glass_pipeline.study import Study


def estimands_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``causal_difficulty``, ``orthogonality``, ``budget_targets`` and ``identity_floor`` of one suite."""

    @dg.asset(**wired(suite, "causal_difficulty", study))
    def causal_difficulty(
        base_problems: pl.DataFrame, base_labels: pl.DataFrame, labeled_pairs: pl.DataFrame
    ) -> dg.MaterializeResult[pl.DataFrame]:
        frame = estimate_causal_difficulty(base_problems, base_labels, labeled_pairs, seed=study.study.seed)
        return table_result("causal_difficulty", frame, difficulty_figures(frame))

    @dg.asset(**wired(suite, "orthogonality", study))
    def orthogonality(
        base_problems: pl.DataFrame, causal_difficulty: pl.DataFrame
    ) -> dg.MaterializeResult[pl.DataFrame]:
        frame = orthogonality_table(base_problems, causal_difficulty, seed=study.study.seed)
        return table_result("orthogonality", frame, orthogonality_figures(frame))

    @dg.asset(**wired(suite, "budget_targets", study))
    def budget_targets(causal_difficulty: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        frame = estimate_budget_targets(causal_difficulty)
        return table_result("budget_targets", frame, budget_figures(frame))

    @dg.asset(**wired(suite, "identity_floor", study))
    def identity_floor(base_labels: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        frame = identity_floor_table(base_labels, seed=study.study.seed)
        return table_result("identity_floor", frame, floor_figures(frame))

    return [causal_difficulty, orthogonality, budget_targets, identity_floor]
