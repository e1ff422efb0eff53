"""Holds ``glass survey``: Table 1 for every suite of the warehouse, beside the published one.

Never computes a figure; it asks ``domain.estimands.suite_survey`` and prints what it is told.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from glass_pipeline.cli.errors import InputError
from glass_pipeline.cli.interchange import pair_cells
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.study import settings_from

HEADS = ("suite", "solver", "problems", "twins", "fragile", "zero", "R1", "R2", "R3")
WIDTHS = (24, 24, 9, 7, 8, 8, 6, 6, 6)


def survey(suites: Sequence[str], study_file: Path | None, *, as_json: bool) -> None:
    """Print problems, twins, fragile and zero share and the three conditions of suites that have labelled pairs."""
    import polars as pl

    from glass_pipeline.domain.corpus.file_names import SLUGS
    from glass_pipeline.domain.estimands.published_survey import published_survey
    from glass_pipeline.domain.estimands.suite_survey import SURVEY
    from glass_pipeline.domain.estimands.suite_survey import survey as survey_pairs

    _, settings = settings_from(os.environ, study_file)
    warehouse = Warehouse(settings.warehouse)
    asked = [SLUGS.get(suite, suite) for suite in suites]
    cells = {suite: pair_cells(warehouse, suite) for suite in asked or warehouse.suites_present()}
    absent = [suite for suite in asked if not cells[suite]]
    if absent:
        held = ", ".join(suite for suite in warehouse.suites_present() if pair_cells(warehouse, suite))
        raise InputError(f"{absent[0]} has no labelled pairs; `glass run` or `glass import-pairs` makes them ({held}).")
    surveys = [survey_pairs(warehouse.read(held), suite=suite) for suite, held in cells.items() if held]
    ours = pl.concat(surveys) if surveys else pl.DataFrame(schema=SURVEY)
    if as_json:
        print(json.dumps({"surveyed": ours.to_dicts(), "published": published_survey().to_dicts()}, sort_keys=True))
        return
    print(_line(HEADS))
    for row in pl.concat([ours, published_survey()]).iter_rows(named=True):
        print(_line(_cells(row)))
    for row in ours.iter_rows(named=True):
        findings = " ".join(f"R{number}: {row[f'r{number}_finding']}" for number in (1, 2, 3))
        print(f"{row['suite']}, {row['solver']}: {findings}")


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        row["suite"],
        row["solver"],
        f"{row['problems']:,}",
        "–" if row["twins_per_problem"] is None else f"{row['twins_per_problem']:.1f}",
        *("–" if share is None else f"{share:.1%}" for share in (row["fragile_share"], row["zero_share"])),
        *({True: "holds", False: "fails", None: "–"}[row[f"r{number}"]] for number in (1, 2, 3)),
    )


def _line(cells: Sequence[str]) -> str:
    left, right = cells[:2], cells[2:]
    return " ".join(
        [
            *(cell.ljust(width) for cell, width in zip(left, WIDTHS[:2], strict=True)),
            *(cell.rjust(width) for cell, width in zip(right, WIDTHS[2:], strict=True)),
        ]
    )
