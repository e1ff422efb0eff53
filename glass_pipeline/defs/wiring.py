"""Holds how a stage becomes an asset: its key, inputs, partitions and description, all read off ``keys``.

Never holds a stage's body; policy that applies to every asset alike is stamped in ``build``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import dagster as dg
import polars as pl

from glass_pipeline.defs.io_managers import columns_of
from glass_pipeline.defs.keys import asking_stages_of, edges_of
from glass_pipeline.defs.partitions import mapping_of, partitions_of
from glass_pipeline.defs.stages import STAGES, Edge, Stage
from glass_pipeline.domain.fingerprint import frame_hash
from glass_pipeline.domain.schemas import TABLES
from glass_pipeline.study import Study

OP_NAME = re.compile(r"[^a-zA-Z0-9_]")
SOLVER_SETTINGS = dg.AssetKey("solver_settings")
PREDICTOR_SETTINGS = dg.AssetKey("predictor_settings")


def key_of(suite: str, stage: str) -> dg.AssetKey:
    """Return the asset key ``<suite>/<stage>``, or ``<stage>`` for what spans suites."""
    return dg.AssetKey([suite, stage] if suite else [stage])


def settings_key(suite: str) -> dg.AssetKey:
    """Return the key of a suite's observed study settings."""
    return dg.AssetKey([suite, "study_settings"])


def wired(suite: str, stage_name: str, study: Study) -> dict[str, Any]:
    """Return the arguments of ``dg.asset`` for one stage of one suite."""
    stage = STAGES[stage_name]
    return {
        "key": key_of(suite, stage_name),
        "ins": inputs_of(suite, stage_name, study),
        "deps": [*_order_only(suite, stage_name, study), *settings_deps(suite, stage_name, study)],
        "partitions_def": partitions_of(stage, study, suite),
        "tags": {"suite": suite},
        "pool": "solver_api" if stage_name in asking_stages_of(study, suite) else None,
        **_shown(stage),
    }


def input_at(number: int) -> str:
    """Return the name under which an asset that spans suites receives one suite's table: a slug is no name."""
    return f"suite_{number}"


def wired_across(stage_name: str, suites: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of ``dg.asset`` for a stage that reads one table of every suite, where it has one."""
    stage = STAGES[stage_name]
    (edge,) = stage.edges
    return {
        "key": key_of("", stage_name),
        "ins": {
            input_at(number): dg.AssetIn(key=key_of(suite, edge.upstream), metadata={"may_be_absent": True})
            for number, suite in enumerate(suites)
        },
        **_shown(stage),
    }


def _shown(stage: Stage) -> dict[str, Any]:
    """What the UI shows of a stage, and the manager that stores it."""
    return {
        "group_name": stage.group,
        "description": stage.why,
        "kinds": {"python", "duckdb" if stage.is_rollup else "parquet"},
        "io_manager_key": "rollup_io_manager" if stage.is_rollup else "io_manager",
        "metadata": {"dagster/column_schema": columns_of(stage.name)},
    }


def wired_together(suite: str, stage_name: str, beside: str, study: Study) -> dict[str, Any]:
    """Return the arguments of ``dg.multi_asset`` for a stage that makes a second table beside its own.

    The second table is declared to follow the first, so that the first stays the only partitioned root of the
    suite: with two, the UI could not anchor "Materialize all".
    """
    wiring = wired(suite, stage_name, study)
    ins, deps = wiring["ins"], wiring["deps"]
    first, second = key_of(suite, stage_name), key_of(suite, beside)
    shared = {"kinds", "tags", "metadata", "description", "io_manager_key"}
    return {
        "name": f"{OP_NAME.sub('_', suite)}__{stage_name}",
        "outs": {
            stage_name: dg.AssetOut(key=first, **{name: wiring[name] for name in shared}),
            beside: dg.AssetOut(key=second, **{name: wired(suite, beside, study)[name] for name in shared}),
        },
        "internal_asset_deps": {
            stage_name: {each.key for each in ins.values()} | {dep.asset_key for dep in deps},
            beside: {first},
        },
        **{name: wiring[name] for name in ("ins", "deps", "partitions_def", "group_name", "pool")},
    }


def inputs_of(suite: str, stage_name: str, study: Study) -> dict[str, dg.AssetIn]:
    """Return the loaded inputs of a stage, each under the name of its upstream stage."""
    stage = STAGES[stage_name]
    return {
        edge.upstream: dg.AssetIn(
            key=key_of(suite, edge.upstream),
            partition_mapping=mapping_of(stage, edge),
            metadata=_reading(stage_name, edge),
        )
        for edge in edges_of(stage_name, study, suite)
        if edge.loads
    }


def _reading(stage_name: str, edge: Edge) -> dict[str, Any]:
    metadata: dict[str, Any] = {"columns": list(edge.columns)} if edge.columns else {}
    if STAGES[stage_name].fans_in(edge):
        metadata["allow_missing_partitions"] = True
    return metadata


def _order_only(suite: str, stage_name: str, study: Study) -> list[dg.AssetDep]:
    stage = STAGES[stage_name]
    return [
        dg.AssetDep(key_of(suite, edge.upstream), partition_mapping=mapping_of(stage, edge))
        for edge in edges_of(stage_name, study, suite)
        if not edge.loads
    ]


def settings_deps(suite: str, stage_name: str, study: Study) -> list[dg.AssetDep]:
    """Return the observed settings that a stage depends on, and nothing beyond its own."""
    deps = [dg.AssetDep(settings_key(suite), partition_mapping=dg.SpecificPartitionsPartitionMapping([stage_name]))]
    if stage_name in {"base_labels", "solver_labels", "base_probes"}:
        # A suite that uses only some solvers has other partitions, between which Dagster can map no dimension.
        has_all = study.solvers_of(suite) == study.enabled_solvers
        each = dg.MultiToSingleDimensionPartitionMapping("solver") if has_all else dg.AllPartitionMapping()
        deps.append(dg.AssetDep(SOLVER_SETTINGS, partition_mapping=each))
    if stage_name == "predictions":
        own = dg.MultiToSingleDimensionPartitionMapping("predictor")
        deps.append(dg.AssetDep(PREDICTOR_SETTINGS, partition_mapping=own))
    return deps


def table_result(
    stage: str,
    frame: pl.DataFrame,
    metadata: Mapping[str, Any] | None = None,
    *,
    key: dg.AssetKey | None = None,
) -> dg.MaterializeResult:
    """Return a checked frame as a materialization whose data version is the hash of its content."""
    table = TABLES[stage]
    checked = table.check(frame)
    return dg.MaterializeResult(
        asset_key=key,
        value=checked,
        data_version=dg.DataVersion(frame_hash(checked, table.key)),
        metadata=dict(metadata or {}),
    )
