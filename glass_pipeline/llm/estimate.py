"""Holds what a run would send and cost, before anything is sent.

Never sends, and never starts a model.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.asking import prompt_tokens_upper
from glass_pipeline.llm.asks import Ask
from glass_pipeline.llm.budget import price_of
from glass_pipeline.llm.curtailing import opening
from glass_pipeline.llm.plan import Again, plan
from glass_pipeline.llm.solvers import KINDS
from glass_pipeline.llm.solvers.protocol import Setting
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.llm.structured import Structure
from glass_pipeline.study import Solver

BYTES_A_TOKEN = 4.0
"""English prose; good to a fifth or so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run would send; all zero for a simulation but the samples."""

    samples: int
    """Samples in all, each text and draw counted once."""
    cached: int
    """Of these, what the store has."""
    requests: int
    """Requests if none fails and no question stops early."""
    prompt_tokens_estimate: int
    completion_tokens_upper: int
    cost_usd_upper: float | None
    """No run without failures costs more; None if the price is unknown."""


def total(estimates: Sequence[Estimate]) -> Estimate:
    """Return what several askings of one solver send together, if no text of one is asked in another."""
    costs = [each.cost_usd_upper for each in estimates]
    return Estimate(
        samples=sum(each.samples for each in estimates),
        cached=sum(each.cached for each in estimates),
        requests=sum(each.requests for each in estimates),
        prompt_tokens_estimate=sum(each.prompt_tokens_estimate for each in estimates),
        completion_tokens_upper=sum(each.completion_tokens_upper for each in estimates),
        cost_usd_upper=None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def estimate(
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
) -> Estimate:
    """Return what ``solve`` with the same arguments would send; send nothing.

    Raises:
        SolverError: weights of a local model are missing.
        ValueError: two questions share item and draw but not text.
    """
    setting = Setting(
        slug=solver_slug, solver=solver, environment=environment, study_seed=study_seed, structure=structure
    )
    kind = KINDS[solver.kind](setting)
    planned = plan(kind, setting, questions, store, Again(retry_statuses, frozenset(retry_keys)))
    if kind.simulated:
        return Estimate(
            samples=planned.total,
            cached=len(planned.stored),
            requests=0,
            prompt_tokens_estimate=0,
            completion_tokens_upper=0,
            cost_usd_upper=None,
        )
    times = [len(ask.samples) if kind.one_sample_a_request else _rounds(ask) for ask in planned.asks]
    prompt_upper = sum(prompt_tokens_upper(ask.messages) * n for ask, n in zip(planned.asks, times, strict=True))
    completion_upper = sum(len(ask.samples) for ask in planned.asks) * solver.max_tokens
    price = price_of(solver)
    return Estimate(
        samples=planned.total,
        cached=len(planned.stored),
        requests=sum(times),
        prompt_tokens_estimate=round(prompt_upper / BYTES_A_TOKEN),
        completion_tokens_upper=completion_upper,
        cost_usd_upper=None if price is None else price.cost_usd(prompt_upper, completion_upper),
    )


def _rounds(ask: Ask) -> int:
    """Return the most requests that an ask takes where one request may bring several samples."""
    first = opening(ask.question).samples
    later = sum(sample >= first for sample in ask.samples)
    return later + (later < len(ask.samples))
