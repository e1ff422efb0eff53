"""Holds what the rounds of one run have brought together: replies, who served them, and how far the run is.

Never asks anything, and never decides whether there is another round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from glass_pipeline.domain.records import TRANSIENT_STATUSES, Question, Reply
from glass_pipeline.llm.plan import Cell, Plan
from glass_pipeline.llm.recorder import Progress, Recorder, served


class Gathered:
    """The replies of all rounds of one run."""

    def __init__(self, questions: Sequence[Question], progress: Callable[[Progress], None] | None) -> None:
        """Start with nothing; ``progress`` is told how far the run is as a whole."""
        self.replies: dict[str, Reply] = {}
        """By key; the first round that had it says whether the store did."""
        self.recorders: list[Recorder] = []
        self.cached = 0
        """Samples that the store had before this run."""
        self._questions = questions
        self._progress = progress
        self._keys: dict[Cell, tuple[str, ...]] = {}

    @property
    def curtailed(self) -> int:
        """Samples never asked for, each text and draw counted once; a question without its answers saved nothing."""
        spared = {
            keys[0]: question.samples - len(keys)
            for question in self._questions
            if (keys := self._keys[Cell(question.item_id, question.draw)])
            and not any(self.replies[key].status in TRANSIENT_STATUSES for key in keys)
        }
        return sum(spared.values())

    def cells(self) -> Mapping[Cell, tuple[Reply, ...]]:
        """Return the replies of each question so far, in the order of sampling."""
        return {cell: tuple(self.replies[key] for key in keys) for cell, keys in self._keys.items()}

    @property
    def cost_usd(self) -> float | None:
        """What all rounds together cost; None if a round's cost is unknown, or nothing was sent."""
        costs = [recorder.cost_usd for recorder in self.recorders if recorder.requests]
        return None if not costs or None in costs else sum(cost for cost in costs if cost is not None)

    def progress(self, planned: Plan) -> Callable[[Progress], None] | None:
        """Return what a round reports to: it counts all samples of settled questions as done."""
        if self._progress is None:
            return None
        report = self._progress
        self._keys.update(planned.keys)
        everything = self._samples()
        asked = {keys[0] for keys in planned.keys.values()}
        settled = sum(samples for first, samples in everything.items() if first not in asked)
        before, spent = self.cached if self.recorders else None, self.cost_usd or 0.0

        def overall(part: Progress) -> None:
            report(
                replace(
                    part,
                    done=settled + part.done,
                    total=sum(everything.values()),
                    cached=part.cached if before is None else before,
                    cost_usd=part.cost_usd + spent if part.cost_usd is not None else spent or None,
                )
            )

        return overall

    def finish(self) -> None:
        """Report the end: samples that were spared are done too."""
        if self._progress is not None:
            total = sum(self._samples().values())
            failed = sum(recorder.failures.total() for recorder in self.recorders)
            self._progress(Progress(done=total, total=total, cached=self.cached, failed=failed, cost_usd=self.cost_usd))

    def _samples(self) -> dict[str, int]:
        """Samples of each text and draw, by its first key."""
        return {self._keys[Cell(each.item_id, each.draw)][0]: each.samples for each in self._questions}

    def add(self, planned: Plan, recorder: Recorder) -> None:
        """Take in what a round has brought."""
        fresh = {key: reply for key, reply in planned.stored.items() if key not in self.replies}
        self.cached += len(fresh)
        self.replies.update({key: served(reply, cached=True) for key, reply in fresh.items()})
        self.replies.update(recorder.replies)
        self._keys.update(planned.keys)
        self.recorders.append(recorder)
