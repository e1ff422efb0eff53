"""The same graph on Postgres, Redis, Celery workers and a bucket, for real, on loopback; then each of them killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import dagster as dg
import pytest
from dagster._core.storage.dagster_run import FINISHED_STATUSES

from glass_pipeline.defs.keys import Cell, cells_of
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import settings_from

pytestmark = pytest.mark.far

PROJECT = Path(__file__).resolve().parents[1]
SCRIPTS = Path(sys.executable).parent
GLASS = SCRIPTS / "glass"
FILLS_WITHIN_S = 420
LAUNCH = """
mutation($of: LaunchBackfillParams!) {
  launchPartitionBackfill(backfillParams: $of) { __typename ... on PythonError { message } }
}
"""
FREE = ("base_problems", "distractors", "twins", "noop_audit", "multiop_mix")
LABELLED = ("base_labels", "solver_labels", "labeled_pairs")
CONCURRENCY = 4
STEPS_AT_ONCE = 2
UNFINISHED = [status for status in dg.DagsterRunStatus if status not in FINISHED_STATUSES]
STUDY = f"""
[study]
adjudicator = "none"
doses = [1, 3]
samples = 3
[suites.mini]
source = "glassmini"
size = 6
solvers = ["planted"]
[suites.killed]
source = "glassmini"
size = 20
doses = [1, 3, 5]
solvers = ["m"]
[solvers.planted]
kind = "planted"
[solvers.m]
kind = "openai"
model = "m"
base_url = "{{endpoint}}"
supports_n = false
concurrency = {CONCURRENCY}
"""
INSTANCE = f"""
telemetry:
  enabled: false
storage:
  postgres:
    postgres_url: {{url}}
concurrency:
  runs:
    max_concurrent_runs: {STEPS_AT_ONCE}
run_retries:
  enabled: true
  max_retries: 5
run_monitoring:
  enabled: true
  poll_interval_seconds: 5
  max_runtime_seconds: 40
"""
CELERY = """
execution:
  config:
    broker: {redis}
    backend: {redis}
    config_source:
      task_acks_late: true
      task_reject_on_worker_lost: true
      broker_transport_options:
        visibility_timeout: 20
        unacked_restore_interval: 1
        unacked_restore_throttle: 1
"""


class Cluster:
    """A study whose runs and replies are in Postgres, whose tables are in a bucket, whose steps run on a worker."""

    def __init__(self, folder: Path, services: Mapping[str, str], port: int, endpoint: Any) -> None:
        self.folder, self.port, self.endpoint = folder, port, endpoint
        self.environment = {
            **os.environ,
            # The worker is started by name, and must be that of this environment.
            "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}",
            **services,
            "DAGSTER_HOME": str(folder / "home"),
            "GLASS_STUDY": str(folder / "glass.toml"),
            "GLASS_EXECUTOR": "celery",
            "GLASS_WAREHOUSE": f"s3://glass/{folder.name}",
        }
        (folder / "home").mkdir()
        (folder / "glass.toml").write_text(STUDY.format(endpoint=endpoint.url))
        (folder / "home" / "dagster.yaml").write_text(INSTANCE.format(url=services["GLASS_RESPONSE_STORE"]))
        (folder / "celery.yaml").write_text(CELERY.format(redis=services["GLASS_CELERY_BROKER"]))
        (folder / "workspace.yaml").write_text((PROJECT / "workspace.yaml").read_text())
        self.study, self.settings = settings_from(self.environment, folder / "glass.toml")
        self.warehouse = Warehouse(self.settings.warehouse)
        self.processes = {name: self.start(name) for name in ("worker", "daemon")}

    def start(self, name: str) -> subprocess.Popen[bytes]:
        """Start a process of the cluster; its output goes to a log beside the study."""
        workspace = ("-w", str(self.folder / "workspace.yaml"))
        celery = ("-A", "dagster_celery.app", "-y", str(self.folder / "celery.yaml"))
        pool = ("--", "--concurrency", str(STEPS_AT_ONCE), "--pool", "prefork")
        command = {
            "worker": ("dagster-celery", "worker", "start", *celery, *pool),
            "daemon": ("dagster-daemon", "run", *workspace),
            "webserver": ("dagster-webserver", "-h", "127.0.0.1", "-p", str(self.port), *workspace),
        }[name]
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [SCRIPTS / command[0], *command[1:]],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def kill(self, name: str) -> None:
        """Kill -9 a process and all its children."""
        os.killpg(self.processes[name].pid, signal.SIGKILL)
        self.processes[name].wait()

    def restart(self, name: str) -> None:
        """Start a process again; one that is still there is ended first."""
        self.stop(name)
        self.processes[name] = self.start(name)

    def stop(self, name: str) -> None:
        """End a process and its children, if it runs."""
        if self.processes[name].poll() is None:
            os.killpg(self.processes[name].pid, signal.SIGTERM)
        self.processes[name].wait(timeout=60)

    def call(self, command: str | Path, *arguments: str) -> str:
        """Run one command to its end."""
        done = subprocess.run(
            [SCRIPTS / command, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def make_free(self, suite: str) -> None:
        """Make what costs nothing in this process."""
        self.call("glass", "run", suite, *(f"--select={stage}" for stage in FREE))

    def backfill_from_page(self, job: str, partitions: list[str]) -> None:
        """Have the daemon fill a grid, as the web page does: a run that dies is then started again."""
        self.wait_until(self.answers, "the web page")
        repository = {"repositoryName": "__repository__", "repositoryLocationName": "glass_pipeline"}
        selector = {"partitionSetName": f"{job}_partition_set", "repositorySelector": repository}
        asked = {"query": LAUNCH, "variables": {"of": {"selector": selector, "partitionNames": partitions}}}
        url, kind = f"http://127.0.0.1:{self.port}/graphql", {"content-type": "application/json"}
        with urlopen(Request(url, json.dumps(asked).encode(), kind), timeout=60) as reply:
            answer = reply.read()
        assert b"LaunchBackfillSuccess" in answer, answer

    def is_idle(self) -> bool:
        """Whether no run is queued or under way, and none will be: looked at twice, as a retry takes a moment."""
        unfinished = dg.RunsFilter(statuses=UNFINISHED)
        with dg.DagsterInstance.from_config(str(self.folder / "home")) as instance:
            return not (instance.get_runs_count(unfinished) or time.sleep(15) or instance.get_runs_count(unfinished))

    def grid(self, suite: str) -> list[Cell]:
        """The labelled cells of a suite."""
        doses, solvers = self.study.doses_of(suite), self.study.solvers_of(suite)
        return [cell for stage in LABELLED for cell in cells_of(suite, stage, doses=doses, solvers=solvers)]

    def is_filled(self, suite: str) -> bool:
        """Whether every labelled cell of a suite exists."""
        return all(self.warehouse.has(cell) for cell in self.grid(suite))

    def wait_until(self, condition: Callable[[], bool], what: str, poll_s: float = 0.5) -> None:
        """Poll until a condition holds."""
        deadline = time.monotonic() + FILLS_WITHIN_S
        while not condition():
            if time.monotonic() > deadline:
                logs = {name: (self.folder / f"{name}.log").read_text()[-3000:] for name in self.processes}
                pytest.fail(f"{what}: not within {FILLS_WITHIN_S} s; {logs}")
            time.sleep(poll_s)

    def asked_further(self, requests: int) -> None:
        """Wait until the endpoint has had so many further requests; the grid must not be full by then."""
        until = self.endpoint.asked.total() + requests
        self.wait_until(lambda: self.endpoint.asked.total() >= until, f"{requests} further requests", 0.01)
        assert not self.is_filled("killed")

    def answers(self) -> bool:
        """Whether the web page answers."""
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/server_info", timeout=5) as reply:
                return bool(reply.status == 200)
        except (URLError, ConnectionError, TimeoutError):
            return False


@pytest.fixture
def cluster(
    tmp_path: Path, postgres: str, redis: str, s3: Mapping[str, str], endpoint: Any, a_port: int
) -> Iterator[Cluster]:
    """A cluster whose daemon and worker run until the test ends."""
    services = {**s3, "GLASS_CELERY_BROKER": redis, "GLASS_RESPONSE_STORE": postgres}
    made = Cluster(tmp_path, services, a_port, endpoint)
    try:
        yield made
    finally:
        for name in made.processes:
            made.stop(name)


def test_a_backfill_fills_the_grid_through_celery_postgres_and_s3(cluster: Cluster) -> None:
    """The worker executes the steps, tables lie in the bucket, replies in Postgres, and a rerun asks nothing."""
    cluster.make_free("mini")
    cluster.call("dagster", "job", "backfill", "-w", "workspace.yaml", "-j", "label", "--all", "all", "--noprompt")
    cluster.wait_until(lambda: cluster.is_filled("mini"), "the grid")

    assert "succeeded" in (cluster.folder / "worker.log").read_text()
    assert '"samples_asked": 0' in cluster.call("glass", "run", "mini", "--json")
    assert '"made": []' in cluster.call("glass", "run", "mini", "--json")
    assert f"Report: {cluster.warehouse.root}/mini/report/report.html" in cluster.call("glass", "report", "mini")
    assert cluster.call("glass", "query", "select count(*) as n from mini.base_labels", "--json") == '{"n":12}\n'
    assert not (cluster.folder / "warehouse").exists()


@pytest.mark.slow
def test_a_backfill_survives_every_part_of_the_cluster(
    cluster: Cluster, postgres_server: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Web page, daemon, worker and database are killed in turn, mid-request, and started again: the grid completes.

    The daemon starts again what died, unless it was itself away when the last run failed; then the same backfill is
    launched once more. Nothing is lost: the tables equal those of an uninterrupted run. Nothing is twice: every reply
    was stored once, and only what was in flight when its worker or the database died was asked again.
    """
    cluster.endpoint.takes_s = 0.2
    partitions = [f"m{dose}|m" for dose in cluster.study.doses_of("killed")]
    cluster.processes["webserver"] = cluster.start("webserver")
    cluster.make_free("killed")
    cluster.backfill_from_page("label_killed", partitions)
    for name in ("webserver", "daemon", "worker"):
        cluster.asked_further(30)
        cluster.kill(name)
        cluster.restart(name)
    cluster.asked_further(30)
    postgres_server.stop(signal.SIGKILL)
    time.sleep(2)
    postgres_server.start()
    for name in ("webserver", "daemon"):
        cluster.restart(name)
    launched = 1
    cluster.wait_until(lambda: cluster.is_filled("killed") or cluster.is_idle(), "the grid, or the end of all runs")
    if not cluster.is_filled("killed"):
        launched += 1
        cluster.backfill_from_page("label_killed", partitions)
    cluster.wait_until(lambda: cluster.is_filled("killed"), "the grid")
    cluster.wait_until(cluster.answers, "the web page")
    asked = cluster.endpoint.asked.total()

    cluster.endpoint.asked.clear()
    cluster.endpoint.takes_s = 0.0
    alone = replace(cluster.settings, warehouse=tmp_path_factory.mktemp("alone"))
    environment = {"GLASS_EXECUTOR": "", "GLASS_RESPONSE_STORE": "", "GLASS_WAREHOUSE": str(alone.warehouse)}
    cluster.environment |= {**environment, "DAGSTER_HOME": str(alone.warehouse / "home")}
    cluster.call("glass", "run", "killed", *(f"--select={stage}" for stage in (*FREE, *LABELLED)))
    needed = cluster.endpoint.asked.total()
    with closing(ResponseStore(postgres_server.url)) as store:
        attempts = store.attempts_by_status("m")

    print(f"{needed} requests needed, {asked - needed} repeated, attempts stored {attempts}, launched {launched} times")
    assert attempts == {"ok": needed}
    assert needed <= asked <= needed + 2 * STEPS_AT_ONCE * CONCURRENCY
    versions = [
        {str(cell): made.data_version for cell in cluster.grid("killed") if (made := house.provenance(cell))}
        for house in (cluster.warehouse, Warehouse(alone.warehouse))
    ]
    assert versions[0] == versions[1]
    assert len(versions[0]) == len(LABELLED) * len(cluster.study.doses_of("killed"))
