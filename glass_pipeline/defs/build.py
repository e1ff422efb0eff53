"""Holds the one function that assembles the graph, and the policy stamped on every asset alike.

Never reads the environment, so tests, the command and the Dagster UI differ only by arguments.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any

import dagster as dg

from glass_pipeline.defs.asset_checks import checks_of
from glass_pipeline.defs.assets.arc_lab import arc_lab_definitions
from glass_pipeline.defs.assets.audit import audit_assets
from glass_pipeline.defs.assets.corpus import corpus_assets
from glass_pipeline.defs.assets.estimands import estimands_assets
from glass_pipeline.defs.assets.grading import grading_assets
from glass_pipeline.defs.assets.overview import overview_asset
from glass_pipeline.defs.assets.predictors import predictors_assets
from glass_pipeline.defs.assets.problems import problems_assets
from glass_pipeline.defs.assets.reliability import reliability_assets
from glass_pipeline.defs.assets.report import report_assets
from glass_pipeline.defs.assets.settings import (
    predictor_settings_asset,
    solver_settings_asset,
    study_settings_asset,
)
from glass_pipeline.defs.assets.synth_cd import synth_cd_assets
from glass_pipeline.defs.assets.twins import twins_assets
from glass_pipeline.defs.automation import rerun_condition
from glass_pipeline.defs.code_versions import version_of
from glass_pipeline.defs.duckdb_io_manager import DuckDBIOManager
from glass_pipeline.defs.executors import executor_of
from glass_pipeline.defs.io_managers import ParquetIOManager, columns_of
from glass_pipeline.defs.keys import asking_stages_of, edges_of, stages_of
from glass_pipeline.defs.partitions import partitions_of
from glass_pipeline.defs.reaudit import freshness, is_scheduled, reaudit_job, reaudit_schedule
from glass_pipeline.defs.resources import SolverResource, SourceResource
from glass_pipeline.defs.settings_watch import settings_watch
from glass_pipeline.defs.stages import IMPORTED, ON_DEMAND, STAGES, Stage
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import key_of
from glass_pipeline.study import Settings, Study, StudyError, known_suites

LABELLED = (problems_assets, twins_assets, audit_assets, corpus_assets, grading_assets)
"""Factories of the stages from problems to labels."""
ESTIMATING = (estimands_assets, reliability_assets, predictors_assets, report_assets)
"""Factories of the stages that need nothing but labels."""

MADE_BESIDE = frozenset({"declines"})
"""Stages that another stage makes; they are never requested alone."""

OWNER = "team:glass"
MOST_PARTITIONS = 99
"""Beyond this many upstream partitions Dagster no longer sees a changed one."""


def build_definitions(
    study: Study,
    settings: Settings,
    *,
    suites: tuple[str, ...] | None = None,
    resources: Mapping[str, Any] | None = None,
) -> dg.Definitions:
    """Assemble a fresh graph.

    Args:
        study: What glass.toml declares.
        settings: Warehouse and environment.
        suites: Suites to build; by default those declared and those of which the warehouse holds a part.
        resources: Replacements for single resources.

    Raises:
        StudyError: the grid of doses or of predictors and solvers has more partitions than Dagster can watch.
    """
    warehouse = Warehouse(settings.warehouse)
    chosen = suites or known_suites(study, warehouse.suites_present())
    for suite in chosen:
        cells = len(study.doses_of(suite)) * len(study.solvers_of(suite))
        if cells > MOST_PARTITIONS:
            raise StudyError(f"{suite}: {cells} dose-solver pairs, at most {MOST_PARTITIONS}; disable some solvers.")
        trained = len(study.predictors) * len(study.solvers_of(suite))
        if trained > MOST_PARTITIONS:
            raise StudyError(f"{suite}: {trained} predictor-solver pairs, at most {MOST_PARTITIONS}; declare fewer.")
    with warnings.catch_warnings():
        # Partition mappings, observable sources and partitioned checks are beta in this pinned Dagster; known.
        warnings.simplefilter("ignore", dg.BetaWarning)
        warnings.simplefilter("ignore", dg.PreviewWarning)
        return dg.Definitions.merge(
            _assembled(study, settings, chosen, resources or {}), arc_lab_definitions(study, settings)
        )


def _assembled(
    study: Study, settings: Settings, chosen: tuple[str, ...], resources: Mapping[str, Any]
) -> dg.Definitions:
    reaudits = {suite: reaudit_job(suite) for suite in chosen if "reaudit" in stages_of(study, suite)}
    return dg.Definitions(
        assets=[
            *synth_cd_assets(study.study.seed),
            solver_settings_asset(study),
            *([predictor_settings_asset(study)] if study.predictors else []),
            *(each for suite in chosen for each in _suite_assets(suite, study, settings)),
            study_wide(study, chosen, settings),
        ],
        asset_checks=[check for suite in chosen for check in checks_of(suite, study)],
        jobs=[
            *(_label_job(suite, study) for suite in chosen if "base_labels" in stages_of(study, suite)),
            *reaudits.values(),
        ],
        schedules=[reaudit_schedule(suite, study, job) for suite, job in reaudits.items() if is_scheduled(settings)],
        sensors=_sensors(chosen, study),
        resources={**default_resources(study, settings), **resources},
        executor=executor_of(settings.environment),
    )


def default_resources(study: Study, settings: Settings) -> dict[str, Any]:
    """Return the resources that every asset may ask for."""
    warehouse = Warehouse(settings.warehouse)
    tables = ParquetIOManager(warehouse, study)
    return {
        "io_manager": tables,
        "rollup_io_manager": DuckDBIOManager(tables),
        "sources": SourceResource(study, warehouse, settings.environment),
        "solvers": SolverResource(study, warehouse, settings.environment),
        "warehouse": dg.ResourceDefinition.hardcoded_resource(warehouse),
    }


def study_wide(study: Study, suites: tuple[str, ...], settings: Settings) -> dg.AssetsDefinition:
    """Return the asset that spans suites."""
    return overview_asset(study, suites).map_asset_specs(partial(_with_policy, study, settings))


def _suite_assets(suite: str, study: Study, settings: Settings) -> list[Any]:
    imported = study.suite(suite).source == "imported"
    found = [_imported(suite, stage, study) for stage in IMPORTED] if imported else []
    factories = ESTIMATING if imported else (*LABELLED, *ESTIMATING)
    policy = partial(_with_policy, study, settings)
    made = [asset.map_asset_specs(policy) for factory in factories for asset in factory(suite, study)]
    return [study_settings_asset(suite, study), *found, *made]


def _imported(suite: str, stage: str, study: Study) -> dg.AssetSpec:
    return dg.AssetSpec(
        key_of(suite, stage),
        partitions_def=partitions_of(STAGES[stage], study, suite),
        group_name=STAGES[stage].group,
        description=f"Imported: `glass import-pairs` puts this table into the warehouse. {STAGES[stage].why}",
        kinds={"parquet"},
        owners=[OWNER],
        tags={"suite": suite},
        metadata={"dagster/column_schema": columns_of(stage)},
    )


def _with_policy(study: Study, settings: Settings, spec: dg.AssetSpec) -> dg.AssetSpec:
    *suites, name = spec.key.path
    unasked = MADE_BESIDE | ON_DEMAND
    condition = None if name in unasked else _rerun_condition("".join(suites), STAGES[name], study)
    return spec.replace_attributes(
        code_version=version_of(name),
        owners=[OWNER],
        automation_condition=condition,
        freshness_policy=freshness() if name == "reaudit" and is_scheduled(settings) else None,
    )


def _rerun_condition(suite: str, stage: Stage, study: Study) -> dg.AutomationCondition:
    edges = edges_of(stage.name, study, suite)
    made = [edge.upstream for edge in edges if suite and edge.upstream in stages_of(study, suite)]
    return rerun_condition(
        waits_for_all=not any(stage.fans_in(edge) for edge in edges if edge.loads),
        order_only=_order_only(suite, stage.name, study),
        upstream={key_of(suite, each): _order_only(suite, each, study) for each in made},
    )


def _order_only(suite: str, stage: str, study: Study) -> dg.AssetSelection | None:
    """The assets that a stage only comes after."""
    keys = [key_of(suite, edge.upstream) for edge in edges_of(stage, study, suite) if not edge.loads]
    return dg.AssetSelection.assets(*keys) if keys else None


def _label_job(suite: str, study: Study) -> Any:
    """The job that fills a suite's dose-solver grid; ``label`` for the first suite of the study."""
    name = "label" if suite == next(iter(study.suites)) else f"label_{suite.replace('-', '_').replace('.', '_')}"
    stages = ("base_labels", "solver_labels", "labeled_pairs")
    return dg.define_asset_job(
        name,
        selection=dg.AssetSelection.assets(*(key_of(suite, stage) for stage in stages)),
        description=f"Solve bases and twins of {suite}, one run a dose and solver.",
    )


def _sensors(suites: tuple[str, ...], study: Study) -> list[dg.SensorDefinition]:
    asking = [(suite, stage) for suite in suites for stage in sorted(asking_stages_of(study, suite))]
    paid = dg.AssetSelection.assets(*(key_of(suite, stage) for suite, stage in asking))
    return [
        dg.AutomationConditionSensorDefinition(
            "glass_reruns",
            target=dg.AssetSelection.all() - paid,
            default_status=dg.DefaultSensorStatus.STOPPED,
            description="Remakes what depends on a changed table, for all stages that cost nothing.",
        ),
        dg.AutomationConditionSensorDefinition(
            "paid_reruns",
            target=paid,
            default_status=dg.DefaultSensorStatus.STOPPED,
            description="Asks models anew where questions or settings changed; off until someone decides to pay.",
        ),
        settings_watch(suites, study),
    ]
