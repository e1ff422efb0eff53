"""Holds the assets of stage ``problems``: the benchmark as published, and sentences that may be injected."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.resources import SourceResource
from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.frames import distractors_frame, problems_frame
from glass_pipeline.domain.twins.distractors import harvest
from glass_pipeline.study import Study


def problems_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``base_problems`` and ``distractors`` of one suite."""

    @dg.asset(**wired(suite, "base_problems", study))
    def base_problems(sources: dg.ResourceParam[SourceResource]) -> dg.MaterializeResult[pl.DataFrame]:
        problems = sources.problems(suite)
        return table_result("base_problems", problems_frame(problems), {"revision": problems[0].revision})

    @dg.asset(**wired(suite, "distractors", study))
    def distractors(sources: dg.ResourceParam[SourceResource]) -> dg.MaterializeResult[pl.DataFrame]:
        sentences = harvest(sources.distractor_problems(suite))
        return table_result("distractors", distractors_frame(sentences))

    return [base_problems, distractors]
