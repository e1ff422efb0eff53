"""Tests of a pace that several processes share."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from glass_pipeline.llm.limits import Pace
from glass_pipeline.llm.notes import Noted, OwnNotes, SharedNotes, notes_of


def test_notes_are_seen_by_another_who_uses_the_file(tmp_path: Path) -> None:
    """What one notes another finds, and each change starts from what was noted last."""
    one, other = (notes_of(tmp_path, "mini") for _ in range(2))

    first = one.change(lambda noted: noted._replace(requests_at=1.5))
    second = other.change(lambda noted: noted._replace(tokens_at=noted.requests_at + 1))

    assert (first, second) == (Noted(), Noted(requests_at=1.5))
    assert notes_of(tmp_path, "mini").look() == Noted(requests_at=1.5, tokens_at=2.5)
    assert notes_of(tmp_path, "maxi").look() == Noted()


def test_without_a_folder_notes_are_ones_own() -> None:
    """A store behind a URL has no file to put them beside."""
    assert isinstance(notes_of(None, "mini"), OwnNotes)


def test_damaged_notes_are_no_notes(tmp_path: Path) -> None:
    """Half a file stops nobody."""
    (tmp_path / "pace-mini.json").write_text("[17.0, 3.")

    assert SharedNotes(tmp_path / "pace-mini.json").look() == Noted()


def test_notes_from_before_a_restart_are_no_notes(tmp_path: Path) -> None:
    """The monotonic clock starts anew with the host: notes written at a time to come are of another time."""
    later = time.monotonic() + 1000
    (tmp_path / "pace-mini.json").write_text(f"[{later}, {later}, {later}, {later}]")

    assert SharedNotes(tmp_path / "pace-mini.json").look() == Noted()


def test_a_pause_stops_those_who_did_not_meet_the_limit(tmp_path: Path) -> None:
    """429s that one meets halve the concurrency of the other too, and it waits what they asked."""
    one, other = (Pace(concurrency=8, notes=notes_of(tmp_path, "mini")) for _ in range(2))

    async def waited() -> float:
        for _ in range(3):
            one.throttled(0.3)
        started = time.monotonic()
        async with other.slot(1):
            return time.monotonic() - started

    assert asyncio.run(waited()) >= 0.25
    assert (one.limit, other.limit) == (4.0, 4.0)


ASKING = """
import sys
from glass_pipeline.domain.records import ItemFacts, Question
from glass_pipeline.llm.solve import solve
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Solver

facts = ItemFacts(gold="6", base_text="t", family=None, inject_size=None)
texts = [f"{sys.argv[3]} {i}?" for i in range(15)]
questions = [
    Question(item_id=text, text=text, answer_type="numeric", draw="d", samples=1, facts=facts) for text in texts
]
solver = Solver(kind="openai", model="tiny", base_url=sys.argv[1], rpm=600)
solve("mini", solver, questions, store=ResponseStore(sys.argv[2]), environment={}, study_seed=42)
"""


def test_two_processes_keep_one_limit(endpoint: Any, answers: SimpleNamespace, tmp_path: Path) -> None:
    """30 requests of two processes at 600 a minute take 2.9 s from first to last; each alone would take 1.4 s."""
    arrived: list[float] = []

    def behave(body: dict[str, Any], nth: int) -> Any:
        arrived.append(time.monotonic())
        return answers.completion("#### 6")

    endpoint.behave = behave
    command = [sys.executable, "-c", ASKING, endpoint.url, str(tmp_path / "responses.sqlite")]
    running = [subprocess.Popen([*command, name]) for name in ("left", "right")]

    assert [process.wait(timeout=60) for process in running] == [0, 0]
    assert len(arrived) == 30
    assert max(arrived) - min(arrived) > 2.7
