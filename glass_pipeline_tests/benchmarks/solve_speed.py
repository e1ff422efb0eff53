"""Holds the benchmark of solving: requests a second through the response store, beside the bare OpenAI client.

Never asserts anything (see ``glass_pipeline_tests/llm``). It needs a fake endpoint: a script that takes ``--port 0``
and ``--latency-ms``, prints its port and serves ``/v1/chat/completions``. Run
``python glass_pipeline_tests/benchmarks/solve_speed.py --server-script SCRIPT [--server-python PYTHON]``; it takes
about a minute on two cores. Compare the ratios, not the times: the machine is shared.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

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

    def row(self, beside: Speed) -> str:
        """Return one row of the table."""
        per_thousand = 1000 * self.cpu_s / self.requests
        return (
            f"| {self.name} | {self.requests} | {self.wall_s:.1f} | {self.requests / self.wall_s:.0f} | "
            f"{per_thousand:.2f} | {self.wall_s / beside.wall_s:.2f} |"
        )


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


def bare_client(url: str, questions: Sequence[Question], concurrency: int) -> Speed:
    """Ask every sample with nothing around the client: no store, no retries, no limits."""

    async def run() -> int:
        client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
        todo = iter([question for question in questions for _ in range(question.samples)])
        asked = 0

        async def work() -> None:
            nonlocal asked
            for question in todo:
                await client.chat.completions.create(
                    model="fake", messages=[{"role": "user", "content": question.text}], temperature=0.2
                )
                asked += 1

        async with client:
            await asyncio.gather(*(work() for _ in range(concurrency)))
        return asked

    wall, cpu = time.perf_counter(), time.process_time()
    asked = asyncio.run(run())
    return Speed("bare AsyncOpenAI", asked, time.perf_counter() - wall, time.process_time() - cpu)


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
    options = parser.parse_args()
    questions = make_questions(options.questions, options.samples)
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(ResponseStore(Path(folder) / "responses.sqlite")) as store,
        fake_endpoint(options.server_python, options.server_script, options.latency_ms) as url,
    ):
        bare = bare_client(url, questions, options.concurrency)
        solved = through_store(url, questions, options.concurrency, store)
        bare_again = bare_client(url, questions, options.concurrency)
    mean_bare = bare._replace(wall_s=(bare.wall_s + bare_again.wall_s) / 2)
    print(f"{options.latency_ms:g} ms latency, concurrency {options.concurrency}\n")
    print("| client | requests | wall s | requests/s | CPU s / 1,000 | wall / bare |\n|---|---|---|---|---|---|")
    for speed in (bare, solved, bare_again):
        print(speed.row(mean_bare))


if __name__ == "__main__":
    main()
