"""Holds what a section is made of. Each block knows what it says, none knows how it looks.

Never holds markup: ``page`` renders blocks as HTML, ``markdown`` as Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from glass_pipeline.domain.report.line_chart import LineChart
from glass_pipeline.domain.report.word_diff import Run


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer in plain words, one sentence a solver."""

    kind: ClassVar[str] = "verdict"
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prose:
    """One paragraph."""

    kind: ClassVar[str] = "prose"
    text: str


@dataclass(frozen=True, slots=True)
class Aid:
    """One line that says how to read what stands beside it."""

    kind: ClassVar[str] = "aid"
    text: str


@dataclass(frozen=True, slots=True)
class Missing:
    """What is not there yet, and the command that makes it."""

    kind: ClassVar[str] = "missing"
    text: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class Points:
    """A list of sentences."""

    kind: ClassVar[str] = "points"
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """One column of a grid."""

    name: str
    unit: str = ""
    is_number: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table of finished cells; the first cell of a row names it."""

    kind: ClassVar[str] = "grid"
    caption: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Charts:
    """One drawing or several alike, and the table that says the same to those who cannot see them."""

    kind: ClassVar[str] = "charts"
    drawings: tuple[LineChart, ...]
    grid: Grid


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number that matters: its interval, and what chance alone would give."""

    name: str
    value: str
    interval: str = ""
    chance: str = ""
    basis: str = ""
    """What it is a share or a mean of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The headline figures of the only solver; several stand in a grid."""

    kind: ClassVar[str] = "figures"
    figures: tuple[Figure, ...]
    below: str
    """One line on cost, requests and statuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Specimen:
    """One item that broke: the wording that broke it and the solver's two answers."""

    kind: ClassVar[str] = "specimen"
    base_id: str
    solver: str
    """Empty where there is only one."""
    anchor: str
    """URL fragment that opens the item."""
    label: str
    """Family and dose in words."""
    runs: tuple[Run, ...]
    gold: str
    base_answer: str
    twin_answer: str
    base_score: str
    twin_score: str
    base_words: str
    """What the solver wrote about the base."""
    twin_words: str
    """What it wrote about the twin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One reworded text with its changes marked, and what was decided about it."""

    kind: ClassVar[str] = "example"
    label: str
    runs: tuple[Run, ...]
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Blocks that open on demand."""

    kind: ClassVar[str] = "folded"
    summary: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values, printed exactly."""

    kind: ClassVar[str] = "facts"
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """The table of all items, with everything that opens when one is chosen."""

    kind: ClassVar[str] = "browser"
    index: Mapping[str, Any]
    """JSON-able: columns, solvers, values."""
    blobs: Mapping[str, str]
    """Compressed details by element id, base64."""
    grid: Grid
    """The most fragile items, for readers without JavaScript."""


Block = (
    Verdict | Prose | Aid | Missing | Points | Grid | Charts | Figures | Specimen | Example | Folded | Facts | Browser
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of the report."""

    slug: str
    """Anchor, and key in the summary."""
    title: str
    blocks: tuple[Block, ...]
    summary: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """JSON-able numbers, unrounded."""
    place: Literal["lead", "body"] = "body"
    """The lead is the first screen."""
