"""Holds the solver behind any OpenAI-compatible endpoint.

Never starts a server (see ``llama_cpp``), and reads the key only from the environment it is handed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.asking import Asker, Policy
from glass_pipeline.llm.asks import Ask, Message, singles
from glass_pipeline.llm.carrier import HttpCarrier
from glass_pipeline.llm.client import EndpointClient, Sampling
from glass_pipeline.llm.contact import Contact
from glass_pipeline.llm.endpoints import endpoint_identity
from glass_pipeline.llm.errors import MissingKey
from glass_pipeline.llm.faults import Endpoint
from glass_pipeline.llm.limits import Pace
from glass_pipeline.llm.prompts import render
from glass_pipeline.llm.solvers.protocol import Exchange, Setting
from glass_pipeline.study import Solver

NO_KEY = "none"
"""Sent where the endpoint needs no key; some insist on one."""


class OpenAIEndpoint:
    """Solver of kind ``openai``."""

    simulated = False

    def __init__(self, setting: Setting) -> None:
        """Check nothing yet: a run that the store can serve needs no key."""
        self._setting = setting

    @property
    def one_sample_a_request(self) -> bool:
        """Whether the solver was declared without ``n``."""
        return not self._setting.solver.supports_n

    def identity(self) -> Mapping[str, Any]:
        """Return kind, declared model and endpoint, the latter without port where it is this machine."""
        solver = self._setting.solver
        return {"kind": "openai", "model": solver.model, "endpoint": endpoint_identity(solver.base_url or "")}

    def parameters(self) -> Mapping[str, Any]:
        """Return the declared sampling parameters."""
        return sampling_parameters(self._setting.solver)

    def messages(self, question: Question) -> tuple[Message, ...]:
        """Return the declared prompt for a question."""
        return render(self._setting.solver.prompt, question)

    def facts(self, question: Question) -> None:
        """Return None: a model sees the prompt only."""

    async def answer(self, asks: Sequence[Ask], exchange: Exchange) -> None:
        """Answer every ask through the endpoint.

        Raises:
            MissingKey: the declared variable is not set.
            SolverError: the run stops; what was answered is kept.
        """
        endpoint = endpoint_of(self._setting)
        todo = singles(asks) if self.one_sample_a_request else asks
        await ask_endpoint(endpoint, self._setting, todo, exchange, api_key=api_key_of(self._setting))


async def ask_endpoint(
    endpoint: Endpoint,
    setting: Setting,
    asks: Iterable[Ask],
    exchange: Exchange,
    *,
    api_key: str = NO_KEY,
    seeded: bool = False,
) -> None:
    """Answer every ask through one OpenAI-compatible endpoint.

    Args:
        endpoint: Where to send.
        setting: How the solver is declared: sampling, limits, attempts.
        asks: What to answer.
        exchange: Recorder and budget of the run.
        api_key: Sent as bearer token.
        seeded: Send each sample a seed of its own.

    Raises:
        SolverError: the run stops; what was answered is kept.
    """
    solver = setting.solver
    carrier = HttpCarrier(endpoint.url, api_key=api_key, timeout_s=solver.timeout_s, environment=setting.environment)
    client = EndpointClient(
        endpoint,
        carrier,
        api_key=api_key,
        sampling=sampling_of(setting),
        supports_n=solver.supports_n and not seeded,
    )
    asker = Asker(
        client,
        Policy(
            slug=setting.slug,
            max_attempts=solver.max_attempts,
            max_tokens=solver.max_tokens,
            seeded=seeded,
            study_seed=setting.study_seed,
        ),
        pace=Pace(
            concurrency=solver.concurrency,
            requests_per_minute=solver.rpm,
            tokens_per_minute=solver.tpm,
            notes=exchange.notes,
        ),
        budget=exchange.budget,
        contact=Contact(setting.slug, endpoint.url, solver.concurrency),
        recorder=exchange.recorder,
    )
    try:
        await asker.answer(asks, solver.concurrency)
    finally:
        await client.close()


def endpoint_of(setting: Setting) -> Endpoint:
    """Return what a declared solver's messages say of its endpoint."""
    solver = setting.solver
    return Endpoint(
        name=setting.slug,
        url=solver.base_url or "",
        model=solver.model or "",
        key_name="no key" if solver.api_key_env is None else f"${solver.api_key_env}",
    )


def sampling_of(setting: Setting) -> Sampling:
    """Return how a declared solver's answers are drawn."""
    solver = setting.solver
    return Sampling(
        temperature=solver.temperature,
        max_tokens=solver.max_tokens,
        reasoning_effort=solver.reasoning_effort,
        structure=setting.structure,
    )


def sampling_parameters(solver: Solver) -> dict[str, Any]:
    """Return the declared parameters that an answer depends on."""
    return {
        "temperature": solver.temperature,
        "max_tokens": solver.max_tokens,
        "reasoning_effort": solver.reasoning_effort,
    }


def api_key_of(setting: Setting) -> str:
    """Return the key of an endpoint, or a placeholder where it needs none.

    Raises:
        MissingKey: the declared variable is not set.
    """
    variable = setting.solver.api_key_env
    if variable is None:
        return NO_KEY
    key = setting.environment.get(variable, "").strip()
    if not key:
        raise MissingKey(
            f"{setting.slug}: the environment variable {variable} is not set; put the key there or into .env."
        )
    return key
