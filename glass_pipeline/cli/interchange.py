"""Holds what the commands that import, export and survey labelled pairs share: which pairs a warehouse has.

Never reads a file of pairs (see ``pair_files``), and never writes a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Warehouse

IMPORTED = "import-1"
"""Code version of imported tables; it tells an imported suite from one of ours."""
SLUG = re.compile(r"[a-z0-9][a-z0-9.-]{0,79}")
NOTICE = "NOTICE.md"
"""Licence notice of an imported suite, in its folder of the warehouse and in every export."""


def pair_cells(warehouse: Warehouse, suite: str, solver: str | None = None) -> list[Cell]:
    """Return the cells of labelled pairs that a warehouse holds of a suite, by dose and solver; none for a bad name."""
    if not SLUG.fullmatch(suite):
        return []
    found = [
        Cell(suite, "labeled_pairs", int(path.parts[-3].removeprefix("dose=m")), path.parts[-2].removeprefix("solver="))
        for path in warehouse.parts(suite, "labeled_pairs")
    ]
    return sorted(cell for cell in found if solver in (None, cell.solver))


def published_source(file_names: Iterable[str]) -> str | None:
    """Return the data set that the published suite of some files rewords, None if they are of no published suite."""
    from glass_pipeline.domain.corpus.file_names import NAME, parse_file_name
    from glass_pipeline.domain.corpus.notices import PUBLISHED_SOURCES

    suites = {parse_file_name(name).suite for name in file_names if NAME.match(name)}
    return next((PUBLISHED_SOURCES[suite] for suite in sorted(suites & PUBLISHED_SOURCES.keys())), None)
