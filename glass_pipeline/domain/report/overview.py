"""Holds the overview: every suite and solver side by side, from the figures of their reports.

Never computes a figure, and never compares two suites: their problems and twins differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import polars as pl

from glass_pipeline.domain.report.blocks import Aid, Grid, Head, Missing, Section
from glass_pipeline.domain.report.evidence import FEWEST_JOBS
from glass_pipeline.domain.report.markdown import to_markdown
from glass_pipeline.domain.report.numerals import NONE, count, counted, money, percent, percent_estimate, real_estimate
from glass_pipeline.domain.report.page import render
from glass_pipeline.domain.schemas import OVERVIEW

READING = (
    "Each row is one solver on one suite, with 95 % intervals. Fragile: solvable items of which more than 5 % of the "
    "rewordings break; beneath it, what re-solving alone would make fragile. Suites differ in problems, twins and "
    "doses, so a higher share in one suite does not by itself mean a weaker solver there."
)
NOT_MEASURED = "not measured"
RESOLVE = "re\u2011solve"
"""With a hyphen at which no line breaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The overview in its two forms."""

    html: str
    markdown: str


class Cell(NamedTuple):
    """One finished figure."""

    value: str
    interval: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One solver on one suite."""

    suite: str
    link: str
    """Where the suite's report lies, relative to the overview."""
    solver: str
    is_simulated: bool
    cells: tuple[Cell, ...]
    bar: tuple[float, float, float] | None
    """Low end, value and high end of the fragile share in per cent."""


READ = (
    "solvable",
    "fragile",
    "fragile_by_chance",
    "mean_pi",
    "identity_floor",
    "reliability",
    "doses",
    "without_answer",
    "cost_usd",
)
ABSENT = {"value": None, "low": None, "high": None, "n": None, "note": ""}
"""A figure that the report of an earlier version did not hold."""
HEADS = ("Solvable", "Fragile", "Mean π", "Identity floor", "Reliability r", "Doses", "Completions", "Cost")


def overview_frame(reports: Mapping[str, pl.DataFrame], simulated: frozenset[str]) -> pl.DataFrame:
    """Return the figures of every suite as one table.

    Args:
        reports: Table ``report`` of each suite; one without rows has no report yet.
        simulated: Solvers whose labels are a simulation.
    """
    return OVERVIEW.frame(
        {"suite": suite, "is_simulated": row["solver"] in simulated, **row}
        for suite, report in reports.items()
        for row in report.iter_rows(named=True)
    )


def build_overview(figures: pl.DataFrame, *, suites: tuple[str, ...], links: Mapping[str, str]) -> Overview:
    """Build the page of all suites.

    Args:
        figures: ``overview_frame``.
        suites: Every suite there is, in the order of the page; one without figures is said to have no report yet.
        links: Where the report of each suite lies, relative to the page.
    """
    rows = tuple(_rows(figures, suites, links))
    groups = [(suite, list(own)) for suite, own in groupby(rows, attrgetter("suite"))]
    waiting = tuple(suite for suite in suites if suite not in dict(groups))
    section = Section(slug="overview", title="Overview", blocks=_blocks(rows, waiting))
    return Overview(
        html=render("overview.html", groups=groups, heads=HEADS, waiting=waiting, reading=READING),
        markdown=to_markdown("All suites", (section,)),
    )


def _rows(figures: pl.DataFrame, suites: tuple[str, ...], links: Mapping[str, str]) -> Iterator[Row]:
    for suite in suites:
        own = figures.filter(pl.col("suite") == suite).sort("is_simulated", "solver")
        for (solver,), rows in own.group_by("solver", maintain_order=True):
            held = {row["figure"]: row for row in rows.iter_rows(named=True)}
            found = {name: held.get(name, ABSENT) for name in READ}
            yield _row(suite, links[suite], str(solver), rows["is_simulated"][0], found)


def _row(suite: str, link: str, solver: str, is_simulated: bool, found: dict[str, dict[str, Any]]) -> Row:
    fragile = found["fragile"]
    chance = found["fragile_by_chance"]["value"]
    ends = (fragile["low"], fragile["value"], fragile["high"])
    below = f"of {counted(fragile['n'] or 0, 'item')}" + ("" if chance is None else f", by chance {percent(chance)}")
    return Row(
        suite=suite,
        link=link,
        solver=solver,
        is_simulated=is_simulated,
        cells=(
            _share(found["solvable"], below=f"of {counted(found['solvable']['n'] or 0, 'item')}"),
            _share(fragile, below=below) if (fragile["n"] or 0) >= FEWEST_JOBS else _few(fragile),
            _share(found["mean_pi"]),
            _share(found["identity_floor"], below=f"of {counted(found['identity_floor']['n'] or 0, RESOLVE)}"),
            _rank(found["reliability"]),
            _doses(found["doses"]),
            _completions(found["without_answer"]),
            _cost(found["cost_usd"]),
        ),
        bar=None if None in ends or fragile["n"] < FEWEST_JOBS else (100 * ends[0], 100 * ends[1], 100 * ends[2]),
    )


def _share(figure: dict[str, Any], below: str = "") -> Cell:
    if figure["value"] is None:
        return Cell(NONE, below=NOT_MEASURED)
    value, interval = percent_estimate(figure["value"], figure["low"], figure["high"])
    return Cell(value, "" if interval == NONE else interval, below)


def _few(figure: dict[str, Any]) -> Cell:
    """Return the count alone: so few items are too few to quote a share (methods §9)."""
    if figure["value"] is None:
        return Cell(NONE, below=NOT_MEASURED)
    return Cell(f"{round(figure['value'] * figure['n'])} of {figure['n']}", below="items: too few for a share")


def _rank(figure: dict[str, Any]) -> Cell:
    if figure["value"] is None:
        return Cell(NONE, below=NOT_MEASURED)
    value, interval = real_estimate(figure["value"], figure["low"], figure["high"])
    return Cell(value, "" if interval == NONE else interval, f"{counted(figure['n'], 'item')}")


def _doses(figure: dict[str, Any]) -> Cell:
    if figure["value"] is None:
        return Cell(NONE, below=NOT_MEASURED)
    return Cell(f"{figure['value']:.0f} of {figure['n']}", below=f"no {figure['note']}" if figure["note"] else "")


def _completions(without_answer: dict[str, Any]) -> Cell:
    if without_answer["value"] is None:
        return Cell(NONE, below=NOT_MEASURED)
    return Cell(count(without_answer["n"]), below=f"{count(int(without_answer['value']))} without an answer")


def _cost(figure: dict[str, Any]) -> Cell:
    if figure["value"] is not None:
        return Cell(money(figure["value"]))
    word, _, reason = figure["note"].partition(" (")
    return Cell(word or NONE, below=reason.rstrip(")"))


def _blocks(rows: tuple[Row, ...], waiting: tuple[str, ...]) -> tuple[Any, ...]:
    heads = (Head("Suite", is_number=False), Head("Solver", is_number=False), *map(Head, HEADS))
    grid = Grid(
        caption=f"{counted(len({row.suite for row in rows}), 'suite')} with a report",
        heads=heads,
        rows=tuple((row.suite, _named(row), *(_written(cell) for cell in row.cells)) for row in rows),
    )
    missing = [Missing(f"{suite} has no report yet.", f"glass run {suite}") for suite in waiting]
    return (Aid(READING), *([grid] if rows else []), *missing)


def _named(row: Row) -> str:
    return f"{row.solver} (simulated)" if row.is_simulated else row.solver


def _written(cell: Cell) -> str:
    inside = "; ".join(part for part in (cell.interval, cell.below) if part)
    return f"{cell.value} ({inside})" if inside else cell.value
