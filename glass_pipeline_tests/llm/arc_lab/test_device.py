"""A device that is not there is an error, never another device."""

from __future__ import annotations

import os

import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.llm.arc_lab import device as module
from glass_pipeline.llm.arc_lab.device import environment, require_device


def test_the_cpu_is_always_there() -> None:
    """And its environment names the versions that may change a result."""
    require_device("cpu")

    assert environment("cpu")["device"] == "cpu"
    assert {"torch", "peft", "transformers"} <= set(environment("cpu"))


def test_absent_cuda_is_an_error_for_the_whole_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """No silent CPU; cuBLAS is made reproducible before its first use all the same."""
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)

    with pytest.raises(LabError, match=r"CUDA is needed for --device cuda, .*every seed of it, with --device cpu"):
        require_device("cuda")
    assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"


@pytest.mark.parametrize(("device", "found"), [("gpu", "knows no such device"), ("meta", "the lab runs on cuda")])
def test_a_device_that_cannot_be_used_is_refused(device: str, found: str) -> None:
    """With those that can."""
    with pytest.raises(LabError, match=found):
        require_device(device)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that installs it."""
    monkeypatch.setattr(module, "LIBRARIES", ("torch", "no_such_library"))

    with pytest.raises(LabError, match=r"no_such_library is not installed; .*glass-pipeline\[arc\]"):
        require_device("cpu")
