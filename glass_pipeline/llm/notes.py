"""Holds what all who ask one solver know of its pace: in one process, or in a file that several processes share.

The file lies beside the response store, so those who share the one share the other; times are those of the monotonic
clock, which all processes of a host have in common. Never decides who may pass (see ``limits``), and never waits for
longer than a lock is held.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from filelock import FileLock

LOOK_EVERY_S = 0.05
"""How often the file is looked at where nothing is to be written."""
LOCK_POLL_S = 0.001


class Noted(NamedTuple):
    """Times in seconds on the monotonic clock; in the past where nothing stands in the way."""

    requests_at: float = 0.0
    """When the next request may pass."""
    tokens_at: float = 0.0
    """When the next token may pass."""
    paused_until: float = 0.0
    """When those whom a 429 has stopped go on."""


class Notes(Protocol):
    """Where the pace of one solver is noted."""

    def look(self) -> Noted:
        """Return what was noted a moment ago."""

    def change(self, change: Callable[[Noted], Noted]) -> Noted:
        """Note something while nobody else does, and return what was noted before."""


class OwnNotes:
    """Notes of one process."""

    def __init__(self) -> None:
        """Start with nothing in the way."""
        self._noted = Noted()

    def look(self) -> Noted:
        """Return what is noted."""
        return self._noted

    def change(self, change: Callable[[Noted], Noted]) -> Noted:
        """Note something, and return what was noted before."""
        before, self._noted = self._noted, change(self._noted)
        return before


class SharedNotes:
    """Notes of all processes that use one file; what a killed process had noted runs out by itself."""

    def __init__(self, path: Path) -> None:
        """Read nothing yet; the file is made with the first note."""
        self._path = path
        self._lock = FileLock(f"{path}.lock")
        self._seen = Noted()
        self._seen_at = float("-inf")

    def look(self) -> Noted:
        """Return what was noted at most LOOK_EVERY_S ago."""
        if time.monotonic() - self._seen_at >= LOOK_EVERY_S:
            self._see(self._read())
        return self._seen

    def change(self, change: Callable[[Noted], Noted]) -> Noted:
        """Note something while no other process does, and return what was noted before."""
        with self._lock.acquire(poll_interval=LOCK_POLL_S):
            before = self._read()
            after = change(before)
            self._path.write_text(json.dumps([time.monotonic(), *after]), encoding="utf-8")
        self._see(after)
        return before

    def _see(self, noted: Noted) -> None:
        self._seen, self._seen_at = noted, time.monotonic()

    def _read(self) -> Noted:
        # Half a file is seen where another process writes or was killed; a time to come, where the host was restarted.
        try:
            written_at, *noted = json.loads(self._path.read_text(encoding="utf-8"))
            return Noted(*map(float, noted)) if written_at <= time.monotonic() else Noted()
        except (OSError, ValueError, TypeError):
            return Noted()


def notes_of(folder: Path | None, slug: str) -> Notes:
    """Return the notes of a solver: shared by all who use the folder, or this process's own where there is none."""
    return OwnNotes() if folder is None else SharedNotes(folder / f"pace-{slug}.json")
