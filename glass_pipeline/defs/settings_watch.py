"""Holds the sensor that tells Dagster what glass.toml and local source files say now.

Never starts a run: it records observations of the settings assets, whose versions the automation condition compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import dagster as dg
from dagster._core.definitions.data_version import DATA_VERSION_TAG

from glass_pipeline.defs.code_versions import effective_settings, predictor_settings, solver_settings_version
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.defs.wiring import PREDICTOR_SETTINGS, SOLVER_SETTINGS, settings_key
from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.study import Study

EVERY_SECONDS = 60


def settings_watch(suites: tuple[str, ...], study: Study) -> dg.SensorDefinition:
    """Return the sensor, which runs from the start: it costs milliseconds and asks nobody."""

    @dg.sensor(
        name="settings_watch",
        minimum_interval_seconds=EVERY_SECONDS,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Observes effective settings and local source files, so that a change restales what reads them.",
    )
    def watch(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        seen = dict(json.loads(context.cursor)) if context.cursor else {}
        now = {f"{key.to_user_string()}|{part}": (key, part, version) for key, part, version in versions(suites, study)}
        events = [_observed(*now[name]) for name in now if seen.get(name) != now[name][2]]
        cursor = json.dumps({name: version for name, (_, _, version) in now.items()}, sort_keys=True)
        return dg.SensorResult(asset_events=events, cursor=cursor)

    return watch


def versions(suites: tuple[str, ...], study: Study) -> Iterator[tuple[dg.AssetKey, str, str]]:
    """Yield every settings asset, its partition and the version of it as it is now."""
    for slug in study.enabled_solvers:
        yield SOLVER_SETTINGS, slug, solver_settings_version(study.solver(slug))
    for predictor in study.predictors:
        yield PREDICTOR_SETTINGS, predictor.name, settings_hash(predictor_settings(predictor))
    for suite in suites:
        for stage in STAGES:
            yield settings_key(suite), stage, settings_hash(effective_settings(suite, stage, None, study))


def _observed(key: dg.AssetKey, partition: str, version: str) -> dg.AssetObservation:
    return dg.AssetObservation(key, partition=partition, tags={DATA_VERSION_TAG: version})
