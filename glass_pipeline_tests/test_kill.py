"""kill -9 in the middle of labelling, then the same command: nothing lost, nothing twice."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import polars as pl
import pytest

from glass_pipeline.defs.keys import Cell, cells_of
from glass_pipeline.defs.warehouse import Warehouse

GLASS = Path(sys.executable).parent / "glass"
CONCURRENCY = 8
ITEMS = 30
SAMPLES = 5
KILL_AFTER = 120
"""Requests, of 150 for the bases of one dose."""


class SlowEndpoint(ThreadingHTTPServer):
    """Answers every question with a number that depends on its text alone, after a short while."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: Counter[str] = Counter()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Base URL for a solver."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    """One chat completion a POST."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer, and count what was asked."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = body["messages"][-1]["content"]
        assert isinstance(self.server, SlowEndpoint)
        with self.server.lock:
            self.server.asked[text] += 1
        time.sleep(0.02)
        number = hashlib.sha256(text.encode()).digest()[0]
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"#### {number}"}}
        reply = json.dumps({"object": "chat.completion", "model": "m", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[SlowEndpoint]:
    """An endpoint on loopback."""
    with SlowEndpoint() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def study_in(folder: Path, url: str) -> Path:
    """Write a study of one dose and one solver behind an endpoint that ignores n."""
    folder.mkdir()
    (folder / "glass.toml").write_text(
        f'[study]\nadjudicator = "none"\ndoses = [1]\nsamples = {SAMPLES}\n'
        f'[suites.mini]\nsource = "glassmini"\nsize = {ITEMS}\n'
        f'[solvers.m]\nkind = "openai"\nmodel = "m"\nbase_url = "{url}"\nsupports_n = false\n'
        f"concurrency = {CONCURRENCY}\n"
    )
    return folder


def tables(folder: Path) -> dict[str, str]:
    """Data version of every table, by name."""
    warehouse = Warehouse(folder / "warehouse")
    cells = [
        cell for stage in ("base_labels", "solver_labels", "labeled_pairs", "causal_difficulty") for cell in grid(stage)
    ]
    return {str(cell): found.data_version for cell in cells if (found := warehouse.provenance(cell))}


def grid(stage: str) -> list[Cell]:
    """Cells of a stage in this study."""
    return list(cells_of("mini", stage, doses=(1,), solvers=("m",)))


def test_a_killed_run_is_resumed(tmp_path: Path, endpoint: SlowEndpoint) -> None:
    """The tables equal an uninterrupted run's; only what was in flight is asked again; no key occurs twice."""
    command = [GLASS, "run", "mini"]
    killed, whole = study_in(tmp_path / "killed", endpoint.url), study_in(tmp_path / "whole", endpoint.url)
    process = subprocess.Popen(command, cwd=killed, start_new_session=True, stderr=subprocess.DEVNULL)
    while endpoint.asked.total() < KILL_AFTER and process.poll() is None:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(0.5)
    before = endpoint.asked.total()

    subprocess.run(command, cwd=killed, check=True, capture_output=True)
    asked = endpoint.asked.total()
    endpoint.asked.clear()
    subprocess.run(command, cwd=whole, check=True, capture_output=True)
    needed = endpoint.asked.total()
    subprocess.run(command, cwd=killed, check=True, capture_output=True)

    assert KILL_AFTER <= before < needed
    assert needed <= asked <= needed + CONCURRENCY
    assert endpoint.asked.total() == needed
    assert tables(killed) == tables(whole)
    assert len(tables(whole)) == 4
    labels = pl.read_parquet(Warehouse(killed / "warehouse").path(grid("base_labels")[0]))
    assert labels.height == labels["base_id"].n_unique() == ITEMS
