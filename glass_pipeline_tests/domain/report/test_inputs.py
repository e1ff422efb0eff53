"""Tests of what a report is made from."""

from __future__ import annotations

import polars as pl
import pytest

from glass_pipeline.domain.report import FloorFigure, ReportInput


def test_a_table_without_its_columns_is_refused_by_name() -> None:
    """The error names the suite, the table and a missing column."""
    with pytest.raises(ValueError, match=r"report of 'toy': declines lacks the columns \['base_id'"):
        ReportInput(suite="toy", declines=pl.DataFrame({"reason": ["x"]}))


def test_absent_tables_are_empty_tables() -> None:
    """A table that is not given has its columns and no rows."""
    given = ReportInput(suite="toy")

    assert given.labeled_pairs.height == 0
    assert "file_dose" in given.labeled_pairs.columns


def test_floor_rate_is_breaks_over_resolves() -> None:
    """1 break in 12 re-solves is 1/12 (methods §1.9)."""
    assert FloorFigure(breaks=1, resolves=12, items=3, low=0.0, high=0.3).rate == pytest.approx(1 / 12)
