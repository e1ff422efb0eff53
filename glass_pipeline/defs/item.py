"""Holds how one item is found in a warehouse, and its rows of every table, without reading the others' outputs.

Never interprets a row: that is ``domain.report.one_item``.
"""

from __future__ import annotations

from difflib import get_close_matches

import polars as pl

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Warehouse, WarehouseError
from glass_pipeline.domain.report.display_text import visible
from glass_pipeline.domain.report.inputs import REPORT_TABLES
from glass_pipeline.domain.schemas import TABLES

SHOWN = 80
"""Characters of a mistyped id that are said back."""


def suite_of(item: str, warehouse: Warehouse, suites: tuple[str, ...]) -> str:
    """Return the one suite among ``suites`` that has an item.

    Raises:
        WarehouseError: none has it, or several have; names near ids, or the suites.
    """
    ids = {
        suite: warehouse.read([Cell(suite, "base_problems")], ["base_id"])["base_id"].to_list()
        for suite in suites
        if warehouse.has(Cell(suite, "base_problems"))
    }
    if not ids:
        raise WarehouseError(f"{_said(suites)} has no problems yet; `glass run {suites[0]}` makes them.")
    having = [suite for suite, held in ids.items() if item in held]
    if len(having) > 1:
        raise WarehouseError(f"{_quoted(item)} is an item of {_said(having)}; name one with --suite.")
    if having:
        return having[0]
    every = list(dict.fromkeys(base_id for held in ids.values() for base_id in held))
    near = get_close_matches(item[:SHOWN], every, n=3, cutoff=0.5)
    hint = f"near: {', '.join(map(_quoted, near))}" if near else f"ids look like {_quoted(every[0])}" if every else ""
    raise WarehouseError(f"No item {_quoted(item)} in {_said(list(ids))}; {hint or 'it holds no problem'}.")


def _quoted(item: str) -> str:
    return repr(visible(item)[:SHOWN])


def _said(suites: tuple[str, ...] | list[str]) -> str:
    return ", ".join(suites)


def item_tables(suite: str, item: str, warehouse: Warehouse, solver: str | None = None) -> dict[str, pl.DataFrame]:
    """Return the rows of one item in every table that a report reads; one that is not there, or of no item, is empty.

    Args:
        suite: Slug of the suite.
        item: Id of the base problem.
        warehouse: Where the tables lie.
        solver: Only labels of this solver.
    """
    tables = {}
    for stage in REPORT_TABLES:
        parts = warehouse.parts(suite, stage) if "base_id" in TABLES[stage].schema else []
        own = pl.col("base_id") == item
        if solver is not None and "solver" in TABLES[stage].schema:
            own &= pl.col("solver") == solver
        tables[stage] = warehouse.files.scan(parts).filter(own).collect() if parts else TABLES[stage].frame([])
    return tables
