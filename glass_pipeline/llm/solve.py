"""Holds the door of this layer: ``solve`` answers questions, asking only for what the response store does not have.

Never grades an answer. A plain function outside; what runs concurrently inside stays inside.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from glass_pipeline.domain.records import Question, Reply
from glass_pipeline.llm.budget import Budget
from glass_pipeline.llm.curtailing import further, opening
from glass_pipeline.llm.gathered import Gathered
from glass_pipeline.llm.notes import notes_of
from glass_pipeline.llm.plan import Again, Cell, Plan, plan
from glass_pipeline.llm.recorder import Progress, Recorder
from glass_pipeline.llm.solvers import KINDS
from glass_pipeline.llm.solvers.protocol import Exchange, Setting, SolverKind
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.llm.structured import Structure
from glass_pipeline.study import Solver

INTERRUPT_EVERY_S = 0.05
"""How often a caller that waits for another thread's loop looks for an interrupt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveResult:
    """What came back, and what it took."""

    replies: Mapping[Cell, tuple[Reply, ...]]
    """Samples of each question in order; a plain ``(item_id, draw)`` is a key too."""
    simulated: bool
    """The answers come from a simulation."""
    requests: int
    """Requests that went out in this run."""
    cached: int
    """Samples served from the store."""
    curtailed: int
    """Samples that could not have changed a modal answer and were not asked for."""
    repeated: int
    """Samples of questions whose text another question of this run has, each served from the other's."""
    statuses: Mapping[str, int]
    """Samples by status, each text and draw counted once."""
    failures: Mapping[str, int]
    """Samples without an answer, by transient status: the next run asks for them again."""
    failed_requests: Mapping[str, int]
    """Requests without an answer, by transient status; most were asked again and succeeded."""
    prompt_tokens: int
    """Of this run, as the endpoint reports them."""
    completion_tokens: int
    cost_usd: float | None
    """Of this run; None if the price is unknown or nothing was sent."""
    notes: tuple[str, ...]
    """What the report should say about how this solver was asked."""


def solve(
    solver_slug: str,
    solver: Solver,
    questions: Sequence[Question],
    *,
    store: ResponseStore,
    environment: Mapping[str, str],
    study_seed: int,
    retry_statuses: frozenset[str] = frozenset(),
    retry_keys: Collection[str] = (),
    structure: Structure | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> SolveResult:
    """Answer questions, asking only for what the store does not have.

    Every reply is in the store before the next question takes its place, so a run that ends early, however it ends,
    is resumed by running it again. Of the processes that share the store, one at a time asks a solver under a draw. May
    be called from a thread that runs an event loop.

    Args:
        solver_slug: Name of the solver in glass.toml.
        solver: Its declaration.
        questions: What to answer; a text that occurs twice under one draw is asked once, and one that may stop is
            asked in rounds (see ``curtailing``), so that the samples it ends with depend on what they say alone.
        store: Where replies are kept.
        environment: Where API keys are looked up.
        study_seed: Seeds simulated and local solvers.
        retry_statuses: Stored replies with these statuses are asked for again.
        retry_keys: Stored replies under these keys are asked for again, whatever their status.
        structure: The JSON object that every answer is to be; None: free text.
        progress: Called a few times a second, from the thread that does the work.

    Raises:
        SolverError: the run stopped (see ``errors``); what was answered is stored.
        ValueError: two questions share item and draw but not text.
    """
    setting = Setting(
        slug=solver_slug, solver=solver, environment=environment, study_seed=study_seed, structure=structure
    )
    kind = KINDS[solver.kind](setting)
    gathered = Gathered(questions, progress)
    notes = notes_of(store.folder, solver_slug)
    again = Again(retry_statuses, frozenset(retry_keys), gathered.replies)
    todo = [opening(question) for question in questions]
    while todo:
        planned = plan(kind, setting, todo, store, again)
        with store.turns(solver_slug, {question.draw for question in todo} if planned.asks else ()):
            if store.lookup(key for ask in planned.asks for key in ask.keys):
                # Another process has answered since.
                planned = plan(kind, setting, todo, store, again)
            budget = Budget(solver_slug, solver, store.spend(solver_slug))
            recorder = Recorder(
                store,
                describe=planned.describe,
                total=planned.total,
                cached=len(planned.stored),
                progress=gathered.progress(planned),
            )
            if budget.is_capped:
                recorder.watch(solver_slug, budget.others_used)
            if planned.asks:
                _run(_answer(kind, planned, Exchange(recorder=recorder, budget=budget, notes=notes)))
        gathered.add(planned, recorder)
        todo = further(questions, gathered.cells())
    gathered.finish()
    return _result(kind, gathered)


async def _answer(kind: SolverKind, planned: Plan, exchange: Exchange) -> None:
    async with exchange.recorder:
        await kind.answer(planned.asks, exchange)


def _result(kind: SolverKind, gathered: Gathered) -> SolveResult:
    recorders, cells = gathered.recorders, gathered.cells()
    return SolveResult(
        replies=cells,
        simulated=kind.simulated,
        requests=sum(recorder.requests for recorder in recorders),
        cached=gathered.cached,
        curtailed=gathered.curtailed,
        repeated=sum(map(len, cells.values())) - len(gathered.replies),
        statuses=Counter(reply.status for reply in gathered.replies.values()),
        failures=sum((recorder.failures for recorder in recorders), Counter()),
        failed_requests=sum((recorder.failed_requests for recorder in recorders), Counter()),
        prompt_tokens=sum(recorder.prompt_tokens for recorder in recorders),
        completion_tokens=sum(recorder.completion_tokens for recorder in recorders),
        cost_usd=gathered.cost_usd,
        notes=tuple(dict.fromkeys(note for recorder in recorders for note in recorder.notes)),
    )


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, whether or not this thread runs an event loop already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()

    async def cancellable() -> None:
        task = asyncio.current_task()
        assert task is not None
        started.set_result((asyncio.get_running_loop(), task))
        await work

    with ThreadPoolExecutor(1, thread_name_prefix="solve") as thread:
        ended = thread.submit(asyncio.run, cancellable())
        try:
            # A wait without end would not hear an interrupt that another thread was handed.
            while not wait([ended], timeout=INTERRUPT_EVERY_S).done:
                pass
            ended.result()
        except BaseException:
            if not ended.done():
                # The caller was interrupted: end the work too, and let it write what it has.
                loop, task = started.result()
                loop.call_soon_threadsafe(task.cancel)
            raise
