"""Holds the records that pass between stages, one frozen dataclass for each noun of the field.

Never holds behaviour, defaults of the study, or tables (see ``schemas``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AnswerType = Literal["numeric", "math", "choice", "exact"]
Family = Literal["sentence_reorder", "entity_rename", "math_irrelevant_context", "gsm_ic"]

FAMILIES: tuple[Family, ...] = ("sentence_reorder", "entity_rename", "math_irrelevant_context")
"""The operator families of the mix, in the order of methods §3.1."""

DOSES: tuple[int, ...] = (1, 3, 5, 7, 9)
"""Perturbation budgets m of the corpus files, for ever (DESIGN §2)."""

TERMINAL_STATUSES = ("length", "content_filter", "refusal", "unparsed", "ambiguous", "empty")
"""An answer that will not become one by asking again: votes None, counts as incorrect, is kept."""

TRANSIENT_STATUSES = ("error", "timeout", "rate_limited", "reset", "malformed")
"""No answer at all: the cell is missing, has no Y, and is asked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One benchmark item J, before any rewording."""

    base_id: str
    """Stable within the source, e.g. ``gsm8k-test-42``."""
    text: str
    gold: str
    """The gold answer in canonical form."""
    answer_type: AnswerType
    gold_solution: str | None = None
    category: str = "math"
    level: int | None = None
    """Level set by whoever wrote the problem (MATH: 1 to 5)."""
    gold_steps: int | None = None
    """Non-empty lines of the gold solution before ``####`` (methods §1.8)."""
    declared_complexity: float
    """C: gold steps, level or the text heuristic, as the suite declares."""
    complexity_score: float
    """C mapped to [0.05, 0.95]."""
    revision: str
    """Commit of the data set, or sha256 of the local file."""
    licence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Distractor:
    """One sentence of another problem that may be spliced into a base."""

    source_id: str
    """Id of the problem it comes from, e.g. ``gsm8k-train-17``."""
    position: int
    """Index of the sentence in that problem."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """One meaning-preserving rewording T(J) with the same gold answer."""

    base_id: str
    twin_id: str
    """``<base_id>-<dose>-<family>-<n>``; unique in a suite."""
    dose: int
    """m of the file this twin was made for."""
    family: Family
    inject_size: int | None
    """Sentences spliced in; None for surface twins (methods §3.3)."""
    operator: str
    """Family, with the suffix ``_m<inject_size>`` for injections."""
    text: str
    generator: str
    """``rules`` for the deterministic operators, else the solver that wrote it."""
    edit: str
    """JSON of the edit itself: name map, sentence order, or inserted sentences with sources and positions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """A base that one operator refused to reword rather than guess."""

    base_id: str
    dose: int
    family: Family
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFacts:
    """What only a simulated solver may know of the item it is asked."""

    gold: str
    base_text: str
    family: str | None
    inject_size: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One problem text that a solver is to answer ``samples`` times."""

    item_id: str
    """A base_id or a twin_id."""
    text: str
    answer_type: AnswerType
    draw: str
    """Names the set of samples: ``base/m9``, ``twin``, ``probe``, ``reaudit/2026-12-07`` (DESIGN §3)."""
    samples: int
    facts: ItemFacts
    may_stop: bool = False
    """Only the modal answer is wanted: no sample is asked for that cannot change it (methods §12.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What one sample of one question came back as."""

    key: str
    """Key in the response store."""
    status: str
    """``ok``, or one of TERMINAL_STATUSES or TRANSIENT_STATUSES."""
    text: str
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    """None where the price is unknown, never 0."""
    error: str | None = None
    cached: bool = False
    """True if the store had it."""
