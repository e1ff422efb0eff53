"""Holds what a person sees while a run works: one line a table, a bar while a solver answers.

Never writes to stdout, so that results can be piped.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from glass_pipeline.defs.keys import Cell
from glass_pipeline.llm.recorder import Progress as Solved


class LabelProgress:
    """Progress of one command on stderr."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = Console(stderr=True, quiet=quiet, highlight=False, markup=False)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
            disable=quiet or not self._console.is_terminal,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()

    def start(self, cell: Cell, reason: str) -> None:
        """Announce a table that is about to be made."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
        self._console.print(f"{cell}  {reason}", soft_wrap=True)

    def update(self, solved: Solved) -> None:
        """Show how many samples of the current table are answered."""
        if self._task is None:
            self._task = self._bar.add_task("samples", total=solved.total)
        self._bar.update(self._task, completed=solved.done, total=solved.total)
