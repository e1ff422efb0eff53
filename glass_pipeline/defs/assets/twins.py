"""Holds the asset of stage ``twins``: rewordings of every base, and the bases that were declined."""

from collections.abc import Iterator

import dagster as dg
import polars as pl

from glass_pipeline.defs.code_versions import root_suite
from glass_pipeline.defs.wiring import key_of, table_result, wired_together
from glass_pipeline.domain.frames import declines_frame, distractors_of, problems_of, twins_frame
from glass_pipeline.domain.twins import make_twins
from glass_pipeline.study import Study


def twins_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return the asset that makes ``twins`` and, beside it, ``declines`` of one suite."""

    @dg.multi_asset(**wired_together(suite, "twins", "declines", study))
    def twins(
        context: dg.AssetExecutionContext, base_problems: pl.DataFrame, distractors: pl.DataFrame
    ) -> Iterator[dg.MaterializeResult[pl.DataFrame]]:
        batch = make_twins(
            problems_of(base_problems),
            suite=root_suite(suite),
            seed=study.study.seed,
            dose=study.dose(context.partition_key),
            distractors=distractors_of(distractors),
        )
        yield table_result("twins", twins_frame(batch.twins), key=key_of(suite, "twins"))
        yield table_result("declines", declines_frame(batch.declines), key=key_of(suite, "declines"))

    return [twins]
