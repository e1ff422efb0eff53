"""Tests of the index of the items table."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

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


def test_replies_without_an_answer_are_counted_by_item(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Two of item-1's base samples and one of its twin's are no answers; item-2 has none such, item-3 no label."""
    pair = rows.pair()
    lost = rows.samples((None, None, "14", "14", "14"), statuses=["length", "unparsed", "ok", "ok", "ok"])
    given = make_input(
        base_problems=[rows.problem("item-1"), rows.problem("item-2"), rows.problem("item-3")],
        base_labels=[rows.base_label("item-1", **lost), rows.base_label("item-2")],
        solver_labels=[rows.twin_label(pair, statuses=["ok", "ok", "refusal", "ok", "ok"])],
        labeled_pairs=[pair],
    )

    assert item_index(arrange(given))["solvers"][0]["lost"] == [3, 0, 0]
