"""Holds what every kind of solver is to the rest of the program.

Never holds a kind, and never imports one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.asks import Ask, Message
from glass_pipeline.llm.budget import Budget
from glass_pipeline.llm.notes import Notes
from glass_pipeline.llm.recorder import Recorder
from glass_pipeline.llm.structured import Structure
from glass_pipeline.study import Solver


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a kind is made from."""

    slug: str
    solver: Solver
    environment: Mapping[str, str]
    study_seed: int
    structure: Structure | None = None
    """The JSON object that every answer is to be; None: free text."""


class SolverKind(Protocol):
    """One way to have questions answered."""

    @property
    def simulated(self) -> bool:
        """Whether answers come from a simulation: whatever they touch is labelled so."""

    @property
    def one_sample_a_request(self) -> bool:
        """Whether each sample is asked for on its own."""

    def identity(self) -> Mapping[str, Any]:
        """Return what makes this solver this solver, for the key of its replies: JSON-able, no port, no path."""

    def parameters(self) -> Mapping[str, Any]:
        """Return everything else that an answer depends on, JSON-able."""

    def messages(self, question: Question) -> tuple[Message, ...]:
        """Return the prompt."""

    def facts(self, question: Question) -> Mapping[str, Any] | None:
        """Return what an answer depends on beyond the prompt; None for every solver that only reads the prompt."""

    async def answer(self, asks: Sequence[Ask], exchange: Exchange) -> None:
        """Answer every ask into the recorder.

        Args:
            asks: What to answer.
            exchange: Recorder and budget of this run.

        Raises:
            SolverError: the run stops; what was answered is kept.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a kind needs of the run it works for."""

    recorder: Recorder
    budget: Budget
    notes: Notes
    """Where the pace of the solver is noted for all who ask it."""
