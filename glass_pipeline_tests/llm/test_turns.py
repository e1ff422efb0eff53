"""Two runs that need the same replies at the same time pay for them once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.llm.solve import SolveResult, solve
from glass_pipeline.llm.store import ResponseStore

Make = Callable[..., Any]
HOLDS = (
    "import sys, time\n"
    "from glass_pipeline.llm.store import ResponseStore\n"
    "with ResponseStore(sys.argv[1]).turns('mini', ['twin', 'base/m1']):\n"
    "    print('held', flush=True)\n"
    "    time.sleep(60)\n"
)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store lies that two processes share."""
    return request.getfixturevalue("postgres") if request.param == "postgres" else f"{tmp_path}/responses.sqlite"


@pytest.fixture
def holder(place: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the turn of ``mini`` under two draws."""
    with subprocess.Popen([sys.executable, "-c", HOLDS, place], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_what_two_runs_ask_at_once_is_asked_once(
    place: str, endpoint: Any, answers: Any, make_solver: Make, make_question: Make
) -> None:
    """The second run waits, serves what the first one got from the store, and asks only for the rest."""
    endpoint.behave = lambda body, nth: answers.completion("#### 1", delay_s=0.1)
    solver = make_solver(concurrency=4)
    draw = f"twin/{place}"

    def run(numbers: range) -> SolveResult:
        questions = [make_question(number, draw=draw) for number in numbers]
        store = ResponseStore(place)
        return solve("mini", solver, questions, store=store, environment={}, study_seed=1)

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, [range(12), range(4, 16)]))

    assert len(endpoint.bodies) == 16
    assert len(set(endpoint.prompts)) == 16
    assert sum(result.requests for result in results) == 16
    assert sum(result.cached for result in results) == 8
    assert [len(result.replies) for result in results] == [12, 12]


def test_another_solver_or_draw_does_not_wait(place: str, holder: subprocess.Popen[str]) -> None:
    """A turn is of one solver and one draw."""
    started = time.monotonic()
    store = ResponseStore(place)
    with store.turns("other", ["twin"]), store.turns("mini", ["base/m3"]):
        waited = time.monotonic() - started

    assert waited < 2
    assert holder.poll() is None


def test_a_killed_process_gives_its_turn_up(place: str, holder: subprocess.Popen[str]) -> None:
    """Until it is killed it keeps the turn; then nobody has to clean up."""
    with ThreadPoolExecutor(1) as pool:

        def take() -> float:
            with ResponseStore(place).turns("mini", ["twin"]):
                return time.monotonic()

        taken = pool.submit(take)
        time.sleep(0.7)
        waiting = not taken.done()
        killed = time.monotonic()
        holder.send_signal(signal.SIGKILL)

        assert waiting
        assert killed <= taken.result(timeout=20) < killed + 10
