"""Holds what assets are given to work with: sources of problems, and solvers behind their budget and store.

Never holds science, and never reads the environment: it is handed in by ``definitions``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict
from glass_pipeline.domain.records import Problem, Question
from glass_pipeline.llm.estimate import Estimate, estimate
from glass_pipeline.llm.math_pool import MathPool
from glass_pipeline.llm.recorder import Progress
from glass_pipeline.llm.solve import SolveResult, solve
from glass_pipeline.llm.sources import read_problems, read_split
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Study


@dataclass(frozen=True)
class SourceResource:
    """Reads base problems and the problems whose sentences may be injected."""

    study: Study
    warehouse: Warehouse
    environment: Mapping[str, str]

    def problems(self, suite_slug: str) -> list[Problem]:
        """Return the base problems of a suite."""
        return read_problems(
            self.study.suite(suite_slug),
            seed=self.study.study.seed,
            lock=self.warehouse.root / "source_lock.json",
            environment=self.environment,
        )

    def distractor_problems(self, suite_slug: str) -> list[Problem]:
        """Return the problems of the split that a suite's injected sentences come from."""
        return read_split(
            self.study.suite(suite_slug).distractors,
            seed=self.study.study.seed,
            lock=self.warehouse.root / "source_lock.json",
            environment=self.environment,
        )


@dataclass(frozen=True)
class SolverResource:
    """Asks solvers through the response store, so that nothing is paid for twice."""

    study: Study
    warehouse: Warehouse
    environment: Mapping[str, str]
    retry_statuses: frozenset[str] = frozenset()
    """Terminal statuses to ask again (``--retry``)."""
    progress: Callable[[Progress], None] | None = None
    sent: list[SolveResult] = field(default_factory=list)
    """Every result of this process, for the command's summary."""

    def store(self) -> closing[ResponseStore]:
        """Open the response store of the study, to be used in a ``with`` block."""
        url = self.environment.get("GLASS_RESPONSE_STORE")
        return closing(ResponseStore(url or self.warehouse.root / "responses" / "responses.sqlite"))

    def answer(self, solver_slug: str, questions: Sequence[Question]) -> SolveResult:
        """Return a reply to every sample of every question, asking only for what the store lacks."""
        with self.store() as store:
            result = solve(
                solver_slug,
                self.study.solver(solver_slug),
                questions,
                store=store,
                environment=self.environment,
                study_seed=self.study.study.seed,
                retry_statuses=self.retry_statuses,
                progress=self.progress,
            )
        self.sent.append(result)
        return result

    def second_opinion(self, pairs: Sequence[MathPair]) -> list[MathVerdict]:
        """Ask a computer algebra system, in processes that can be killed, about answers left open."""
        with MathPool() as pool:
            return pool(pairs)

    def estimate(self, solver_slug: str, questions: Sequence[Question]) -> Estimate:
        """Return what ``answer`` would ask and cost, asking nothing."""
        with self.store() as store:
            return estimate(
                solver_slug,
                self.study.solver(solver_slug),
                questions,
                store=store,
                environment=self.environment,
                study_seed=self.study.study.seed,
                retry_statuses=self.retry_statuses,
            )
