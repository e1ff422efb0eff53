"""Holds what assets are given to work with: sources of problems, and solvers behind their budget and store.

Never holds science, and never reads the environment: it is handed in by ``definitions``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import polars as pl

from glass_pipeline.defs.code_versions import root_suite
from glass_pipeline.defs.warehouse import Warehouse, WarehouseError
from glass_pipeline.domain.audit import audit_twins
from glass_pipeline.domain.audit.adjudication import adjudicated, pairs_to_judge
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict
from glass_pipeline.domain.records import Distractor, Problem, Question, Twin
from glass_pipeline.domain.twins import TwinBatch, make_twins
from glass_pipeline.llm.adjudicate import AUDIT_PROMPT, VERDICT, adjudicate, audit_questions
from glass_pipeline.llm.estimate import Estimate, estimate, total
from glass_pipeline.llm.forms import Respondent
from glass_pipeline.llm.math_pool import MathPool
from glass_pipeline.llm.recorder import Progress
from glass_pipeline.llm.solve import SolveResult, solve
from glass_pipeline.llm.sources import read_problems, read_split
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.llm.structured import Structure
from glass_pipeline.llm.write_twins import PROMPTS, TWIN, write_twins, writing_questions
from glass_pipeline.study import RULES, Study

STORE = "GLASS_RESPONSE_STORE"
"""Environment variable that names another response store: a file, or the URL of a database."""


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


Made = TypeVar("Made")


class Work(NamedTuple, Generic[Made]):
    """What was made by asking, and what that took in this run."""

    made: Made
    requests: int
    cost_usd: float | None
    """None if a price is unknown."""


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
        place = self.environment.get(STORE) or self.warehouse.root / "responses" / "responses.sqlite"
        if not isinstance(place, str | Path):
            raise WarehouseError(
                f"{place}: replies cannot be kept in a bucket; set {STORE} to the URL of a database, e.g. "
                "postgresql+psycopg2://user@host/name."
            )
        return closing(ResponseStore(place))

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

    def twins(
        self, suite_slug: str, problems: Sequence[Problem], distractors: Sequence[Distractor], *, dose: int
    ) -> Work[TwinBatch]:
        """Return the twins of a suite by its generator: the deterministic operators, or the solver it names."""
        suite, root, seed = self.study.suite(suite_slug), root_suite(suite_slug), self.study.study.seed
        if suite.generator == RULES:
            made = make_twins(
                problems, suite=root, seed=seed, dose=dose, distractors=distractors, families=suite.operators
            )
            return Work(made, 0, 0.0)
        with self._respondents(suite.generator) as (writer,):
            return self._counted(
                lambda: write_twins(
                    problems,
                    writer,
                    suite=root,
                    seed=seed,
                    dose=dose,
                    distractors=distractors,
                    families=suite.operators,
                )
            )

    def audit(
        self, suite_slug: str, problems: Sequence[Problem], twins: Sequence[Twin], *, draw: str
    ) -> Work[pl.DataFrame]:
        """Return the audit of a suite's twins: by the rules, then by the solvers that it names as adjudicators."""
        audit = audit_twins(problems, twins)
        if not self.study.adjudicators_of(suite_slug):
            return Work(audit, 0, 0.0)
        pairs = pairs_to_judge(problems, twins, audit, scope=self.study.study.adjudicate)
        with self._respondents(*self.study.adjudicators_of(suite_slug)) as adjudicators:
            work = self._counted(lambda: adjudicate(pairs, adjudicators, draw=draw))
        judged = adjudicated(audit, work.made.verdicts, work.made.adjudicators)
        return Work(judged, work.requests, work.cost_usd)

    @contextmanager
    def _respondents(self, *slugs: str) -> Iterator[tuple[Respondent, ...]]:
        with self.store() as store:
            yield tuple(
                Respondent(
                    slug=slug,
                    solver=self.study.solver(slug),
                    store=store,
                    environment=self.environment,
                    study_seed=self.study.study.seed,
                    progress=self.progress,
                    on_result=self.sent.append,
                )
                for slug in slugs
            )

    def _counted(self, work: Callable[[], Made]) -> Work[Made]:
        before = len(self.sent)
        made = work()
        sent = [result for result in self.sent[before:] if result.requests]
        costs = [result.cost_usd for result in sent if result.cost_usd is not None]
        return Work(made, sum(result.requests for result in sent), sum(costs) if len(costs) == len(sent) else None)

    def second_opinion(self, pairs: Sequence[MathPair]) -> list[MathVerdict]:
        """Ask a computer algebra system, in processes that can be killed, about answers left open."""
        with MathPool() as pool:
            return pool(pairs)

    def estimate_writing(
        self, suite_slug: str, problems: Sequence[Problem], distractors: Sequence[Distractor], *, doses: Sequence[int]
    ) -> dict[str, Estimate]:
        """Return what writing a suite's twins would ask of its generator and cost, without second attempts."""
        suite = self.study.suite(suite_slug)
        questions = writing_questions(
            problems,
            suite=root_suite(suite_slug),
            seed=self.study.study.seed,
            doses=doses,
            distractors=distractors,
            families=suite.operators,
        )
        asked = [self._form(suite.generator, PROMPTS[family], TWIN, questions[family]) for family in suite.operators]
        return {suite.generator: total(asked)}

    def estimate_audit(
        self, suite_slug: str, problems: Sequence[Problem], twins: Sequence[Twin]
    ) -> dict[str, Estimate]:
        """Return what judging a suite's twins would ask of each adjudicator and cost, without second attempts."""
        audit = audit_twins(problems, twins)
        pairs = pairs_to_judge(problems, twins, audit, scope=self.study.study.adjudicate)
        questions = audit_questions(pairs)
        return {
            slug: self._form(slug, AUDIT_PROMPT, VERDICT, questions) for slug in self.study.adjudicators_of(suite_slug)
        }

    def _form(self, slug: str, prompt: str, structure: Structure, questions: Sequence[Question]) -> Estimate:
        with self.store() as store:
            return estimate(
                slug,
                self.study.solver(slug).model_copy(update={"prompt": prompt}),
                questions,
                store=store,
                environment=self.environment,
                study_seed=self.study.study.seed,
                structure=structure,
            )

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
