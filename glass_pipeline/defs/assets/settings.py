"""Holds the observed settings: what a person changed in glass.toml, as data versions that restale what they affect."""

import dagster as dg

from glass_pipeline.defs.code_versions import effective_settings, predictor_settings, solver_settings_version
from glass_pipeline.defs.partitions import solver_partitions
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.defs.wiring import PREDICTOR_SETTINGS, SOLVER_SETTINGS, settings_key
from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.study import Study


def solver_settings_asset(study: Study) -> dg.SourceAsset:
    """Return ``solver_settings``: one partition a solver, its version the hash of what can change its answers."""

    @dg.observable_source_asset(
        key=SOLVER_SETTINGS,
        partitions_def=solver_partitions(study.enabled_solvers),
        group_name="settings",
        tags={"dagster/kind/toml": ""},
        description="Effective settings of each solver; changing a prompt or model restales that solver only.",
    )
    def solver_settings() -> dg.DataVersionsByPartition:
        return dg.DataVersionsByPartition(
            {slug: solver_settings_version(study.solver(slug)) for slug in study.enabled_solvers}
        )

    return solver_settings


def predictor_settings_asset(study: Study) -> dg.SourceAsset:
    """Return ``predictor_settings``: one partition a predictor, its version the hash of its declaration."""

    @dg.observable_source_asset(
        key=PREDICTOR_SETTINGS,
        partitions_def=dg.StaticPartitionsDefinition(list(study.predictor_names)),
        group_name="settings",
        description="Declaration of each predictor; changing one retrains that predictor only.",
        tags={"dagster/kind/toml": ""},
    )
    def predictor_settings_of_each() -> dg.DataVersionsByPartition:
        return dg.DataVersionsByPartition(
            {each.name: settings_hash(predictor_settings(each)) for each in study.predictors}
        )

    return predictor_settings_of_each


def study_settings_asset(suite: str, study: Study) -> dg.SourceAsset:
    """Return ``study_settings`` of a suite: one partition a stage, its version the hash of what that stage reads."""

    @dg.observable_source_asset(
        key=settings_key(suite),
        partitions_def=dg.StaticPartitionsDefinition(list(STAGES)),
        group_name="settings",
        tags={"dagster/kind/toml": ""},
        description="Effective settings of each stage; changing one restales the stages that read it.",
    )
    def study_settings() -> dg.DataVersionsByPartition:
        return dg.DataVersionsByPartition(
            {stage: settings_hash(effective_settings(suite, stage, None, study)) for stage in STAGES}
        )

    return study_settings
