"""Holds the fields of a labelled pair as a file states them: their types, which are required, what a file may lack.

Never reads a file, and never works out what a file does not state (see ``completion``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import polars as pl

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.table import PolarsType


class InterchangeError(BadInput):
    """A file does not hold labelled pairs; says file, line, field and remedy."""


MOST_SAMPLES = 1000
"""Largest count that a pair may state, and of samples that a stated share is read as."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of methods §3.2."""

    name: str
    kinds: frozenset[type]
    """Python types of its value in JSON; bool is none of them."""
    dtype: PolarsType
    is_required: bool = False

    @property
    def is_count(self) -> bool:
        """Whether it holds a whole number from 0 to ``MOST_SAMPLES``."""
        return self.dtype == pl.Int64()


TEXT, NUMBER, COUNT = frozenset({str}), frozenset({int, float}), frozenset({int})
RECORD, TEXTS, TEXT_OR_NUMBER = frozenset({dict}), frozenset({list}), frozenset({str, int, float})

FIELDS: tuple[Field, ...] = (
    *(Field(name, TEXT, pl.String(), is_required=True) for name in ("base_id", "twin_id", "operator", "category")),
    Field("complexity", TEXT, pl.String(), is_required=True),
    Field("complexity_score", NUMBER, pl.Float64(), is_required=True),
    *(Field(name, TEXT, pl.String(), is_required=True) for name in ("base_text", "twin_text")),
    *(Field(name, NUMBER, pl.Float64(), is_required=True) for name in ("delta_mean", "d_obs", "d_wc")),
    Field("y_base_mean", NUMBER, pl.Float64(), is_required=True),
    Field("declared_complexity", NUMBER, pl.Float64()),
    *(Field(name, TEXT, pl.String()) for name in ("family", "generator", "run_id")),
    *(Field(name, COUNT, pl.Int64()) for name in ("file_dose", "inject_size", "y_base_run", "n_base_correct")),
    *(Field(name, COUNT, pl.Int64()) for name in ("n_base", "y_twin", "twin_samples_correct", "gold_steps")),
    Field("audit", RECORD, pl.String()),
    Field("source_distractor_ids", TEXTS, pl.List(pl.String())),
    Field("gold", TEXT_OR_NUMBER, pl.String()),
)
"""Every field that is read but the deltas, which depend on the solver; null counts as lacking."""

FILLED = ("base_id", "twin_id", "operator", "base_text", "twin_text")
"""Texts that may not be blank."""

STATED: dict[str, PolarsType] = {
    "line": pl.Int64(),
    "solver": pl.String(),
    "delta": pl.Float64(),
    **{field.name: field.dtype for field in FIELDS},
}
"""Columns of ``Stated.rows``; what a pair lacks is null."""


class Stated(NamedTuple):
    """What one file states of the pairs of one solver, before anything is worked out."""

    name: str
    """Name of the file, without its folder."""
    unit: Literal["line", "row"]
    """What ``rows.line`` counts, from 1."""
    rows: pl.DataFrame
    """Columns of ``STATED``."""

    def place(self, line: int) -> str:
        """Return where a pair stands, for a message."""
        return f"{self.name}, {self.unit} {line}"
