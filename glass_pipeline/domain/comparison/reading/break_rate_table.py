"""Holds the reading of this project's own tables of break rates (the stage ``causal_difficulty``).

Never computes a rate.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.comparison.break_rates import BreakRates
from glass_pipeline.domain.comparison.results import ComparisonError

NEEDED = ("slice", "base_id", "in_stratum", "pi")


def is_break_rate_table(frame: pl.DataFrame) -> bool:
    """Say whether a table holds break rates by base and slice."""
    return set(NEEDED) <= set(frame.columns)


def break_rates_of(name: str, frame: pl.DataFrame, part: str) -> BreakRates:
    """Take one slice of a table of break rates.

    Args:
        name: How messages call the file.
        frame: With the columns slice, base_id, in_stratum and pi.
        part: Slice, e.g. pooled or m9.

    Raises:
        ComparisonError: the slice is absent, or a base occurs twice in it.
    """
    chosen = frame.filter(pl.col("slice") == part).sort("base_id")
    if not chosen.height:
        present = ", ".join(frame["slice"].cast(pl.String).unique().sort().to_list()[:12])
        raise ComparisonError(f"{name}: no slice {part!r}; there are {present}.")
    repeated = chosen.filter(pl.col("base_id").is_duplicated())
    if repeated.height:
        raise ComparisonError(
            f"{name}: base {repeated['base_id'][0]!r} occurs twice in slice {part}; pass the table of one solver."
        )
    return BreakRates(
        name=name,
        ids=tuple(chosen["base_id"].to_list()),
        solved=tuple(chosen["in_stratum"].to_list()),
        rates=tuple(chosen["pi"].to_list()),
    )
