"""Holds the benchmark of solving: requests a second through the response store, beside two clients without one.

Never asserts anything (see ``glass_pipeline_tests/llm``). It needs a fake endpoint: a script that takes ``--port 0``
and ``--latency-ms``, prints its port and serves ``/v1/chat/completions``. Run
``python glass_pipeline_tests/benchmarks/solve_speed.py --server-script SCRIPT [--server-python PYTHON]``; it takes
about a minute on two cores. The three take turns; compare the ratios of their medians, not the times: the machine may
be shared.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import openai

from glass_pipeline.domain.records import ItemFacts, Question
from glass_pipeline.llm.solve import solve
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Solver


class Speed(NamedTuple):
    """What one client took."""

    name: str
    requests: int
    wall_s: float
    cpu_s: float


@contextmanager
def fake_endpoint(python: str, script: Path, latency_ms: float) -> Iterator[str]:
    """Serve the fake endpoint, and return its base URL."""
    command = [python, str(script), "--port", "0", "--latency-ms", str(latency_ms)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    finally:
        server.kill()
        server.wait()


def make_questions(n: int, samples: int) -> list[Question]:
    """Return questions of about the length of published ones."""
    setting = "The shop opens at nine, sells until noon, and closes for the day when its shelves are empty. " * 2
    questions = []
    for i in range(n):
        text = f"{setting}Mia has {i} boxes of 6 pens and gives 4 pens to Leo. How many pens does Mia have left?"
        facts = ItemFacts(gold=str(6 * i - 4), base_text=text, family=None, inject_size=None)
        questions.append(
            Question(
                item_id=f"item-{i}", text=text, answer_type="numeric", draw="base/m9", samples=samples, facts=facts
            )
        )
    return questions


Ask = Callable[[str], Awaitable[object]]


@asynccontextmanager
async def bare_aiohttp(url: str) -> AsyncIterator[Ask]:
    """Return what asks with aiohttp alone."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def ask(text: str) -> object:
            async with session.post(f"{url}/chat/completions", json=body(text)) as response:
                return await response.json()

        yield ask


@asynccontextmanager
async def bare_openai(url: str) -> AsyncIterator[Ask]:
    """Return what asks with the OpenAI client."""
    async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:
        yield lambda text: client.chat.completions.create(**body(text))


def body(text: str) -> dict[str, Any]:
    """Return one request."""
    return {"model": "fake", "messages": [{"role": "user", "content": text}], "temperature": 0.2}


def bare(name: str, client: Any, url: str, questions: Sequence[Question], concurrency: int) -> Speed:
    """Ask every sample with nothing around the client: no store, no retries, no limits."""

    async def run() -> int:
        todo = iter([question.text for question in questions for _ in range(question.samples)])
        asked = 0

        async def work(ask: Ask) -> None:
            nonlocal asked
            for text in todo:
                await ask(text)
                asked += 1

        async with client(url) as ask:
            await asyncio.gather(*(work(ask) for _ in range(concurrency)))
        return asked

    wall, cpu = time.perf_counter(), time.process_time()
    asked = asyncio.run(run())
    return Speed(name, asked, time.perf_counter() - wall, time.process_time() - cpu)


def through_store(url: str, questions: Sequence[Question], concurrency: int, store: ResponseStore) -> Speed:
    """Ask every sample as a study does: keys, store, retries, limits; each reply durable before the next."""
    solver = Solver(kind="openai", model="fake", base_url=url, concurrency=concurrency, supports_n=False)
    wall, cpu = time.perf_counter(), time.process_time()
    result = solve("fake", solver, questions, store=store, environment={}, study_seed=42)
    speed = Speed("solve", result.requests, time.perf_counter() - wall, time.process_time() - cpu)
    assert dict(result.statuses) == {"ok": sum(question.samples for question in questions)}
    return speed


def main() -> None:
    """Measure, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server-script", type=Path, required=True)
    parser.add_argument("--server-python", default=sys.executable, help="interpreter with what the script imports")
    parser.add_argument("--questions", type=int, default=1319)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--latency-ms", type=float, default=50)
    parser.add_argument("--concurrency", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    questions = make_questions(options.questions, options.samples)
    runs: dict[str, list[Speed]] = {}
    for _ in range(options.rounds):
        with (
            tempfile.TemporaryDirectory() as folder,
            closing(ResponseStore(Path(folder) / "responses.sqlite")) as store,
            fake_endpoint(options.server_python, options.server_script, options.latency_ms) as url,
        ):
            for speed in (
                bare("bare aiohttp", bare_aiohttp, url, questions, options.concurrency),
                bare("bare AsyncOpenAI", bare_openai, url, questions, options.concurrency),
                through_store(url, questions, options.concurrency, store),
            ):
                runs.setdefault(speed.name, []).append(speed)
    print(f"{options.latency_ms:g} ms latency, concurrency {options.concurrency}, median of {options.rounds}\n")
    print("| client | requests | wall s | requests/s | CPU s / 1,000 | wall / aiohttp | wall / AsyncOpenAI |")
    print("|---|---|---|---|---|---|---|")
    walls = {name: statistics.median(speed.wall_s for speed in speeds) for name, speeds in runs.items()}
    for name, speeds in runs.items():
        requests, cpu_s = speeds[0].requests, statistics.median(speed.cpu_s for speed in speeds)
        ratios = " | ".join(f"{walls[name] / walls[beside]:.2f}" for beside in ("bare aiohttp", "bare AsyncOpenAI"))
        print(
            f"| {name} | {requests} | {walls[name]:.1f} | {requests / walls[name]:.0f} | {1000 * cpu_s / requests:.2f} "
            f"| {ratios} |"
        )


if __name__ == "__main__":
    main()
