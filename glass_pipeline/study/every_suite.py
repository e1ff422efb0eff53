"""Holds the table of the study: what holds for every suite, and the presets that set several keys at once.

Never knows of suites and solvers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from glass_pipeline.domain.records import DOSES
from glass_pipeline.study.record import Record
from glass_pipeline.study.suite import Adjudicators, known_doses

PRESETS: Mapping[str, Mapping[str, Any]] = {"paper": {"curtail": False}}
"""What a named preset sets; what glass.toml says itself comes before it. ``paper`` draws every sample."""


class Common(Record):
    """What holds for every suite of the study."""

    preset: Literal["paper"] | None = None
    """Named settings that take the place of the defaults, see PRESETS."""
    seed: int = 42
    doses: tuple[int, ...] = DOSES
    samples: int = Field(default=5, ge=1)
    label_scope: Literal["mix", "all"] = "mix"
    stratum_only: bool = False
    curtail: bool = True
    """Stop sampling a twin once its modal answer can no longer change; bases and probes get every sample."""
    probe_samples: int = Field(default=0, ge=0)
    """Further samples of every solvable base, beside its dose runs; 0 leaves the asset ``base_probes`` out."""
    adjudicator: Adjudicators | None = None
    """Solvers that judge whether a twin keeps its gold answer. Who makes twins must say: it costs money or trust."""
    adjudicate: Literal["kept", "all"] = "kept"
    """Which twins they judge: those that the rules keep, or all, as the published audit did."""
    warehouse: str = "warehouse"

    @model_validator(mode="before")
    @classmethod
    def _with_preset(cls, declared: Any) -> Any:
        preset = declared.get("preset") if isinstance(declared, dict) else None
        return {**PRESETS.get(preset, {}), **declared} if isinstance(preset, str) else declared

    @property
    def curtails(self) -> bool:
        """Whether a twin may end with fewer samples than ``samples``; with one or two none can be spared."""
        return self.curtail and self.samples > 2

    @field_validator("doses")
    @classmethod
    def _known_doses(cls, doses: tuple[int, ...]) -> tuple[int, ...]:
        return known_doses(doses)
