"""The same graph on Postgres, Redis and Celery workers, for real, on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from glass_pipeline.defs.keys import cells_of
from glass_pipeline.defs.warehouse import Warehouse

pytestmark = pytest.mark.far

PROJECT = Path(__file__).resolve().parents[1]
SCRIPTS = Path(sys.executable).parent
FILLS_WITHIN_S = 420
STUDY = """
[study]
adjudicator = "none"
doses = [1, 3]
[suites.mini]
source = "glassmini"
size = 6
[solvers.planted]
kind = "planted"
"""
INSTANCE = """
telemetry:
  enabled: false
storage:
  postgres:
    postgres_url: {url}
concurrency:
  runs:
    max_concurrent_runs: 2
"""
CELERY = """
execution:
  config:
    broker: {redis}
    backend: {redis}
"""


class Cluster:
    """A study whose runs are recorded in Postgres, whose steps run on a Celery worker."""

    def __init__(self, folder: Path, postgres: str, redis: str) -> None:
        self.folder = folder
        self.warehouse = Warehouse(folder / "warehouse")
        self.environment = {
            **os.environ,
            "DAGSTER_HOME": str(folder / "home"),
            "GLASS_STUDY": str(folder / "glass.toml"),
            "GLASS_EXECUTOR": "celery",
            "GLASS_CELERY_BROKER": redis,
            "GLASS_RESPONSE_STORE": postgres,
        }
        (folder / "home").mkdir()
        (folder / "glass.toml").write_text(STUDY)
        (folder / "home" / "dagster.yaml").write_text(INSTANCE.format(url=postgres))
        (folder / "celery.yaml").write_text(CELERY.format(redis=redis))
        workspace = (PROJECT / "workspace.yaml").read_text()
        (folder / "workspace.yaml").write_text(workspace)

    def start(self, *command: str | Path) -> subprocess.Popen[bytes]:
        """Start a process of the cluster; its output goes to a log beside the study."""
        with (self.folder / f"{Path(command[0]).name}.log").open("ab") as log:
            return subprocess.Popen(
                command, cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a Celery worker that executes steps."""
        arguments = ("worker", "start", "-A", "dagster_celery.app", "-y", self.folder / "celery.yaml")
        return self.start(SCRIPTS / "dagster-celery", *arguments, "--", "--concurrency", "2", "--pool", "prefork")

    def daemon(self) -> subprocess.Popen[bytes]:
        """Start the daemon, which launches the runs of a backfill."""
        return self.start(SCRIPTS / "dagster-daemon", "run", "-w", self.folder / "workspace.yaml")

    def call(self, *command: str | Path) -> str:
        """Run one command to its end."""
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def labels(self) -> list[Path]:
        """The files of the dose-solver grid that exist."""
        stages = ("base_labels", "solver_labels", "labeled_pairs")
        cells = [cell for stage in stages for cell in cells_of("mini", stage, doses=(1, 3), solvers=("planted",))]
        return [self.warehouse.path(cell) for cell in cells if self.warehouse.path(cell).is_file()]


def stop(*processes: subprocess.Popen[bytes]) -> None:
    """Stop processes and their children."""
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
    for process in processes:
        process.wait(timeout=60)


def wait_until(condition: Callable[[], bool], what: Callable[[], str]) -> None:
    """Poll until a condition holds."""
    deadline = time.monotonic() + FILLS_WITHIN_S
    while not condition():
        assert time.monotonic() < deadline, what()
        time.sleep(0.5)


@pytest.fixture
def cluster(tmp_path: Path, postgres: str, redis: str) -> Iterator[Cluster]:
    """A cluster whose daemon and worker run until the test ends."""
    made = Cluster(tmp_path, postgres, redis)
    processes = [made.worker(), made.daemon()]
    try:
        yield made
    finally:
        stop(*processes)


def test_a_backfill_fills_the_grid_through_celery_and_postgres(cluster: Cluster) -> None:
    """Runs and replies are in Postgres, the worker executes the steps, and a rerun asks nothing."""
    glass = SCRIPTS / "glass"
    free = ("base_problems", "distractors", "twins", "noop_audit", "multiop_mix")
    cluster.call(glass, "run", "mini", *(word for stage in free for word in ("--select", stage)))
    cluster.call(
        SCRIPTS / "dagster", "job", "backfill", "-w", "workspace.yaml", "-j", "label", "--all", "all", "--noprompt"
    )

    wait_until(lambda: len(cluster.labels()) == 6, lambda: f"only {cluster.labels()} after {FILLS_WITHIN_S} s")

    assert "succeeded" in (cluster.folder / "dagster-celery.log").read_text()
    again = cluster.call(glass, "run", "mini", "--json")
    assert '"samples_asked": 0' in again
    assert not (cluster.folder / "warehouse" / "responses").exists()
