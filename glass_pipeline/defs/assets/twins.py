"""Holds the asset of stage ``twins``: rewordings of every base, and the bases that were declined."""

from collections.abc import Iterator

import dagster as dg
import polars as pl

from glass_pipeline.defs.assets.audit import spent
from glass_pipeline.defs.resources import SolverResource
from glass_pipeline.defs.wiring import key_of, table_result, wired_together
from glass_pipeline.domain.frames import declines_frame, distractors_of, problems_of, twins_frame
from glass_pipeline.study import Study


def twins_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return the asset that makes ``twins`` and, beside it, ``declines`` of one suite."""

    @dg.multi_asset(**wired_together(suite, "twins", "declines", study))
    def twins(
        context: dg.AssetExecutionContext,
        base_problems: pl.DataFrame,
        distractors: pl.DataFrame,
        solvers: dg.ResourceParam[SolverResource],
    ) -> Iterator[dg.MaterializeResult[pl.DataFrame]]:
        dose = study.dose(context.partition_key, suite)
        work = solvers.twins(suite, problems_of(base_problems), distractors_of(distractors), dose=dose)
        yield table_result("twins", twins_frame(work.made.twins), spent(work), key=key_of(suite, "twins"))
        yield table_result("declines", declines_frame(work.made.declines), key=key_of(suite, "declines"))

    return [twins]
