"""Holds the kinds of solver, one a file, and the table that makes one from its declaration.

Never holds a kind's code. A new kind is one file and one line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glass_pipeline.llm.solvers.llama_cpp import LlamaCpp
from glass_pipeline.llm.solvers.openai_endpoint import OpenAIEndpoint
from glass_pipeline.llm.solvers.planted import Planted
from glass_pipeline.llm.solvers.protocol import Setting, SolverKind

KINDS: Mapping[str, Callable[[Setting], SolverKind]] = {
    "openai": OpenAIEndpoint,
    "llama_cpp": LlamaCpp,
    "planted": Planted,
}
"""``kind`` in glass.toml to the class that does it."""
