"""Holds how a command opens the Dagster instance in which its runs are recorded."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from glass_pipeline.study import Settings

QUIET = "telemetry:\n  enabled: false\n"


def dagster_home(settings: Settings) -> Path:
    """Return DAGSTER_HOME, by default the folder .dagster beside the study file."""
    return Path(settings.environment.get("DAGSTER_HOME") or settings.study_file.parent / ".dagster").resolve()


def open_instance(settings: Settings) -> dg.DagsterInstance:
    """Open the project's instance; a folder without dagster.yaml gets one that sends no telemetry."""
    home = dagster_home(settings)
    home.mkdir(parents=True, exist_ok=True)
    configuration = home / "dagster.yaml"
    if not configuration.exists():
        configuration.write_text(QUIET, encoding="utf-8")
    return dg.DagsterInstance.from_config(str(home))
