"""Holds the solver that serves a GGUF file inside this process and asks it like any other endpoint.

The server is xllamacpp's (llama.cpp with continuous batching) on a free loopback port, started when the first answer
is needed and stopped when the last one is in. The weights' sha256 is the solver's identity; the port is not.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.asks import Ask, Message, singles
from glass_pipeline.llm.errors import MissingWeights
from glass_pipeline.llm.faults import Endpoint
from glass_pipeline.llm.prompts import render
from glass_pipeline.llm.solvers.openai_endpoint import ask_endpoint, sampling_parameters
from glass_pipeline.llm.solvers.protocol import Exchange, Setting
from glass_pipeline.llm.solvers.weights import find_weights, weights_sha256

PROMPT_TOKENS = 2048
"""Room for the prompt in each slot of the server's context."""


class LlamaCpp:
    """Solver of kind ``llama_cpp``."""

    simulated = False
    one_sample_a_request = True
    """Every sample gets its own seed; the server's prompt cache makes that cheap."""

    def __init__(self, setting: Setting) -> None:
        """Find the weights.

        Raises:
            MissingWeights: there is no such file.
        """
        self._setting = setting
        self._weights = find_weights(setting.slug, setting.solver.model or "")

    def identity(self) -> Mapping[str, Any]:
        """Return the kind and the sha256 of the weights."""
        return {"kind": "llama_cpp", "weights_sha256": weights_sha256(self._weights)}

    def parameters(self) -> Mapping[str, Any]:
        """Return the declared sampling parameters."""
        return sampling_parameters(self._setting.solver)

    def messages(self, question: Question) -> tuple[Message, ...]:
        """Return the declared prompt for a question."""
        return render(self._setting.solver.prompt, question)

    def facts(self, question: Question) -> None:
        """Return None: a model sees the prompt only."""

    async def answer(self, asks: Sequence[Ask], exchange: Exchange) -> None:
        """Answer every ask through a server that lives as long as this call.

        Raises:
            MissingWeights: the server could not be started.
            SolverError: the run stops; what was answered is kept.
        """
        solver = self._setting.solver
        slots = min(solver.concurrency, sum(len(ask.samples) for ask in asks))
        async with serving(self._setting.slug, self._weights, slots, PROMPT_TOKENS + solver.max_tokens) as address:
            endpoint = Endpoint(
                name=self._setting.slug, url=f"{address}/v1", model=self._weights.name, key_name="no key"
            )
            await ask_endpoint(endpoint, self._setting, singles(asks), exchange, seeded=True)


@asynccontextmanager
async def serving(slug: str, weights: Path, slots: int, tokens_a_slot: int) -> AsyncIterator[str]:
    """Serve a GGUF file on a free loopback port.

    Args:
        slug: The solver, for messages.
        weights: The file.
        slots: Completions decoded at once.
        tokens_a_slot: Prompt and completion together.

    Yields:
        The server's address, e.g. ``http://127.0.0.1:40123``.

    Raises:
        MissingWeights: xllamacpp is not installed, or cannot load the file.
    """
    server = await asyncio.to_thread(_start, slug, weights, slots, tokens_a_slot)
    try:
        yield server.listening_address
    finally:
        # Dropping the last reference stops the server's threads and frees the weights.
        del server


def _start(slug: str, weights: Path, slots: int, tokens_a_slot: int) -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise MissingWeights(
            f"{slug}: xllamacpp is not installed; install it with `pip install glass-pipeline[local]`."
        ) from None
    # The threads meet after every step of every token: one that has lost its core to another process stops them all.
    # With a core to spare, two busy cores gave 3 completions a second instead of 0.5.
    threads = max(1, (os.cpu_count() or 1) - 1)
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_parallel = slots
    params.n_ctx = slots * tokens_a_slot
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.cache_prompt = True
    params.verbosity = -1
    params.port = 0
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise MissingWeights(f"{slug}: {weights} could not be served: {error}.") from error
