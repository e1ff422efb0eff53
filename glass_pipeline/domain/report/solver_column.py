"""Holds the one rule on when a grid names the solver of each row.

Never holds a grid.
"""

from __future__ import annotations

from dataclasses import replace

from glass_pipeline.domain.report.blocks import Grid, Head
from glass_pipeline.domain.report.evidence import Evidence

SOLVER = Head("Solver", is_number=False)


def named_if_several(grid: Grid, evidence: Evidence) -> Grid:
    """Return the grid, without its solver column where the suite has only one solver."""
    if len(evidence.solvers) > 1:
        return grid
    kept = [at for at, head in enumerate(grid.heads) if head != SOLVER]
    return replace(
        grid,
        heads=tuple(grid.heads[at] for at in kept),
        rows=tuple(tuple(row[at] for at in kept) for row in grid.rows),
    )
