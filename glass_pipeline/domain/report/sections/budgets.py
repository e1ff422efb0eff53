"""Holds what a budget of further rewordings would do: the share of items that one breaks, or half of them do.

Never quotes a single item.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.report.blocks import Aid, Block, Grid, Head, Missing, Section
from glass_pipeline.domain.report.evidence import Evidence
from glass_pipeline.domain.report.numerals import count, percent
from glass_pipeline.domain.report.solver_column import SOLVER, named_if_several

AID = (
    "Expected for new rewordings like those at hand, drawn anew and averaged over what is not known of each item's "
    "rate. With many tries nearly every item breaks once, so a worst case says little without its budget."
)


def section(evidence: Evidence) -> Section:
    """Return the mean targets at the budget of every dose and of all together."""
    means = _means(evidence.given.budget_targets)
    blocks: tuple[Block, ...]
    if means.is_empty():
        blocks = (Missing("Not measured yet: no reworded twin of a solved problem has been answered."),)
    else:
        blocks = (named_if_several(_grid(evidence, means), evidence), Aid(AID))
    return Section(
        slug="budgets",
        title="If more rewordings were tried",
        blocks=blocks,
        summary={one.solver: _of(means, one.solver) for one in evidence.solvers},
    )


def _means(targets: pl.DataFrame) -> pl.DataFrame:
    return (
        targets.group_by("solver", "slice")
        .agg(
            pl.col("twins", "half").first(),
            pl.col("rate", "worst_case", "at_least_half").mean(),
            jobs=pl.len(),
        )
        .sort("solver", "twins", "slice")
    )


def _of(means: pl.DataFrame, solver: str) -> list[dict[str, Any]]:
    return means.filter(pl.col("solver") == solver).drop("solver").to_dicts()


def _grid(evidence: Evidence, means: pl.DataFrame) -> Grid:
    return Grid(
        caption="Items expected to break, by number of new rewordings",
        heads=(
            Head("Rewordings tried", is_number=False),
            SOLVER,
            Head("K"),
            Head("Mean break rate"),
            Head("At least one breaks"),
            Head("At least half break"),
            Head("Items"),
        ),
        rows=tuple(
            (
                "all doses together" if row["slice"] == POOLED else f"those of dose {row['slice']}",
                one.solver,
                count(row["twins"]),
                percent(row["rate"]),
                percent(row["worst_case"]),
                percent(row["at_least_half"]),
                count(row["jobs"]),
            )
            for one in evidence.solvers
            for row in _of(means, one.solver)
        ),
    )
