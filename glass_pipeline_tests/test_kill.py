"""kill -9 in the middle of labelling, again and again, then the same command: nothing lost, nothing twice."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from glass_pipeline.defs.keys import Cell, cells_of
from glass_pipeline.defs.warehouse import Warehouse

CONCURRENCY = 8
SAMPLES = 5
COMPARED = ("base_labels", "solver_labels", "labeled_pairs", "causal_difficulty")
STAGES = ("base_problems", "distractors", "twins", "noop_audit", "multiop_mix", *COMPARED)
COMMAND = [Path(sys.executable).parent / "glass", "run", "mini", *(f"--select={stage}" for stage in STAGES)]
IN_FLIGHT_S = 0.3
"""What a killed process has sent is counted within this time."""


def study_in(folder: Path, url: str, items: int) -> Path:
    """Write a study of one dose and one solver behind an endpoint that ignores n."""
    folder.mkdir()
    (folder / "glass.toml").write_text(
        f'[study]\nadjudicator = "none"\ndoses = [1]\nsamples = {SAMPLES}\n'
        f'[suites.mini]\nsource = "glassmini"\nsize = {items}\n'
        f'[solvers.m]\nkind = "openai"\nmodel = "m"\nbase_url = "{url}"\nsupports_n = false\n'
        f"concurrency = {CONCURRENCY}\n"
    )
    return folder


def tables(folder: Path) -> dict[str, str]:
    """Data version of every table, by name."""
    warehouse = Warehouse(folder / "warehouse")
    cells = [cell for stage in COMPARED for cell in grid(stage)]
    return {str(cell): found.data_version for cell in cells if (found := warehouse.provenance(cell))}


def grid(stage: str) -> list[Cell]:
    """Cells of a stage in this study."""
    return list(cells_of("mini", stage, doses=(1,), solvers=("m",)))


def stored(folder: Path, what: str) -> int:
    """One number from the response store."""
    with closing(sqlite3.connect(folder / "warehouse" / "responses" / "responses.sqlite")) as store:
        return int(store.execute(f"select {what}").fetchone()[0])


def killed_once(folder: Path, endpoint: Any, requests: int) -> None:
    """Start the run, and kill it and all its children once it has sent so many further requests."""
    until = endpoint.asked.total() + requests
    process = subprocess.Popen(COMMAND, cwd=folder, start_new_session=True, stderr=subprocess.DEVNULL)
    while endpoint.asked.total() < until:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(IN_FLIGHT_S)


@pytest.mark.parametrize(
    ("kills", "items", "at_most"),
    [pytest.param(5, 30, 60, id="5"), pytest.param(100, 100, 13, id="100", marks=pytest.mark.slow)],
)
def test_a_run_killed_again_and_again_is_resumed(
    tmp_path: Path, endpoint: Any, kills: int, items: int, at_most: int
) -> None:
    """Tables equal an uninterrupted run's; each kill costs at most what was in flight; nothing is stored twice."""
    killed = study_in(tmp_path / "killed", endpoint.url, items)
    whole = study_in(tmp_path / "whole", endpoint.url, items)
    draws = random.Random(kills)
    lost = [0]
    for _ in range(kills):
        killed_once(killed, endpoint, draws.randint(1, at_most))
        lost.append(endpoint.asked.total() - stored(killed, "count(*) from responses"))
    subprocess.run(COMMAND, cwd=killed, check=True, capture_output=True)
    asked = endpoint.asked.total()
    endpoint.asked.clear()
    subprocess.run(COMMAND, cwd=whole, check=True, capture_output=True)
    needed = endpoint.asked.total()
    subprocess.run(COMMAND, cwd=killed, check=True, capture_output=True)

    print(f"{kills} kills, {needed} requests needed, {asked - needed} repeated")
    each = [after - before for before, after in pairwise(lost)]
    assert min(each) >= 0
    assert max(each) <= CONCURRENCY
    assert asked == needed + lost[-1]
    assert endpoint.asked.total() == needed
    assert stored(killed, "count(*) from responses") == needed
    assert stored(killed, "count(distinct key) from responses where round = 0") == needed
    assert stored(killed, "count(*) from attempts where status = 'ok'") == needed
    assert stored(killed, "count(*) from attempts") == needed
    assert tables(killed) == tables(whole)
    assert len(tables(whole)) == len(COMPARED)
    labels = pl.read_parquet(Warehouse(killed / "warehouse").path(grid("base_labels")[0]))
    assert labels.height == labels["base_id"].n_unique() == items
