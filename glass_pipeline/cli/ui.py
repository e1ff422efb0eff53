"""Holds ``glass ui``: Dagster's web page and daemon for one study, started and stopped together."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from glass_pipeline.cli.errors import InputError
from glass_pipeline.study import settings_from

POLL_S = 0.5


def ui(port: int, study_file: Path | None) -> None:
    """Run the web page and the daemon until one ends or Ctrl-C."""
    _, settings = settings_from(os.environ, study_file)
    folder = settings.study_file.parent
    workspace = folder / "workspace.yaml"
    if not workspace.is_file():
        raise InputError(f"{workspace}: no such file; run `glass ui` from the project's folder.")
    home = Path(os.environ.get("DAGSTER_HOME") or folder / ".dagster").resolve()
    home.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "DAGSTER_HOME": str(home),
        "DAGSTER_DISABLE_TELEMETRY": "1",
        "GLASS_STUDY": str(settings.study_file),
    }
    scripts = Path(sys.executable).parent
    commands = (
        [str(scripts / "dagster-webserver"), "-h", "127.0.0.1", "-p", str(port), "-w", str(workspace)],
        [str(scripts / "dagster-daemon"), "run", "-w", str(workspace)],
    )
    print(f"Open http://127.0.0.1:{port} (Ctrl-C stops).", flush=True)
    processes = [subprocess.Popen(command, cwd=folder, env=environment) for command in commands]
    try:
        while all(process.poll() is None for process in processes):
            time.sleep(POLL_S)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=30)
