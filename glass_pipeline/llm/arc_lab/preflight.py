"""Holds the look at a machine before a series is started on it.

Never downloads, trains or changes anything.
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Literal, NamedTuple

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.llm.arc_lab.device import LIBRARIES, require_device, require_libraries
from glass_pipeline.llm.arc_lab.folder import LabFolder
from glass_pipeline.llm.arc_source import Asked, describe_sources, require_same_sources

MEMORY_GB, DISK_GB, GPU_MEMORY_GB = 16.0, 6.0, 8.0
"""What the lab's own model and benchmark are said to need (methods §10.1)."""
GIGABYTE = 2**30


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    state: Literal["ok", "warning", "missing"]
    """A series may be started unless something is missing."""
    text: str


def check(folder: LabFolder, asked: Asked, device: str) -> tuple[Finding, ...]:
    """Look at libraries, device, memory, disk and sources.

    Args:
        folder: Of the lab.
        asked: Sources that were named.
        device: That the series shall run on.
    """
    return tuple(_findings(folder, asked, device))


def _findings(folder: LabFolder, asked: Asked, device: str) -> Iterator[Finding]:
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.platform()}")
    yield _tried("libraries", require_libraries, _versions)
    yield _tried("device", lambda: require_device(device), lambda: _device(device))
    yield _amount("memory", _memory_gb(), MEMORY_GB)
    yield _amount("disk", shutil.disk_usage(_existing(folder.root)).free / GIGABYTE, DISK_GB)
    if device.startswith("cuda"):
        yield _amount("GPU memory", _gpu_memory_gb(device), GPU_MEMORY_GB)
    yield _tried("sources", lambda: _require_sources(folder, asked), lambda: _sources(folder, asked))


def _tried(name: str, require: Callable[[], None], text: Callable[[], str]) -> Finding:
    try:
        require()
        return Finding(name, "ok", text())
    except LabError as error:
        return Finding(name, "missing", str(error))


def _amount(name: str, found: float | None, wanted: float) -> Finding:
    if found is None:
        return Finding(name, "warning", f"unknown here; about {wanted:g} GiB are needed")
    if found < wanted:
        return Finding(name, "warning", f"{found:.1f} GiB; about {wanted:g} GiB are needed for the lab's own model")
    return Finding(name, "ok", f"{found:.1f} GiB")


def _versions() -> str:
    return ", ".join(f"{library} {version(library)}" for library in LIBRARIES)


def _device(device: str) -> str:
    import torch

    return torch.cuda.get_device_name(device) if device.startswith("cuda") else f"{device}, {os.cpu_count()} cores"


def _memory_gb() -> float | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / GIGABYTE
    except (ValueError, OSError, AttributeError):
        return None


def _gpu_memory_gb(device: str) -> float | None:
    import torch

    if not torch.cuda.is_available():
        return None
    return float(torch.cuda.get_device_properties(device).total_memory) / GIGABYTE


def _existing(path: Path) -> Path:
    """Return the nearest folder that is there: the lab's own may not be yet."""
    return next(each for each in (path, *path.resolve().parents) if each.exists())


def _require_sources(folder: LabFolder, asked: Asked) -> None:
    if folder.lock.exists():
        require_same_sources(folder.read_lock(), asked)


def _sources(folder: LabFolder, asked: Asked) -> str:
    if not folder.lock.exists():
        return f"not locked yet; prepare will take {describe_sources(asked)}"
    lock = folder.read_lock()
    return f"locked: {lock.dataset_id} at {lock.dataset_revision}, {lock.model_id} at {lock.model_revision}"
