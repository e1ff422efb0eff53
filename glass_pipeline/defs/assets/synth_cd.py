"""Holds the asset of the study ``synth_cd``: every method on jobs whose truth was drawn; it belongs to no suite."""

import dagster as dg

from glass_pipeline.defs.io_managers import shown_columns
from glass_pipeline.defs.synth_cd import SCORES, make_synth_scores
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.schemas.synth_cd import SYNTH_SCORES


def synth_cd_assets(seed: int) -> list[dg.AssetsDefinition]:
    """Return ``synth_cd/scores``."""

    @dg.asset(
        key=[SCORES.suite, SCORES.stage],
        group_name="synth_cd",
        description="Scores of every method on held-out jobs whose complexity and fragility were drawn.",
        kinds={"python", "parquet"},
        owners=["team:glass"],
        metadata={"dagster/column_schema": shown_columns(SYNTH_SCORES.columns)},
        code_version="1",
    )
    def synth_scores(warehouse: dg.ResourceParam[Warehouse]) -> dg.MaterializeResult:
        made = make_synth_scores(warehouse, features="tfidf_svd", seed=seed)
        return dg.MaterializeResult(
            data_version=dg.DataVersion(made.data_version), metadata={"scores": dg.MetadataValue.md(made.text)}
        )

    return [synth_scores]
