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
from glass_pipeline.defs.assets.audit import audit_assets
from glass_pipeline.defs.assets.corpus import corpus_assets
from glass_pipeline.defs.assets.estimands import estimands_assets
from glass_pipeline.defs.assets.grading import grading_assets
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
from glass_pipeline.defs.io_managers import ParquetIOManager
from glass_pipeline.defs.keys import IMPORTED, STAGES, Stage, edges_of, stages_of
from glass_pipeline.defs.partitions import partitions_of
from glass_pipeline.defs.resources import SolverResource, SourceResource
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import key_of
from glass_pipeline.study import Settings, Study, StudyError, known_suites

LABELLING = ("base_labels", "solver_labels", "base_probes")
"""Stages that may cost money; their reruns are decided by a person."""

LABELLED = (problems_assets, twins_assets, audit_assets, corpus_assets, grading_assets)
"""Factories of the stages from problems to labels."""
ESTIMATING = (estimands_assets, reliability_assets, predictors_assets, report_assets)
"""Factories of the stages that need nothing but labels."""

MADE_BESIDE = frozenset({"declines"})
"""Stages that another stage makes; they are never requested alone."""

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
    cells = len(study.dose_keys) * len(study.enabled_solvers)
    if cells > MOST_PARTITIONS:
        raise StudyError(f"glass.toml: {cells} dose-solver pairs, at most {MOST_PARTITIONS}; disable some solvers.")
    trained = len(study.predictors) * len(study.enabled_solvers)
    if trained > MOST_PARTITIONS:
        raise StudyError(f"glass.toml: {trained} predictor-solver pairs, at most {MOST_PARTITIONS}; declare fewer.")
    warehouse = Warehouse(settings.warehouse)
    chosen = suites or known_suites(study, warehouse.suites_present())
    with warnings.catch_warnings():
        # Partition mappings, observable sources and partitioned checks are beta in this pinned Dagster; known.
        warnings.simplefilter("ignore", dg.BetaWarning)
        warnings.simplefilter("ignore", dg.PreviewWarning)
        return _assembled(study, settings, chosen, resources or {})


def _assembled(
    study: Study, settings: Settings, chosen: tuple[str, ...], resources: Mapping[str, Any]
) -> dg.Definitions:
    return dg.Definitions(
        assets=[
            *synth_cd_assets(study.study.seed),
            solver_settings_asset(study),
            *([predictor_settings_asset(study)] if study.predictors else []),
            *(each for suite in chosen for each in _suite_assets(suite, study)),
        ],
        asset_checks=[check for suite in chosen for check in checks_of(suite, study)],
        jobs=[_label_job(suite, study) for suite in chosen if "base_labels" in stages_of(study, suite)],
        sensors=_sensors(chosen, study),
        resources={**default_resources(study, settings), **resources},
        executor=dg.in_process_executor,
    )


def default_resources(study: Study, settings: Settings) -> dict[str, Any]:
    """Return the resources that every asset may ask for."""
    warehouse = Warehouse(settings.warehouse)
    return {
        "io_manager": ParquetIOManager(warehouse, study),
        "sources": SourceResource(study, warehouse, settings.environment),
        "solvers": SolverResource(study, warehouse, settings.environment),
        "warehouse": dg.ResourceDefinition.hardcoded_resource(warehouse),
    }


def _suite_assets(suite: str, study: Study) -> list[Any]:
    imported = study.suite(suite).source == "imported"
    found = [_imported(suite, stage, study) for stage in IMPORTED] if imported else []
    factories = ESTIMATING if imported else (*LABELLED, *ESTIMATING)
    policy = partial(_with_policy, study)
    made = [asset.map_asset_specs(policy) for factory in factories for asset in factory(suite, study)]
    return [study_settings_asset(suite, study), *found, *made]


def _imported(suite: str, stage: str, study: Study) -> dg.AssetSpec:
    return dg.AssetSpec(
        key_of(suite, stage),
        partitions_def=partitions_of(STAGES[stage], study, suite),
        group_name=STAGES[stage].group,
        description="Imported: `glass import-pairs` puts this table into the warehouse.",
    )


def _with_policy(study: Study, spec: dg.AssetSpec) -> dg.AssetSpec:
    suite, name = spec.key.path
    condition = None if name in MADE_BESIDE else _rerun_condition(suite, STAGES[name], study)
    return spec.replace_attributes(code_version=version_of(name), owners=["team:glass"], automation_condition=condition)


def _rerun_condition(suite: str, stage: Stage, study: Study) -> dg.AutomationCondition:
    edges = edges_of(stage.name, study, suite)
    order_only = [key_of(suite, edge.upstream) for edge in edges if not edge.loads]
    return rerun_condition(
        waits_for_all=not any(stage.fans_in(edge) for edge in edges if edge.loads),
        order_only=dg.AssetSelection.assets(*order_only) if order_only else None,
    )


def _label_job(suite: str, study: Study) -> Any:
    """The job that fills a suite's dose-solver grid; ``label`` for the first suite of the study."""
    name = "label" if suite == next(iter(study.suites)) else f"label_{suite.replace('-', '_').replace('.', '_')}"
    stages = ("base_labels", "solver_labels", "labeled_pairs")
    return dg.define_asset_job(
        name,
        selection=dg.AssetSelection.assets(*(key_of(suite, stage) for stage in stages)),
        description=f"Solve bases and twins of {suite}, one run a dose and solver.",
    )


def _paid(study: Study, suite: str) -> tuple[str, ...]:
    stages = stages_of(study, suite)
    return tuple(stage for stage in LABELLING if stage in stages)


def _sensors(suites: tuple[str, ...], study: Study) -> list[dg.SensorDefinition]:
    paid = dg.AssetSelection.assets(*(key_of(suite, stage) for suite in suites for stage in _paid(study, suite)))
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
            description="Solves anew where bases, mixes or solver settings changed; off until someone decides to pay.",
        ),
    ]
