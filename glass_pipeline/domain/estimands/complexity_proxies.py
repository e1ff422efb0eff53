"""Holds the proxies of complexity that a problem states or shows, side by side.

Never decides which of them is C (see ``problems.complexity``), and never looks at a label.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.problems.complexity import heuristic_score

DECLARED = "declared"
"""C itself: whichever the suite declares."""
PROXIES = (DECLARED, "gold_steps", "level", "heuristic", "words")


def complexity_proxies(problems: pl.DataFrame) -> pl.DataFrame:
    """Return every proxy of each problem: C, gold steps, level, the text heuristic, and the number of words.

    The last two are read off the text: the heuristic is length in disguise, and words are length itself.

    Args:
        problems: ``schemas.BASE_PROBLEMS``.

    Returns:
        ``base_id`` and the columns ``PROXIES``, floats, null where a problem does not state one; sorted.

    Source: methods §0 C5, §1.8.
    """
    return problems.select(
        "base_id",
        pl.col("declared_complexity").alias(DECLARED),
        pl.col("gold_steps", "level").cast(pl.Float64()),
        heuristic=pl.col("text").map_elements(heuristic_score, return_dtype=pl.Float64()),
        words=pl.col("text").str.split(" ").list.len().cast(pl.Float64()),
    ).sort("base_id")
