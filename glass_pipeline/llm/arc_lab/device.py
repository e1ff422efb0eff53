"""Holds the device that a lab runs on: whether it is there, and what identifies it.

Never falls back to another device: all seeds of a series run on the same one.
"""

from __future__ import annotations

import os
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from glass_pipeline.domain.arc_lab.errors import LabError

LIBRARIES = ("torch", "transformers", "peft", "numpy", "scipy")
CUBLAS_WORKSPACE = "CUBLAS_WORKSPACE_CONFIG"


def require_libraries() -> None:
    """Refuse to start without the libraries of the lab.

    Raises:
        LabError: names the first that is not installed.
    """
    missing = next((library for library in LIBRARIES if find_spec(library) is None), None)
    if missing is not None:
        raise LabError(f"The package {missing} is not installed; install the extra: pip install 'glass-pipeline[arc]'.")


def require_device(device: str) -> None:
    """Refuse a device that is not there, and make CUDA reproducible before its first use.

    Raises:
        LabError: a library is missing, PyTorch knows no such device, or sees none of it here.
    """
    require_libraries()
    import torch

    try:
        kind = torch.device(device)
    except RuntimeError:
        raise LabError(f"--device {device}: PyTorch knows no such device; choose cuda, cuda:<n>, mps or cpu.") from None
    if kind.type == "cuda":
        os.environ.setdefault(CUBLAS_WORKSPACE, ":4096:8")
        if not torch.cuda.is_available():
            raise LabError(
                f"CUDA is needed for --device {device}, but PyTorch sees no GPU (CUDA of this build: "
                f"{torch.version.cuda}); check nvidia-smi and the installed build, or run the whole series, every seed "
                "of it, with --device cpu."
            )
        if kind.index is not None and kind.index >= torch.cuda.device_count():
            raise LabError(f"--device {device}: there are {torch.cuda.device_count()} GPUs, counted from 0.")
    elif kind.type == "mps" and not torch.backends.mps.is_available():
        raise LabError(f"--device {device}: PyTorch sees no Apple GPU; run the whole series with --device cpu.")
    elif kind.type not in {"cpu", "cuda", "mps"}:
        raise LabError(f"--device {device}: the lab runs on cuda, cuda:<n>, mps or cpu.")


def environment(device: str) -> dict[str, Any]:
    """Return what may change a result from one machine to another: device and versions."""
    import torch

    kind = torch.device(device)
    name = torch.cuda.get_device_name(kind) if kind.type == "cuda" else kind.type
    return {"device": name, **{library: version(library) for library in LIBRARIES}}
