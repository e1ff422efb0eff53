"""Holds the table of a suite: which problems, who rewords and judges them, at which doses.

Never knows of other tables.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from glass_pipeline.domain.records import DOSES, FAMILIES, Family
from glass_pipeline.study.record import Record, Slug

RULES = "rules"
"""Generator of twins that no model writes; no solver may be called so."""


def _adjudicators(given: object) -> object:
    if given == "none":
        return ()
    if given in ([], ()):
        raise ValueError('an empty list judges nothing; say "none"')
    return (given,) if isinstance(given, str) else given


Adjudicators = Annotated[tuple[Slug, ...], BeforeValidator(_adjudicators)]
"""Names of solvers, one name, or "none"."""


def known_doses(doses: tuple[int, ...]) -> tuple[int, ...]:
    """Return doses in order, each once.

    Raises:
        ValueError: there is none, or one that no study has.
    """
    if not doses or not set(doses) <= set(DOSES):
        raise ValueError(f"doses are among {list(DOSES)}, for ever")
    return tuple(sorted(set(doses)))


class Suite(Record):
    """One benchmark, one generator of twins."""

    source: Literal["gsm8k", "math", "svamp", "jsonl", "glassmini", "imported"]
    """``imported``: labelled pairs of others, put into the warehouse by ``glass import-pairs``."""
    split: str = "test"
    path: str | None = None
    """Local file or folder instead of the hub; for ``jsonl`` the file itself."""
    exclude: str | None = None
    """Text file of base ids, one a line, that are left out, e.g. those of known wrong gold answers."""
    answer_type: Literal["numeric", "math", "choice", "exact"] | None = None
    """None: the source's own (jsonl: numeric)."""
    complexity: Literal["gold_steps", "level", "heuristic"] | None = None
    """Declared complexity C; None: the source's own (methods §1.8)."""
    size: int = Field(default=240, ge=1, le=100_000)
    """glassmini only: how many problems to write."""
    max_steps: int = Field(default=8, ge=1, le=8)
    """glassmini only: hardest problem to write, in gold steps."""
    distractors: str = "glassmini/train"
    """Where injected sentences come from: ``gsm8k/train`` or ``glassmini/train``."""
    operators: tuple[Family, ...] = Field(default=FAMILIES, min_length=1)
    """Families of rewordings to make."""
    generator: Slug = RULES
    """Who writes the twins: the deterministic operators, or the solver of this name."""
    doses: tuple[int, ...] | None = None
    """None: the study's."""
    twins_per_base: int | None = Field(default=None, ge=1)
    """Twins of each base in every mix; None: as many as the dose, m (methods §3.1)."""
    adjudicator: Adjudicators | None = None
    """None: the study's."""
    solvers: tuple[Slug, ...] | None = None
    """Solvers that this suite uses; None: every enabled one. An imported suite names those of its labels."""
    limit: int | None = Field(default=None, ge=1)
    """Only the first N problems; set on derived suites."""

    @model_validator(mode="after")
    def _path_where_needed(self) -> Suite:
        if self.source == "jsonl" and not self.path:
            raise ValueError('a jsonl suite needs path = "FILE"')
        if self.source == "imported" and not self.solvers:
            raise ValueError('an imported suite names the solvers of its labels, e.g. solvers = ["their-model"]')
        return self

    @model_validator(mode="after")
    def _written_families(self) -> Suite:
        if self.generator != RULES and "gsm_ic" in self.operators:
            raise ValueError("gsm_ic is made by rule only; leave out generator, or gsm_ic among operators")
        return self

    @field_validator("doses")
    @classmethod
    def _known_doses(cls, doses: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if doses is None else known_doses(doses)
