"""Holds the asset of stage ``audit``: every twin checked for a changed meaning, before anyone pays to solve it."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.audit import audit_twins
from glass_pipeline.domain.frames import problems_of, twins_of
from glass_pipeline.study import Study


def audit_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``noop_audit`` of one suite."""

    @dg.asset(**wired(suite, "noop_audit", study))
    def noop_audit(base_problems: pl.DataFrame, twins: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        audit = audit_twins(problems_of(base_problems), twins_of(twins))
        return table_result("noop_audit", audit, {"dropped": int((~audit["keep"]).sum())})

    return [noop_audit]
