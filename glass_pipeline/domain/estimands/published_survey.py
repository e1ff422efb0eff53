"""Holds the published Table 1, to be printed beside a survey of ours.

Never a target: the figures are for other solvers and other twins; what the source does not say is null.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.estimands.suite_survey import SURVEY

PUBLISHED = (
    ("GSM-IC on GSM8K test", 1319, 20.0, 0.037, 0.901, True, False, True),
    ("GSM-Plus (MPPO)", 1319, 2.0, 0.105, 0.862, True, False, True),
    ("GSM-Symbolic p1", 100, 10.0, 0.250, 0.560, False, True, None),
    ("GSM-DC", 6222, 1.0, 0.164, 0.640, True, True, False),
    ("GlassGSM", 1319, 13.9, 0.449, 0.486, True, True, True),
    ("MATH", 5000, None, None, None, None, False, None),
    ("GlassMATH", 4999, 23.1, 0.365, 0.344, True, True, True),
)
COLUMNS = ("suite", "problems", "twins_per_problem", "fragile_share", "zero_share", "r1", "r2", "r3")


def published_survey() -> pl.DataFrame:
    """Return Table 1 of the paper in the columns of ``SURVEY``.

    Source: methods §11 Table 1.
    """
    rows = [{**dict(zip(COLUMNS, row, strict=True)), "solver": "published"} for row in PUBLISHED]
    return pl.DataFrame(rows, schema=SURVEY, orient="row")
