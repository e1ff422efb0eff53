"""Tests of the index of the items table."""

from __future__ import annotations

import json

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.item_index import COLUMNS, item_index


def test_every_item_has_one_value_in_every_column(toy: ReportInput) -> None:
    """Columns of the table are found in the suite's or the solver's part, all of one length."""
    index = item_index(arrange(toy))
    solver = index["solvers"][0]

    assert all(len(solver.get(column["key"], index.get(column["key"]))) == 2 for column in COLUMNS)


def test_an_item_without_a_break_rate_has_none(toy: ReportInput) -> None:
    """item-1 has π = 1/2, item-2 none, and JSON can hold it."""
    index = json.loads(json.dumps(item_index(arrange(toy)), allow_nan=False))

    assert index["solvers"][0]["pi"] == [0.5, None]
    assert index["solvers"][0]["solvable"] == [True, False]
