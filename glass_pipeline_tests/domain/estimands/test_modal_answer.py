"""Whether pooling the samples of all runs changes a modal answer."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.estimands.modal_answer import modal_change


def runs_of(samples: dict[str, dict[int, list[str | None]]]) -> pl.DataFrame:
    """Return base labels of each item and dose run; the modal answer of a run is its first sample's."""
    rows: list[dict[str, Any]] = [
        {"base_id": base, "dose": dose, "modal_answer": answers[0], "answers": answers}
        for base, runs in samples.items()
        for dose, answers in runs.items()
    ]
    schema = {
        "base_id": pl.String(),
        "dose": pl.Int64(),
        "modal_answer": pl.String(),
        "answers": pl.List(pl.String()),
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_worked_example() -> None:
    """Pooled: a says 18 (4 of 6) against 20 in m9, b keeps 7, c was asked once: one of two items changed."""
    runs = runs_of(
        {
            "a": {1: ["18", "18", "18"], 9: ["20", "20", "18"]},
            "b": {1: ["7", "8", None], 9: ["7", "7", "9"]},
            "c": {9: ["5", "5", "6"]},
        }
    )

    found = modal_change(runs)

    assert found == (2, 1)
    assert found.share == 0.5


def test_no_answer_at_all_is_no_change() -> None:
    """An item without any parsable sample has no modal answer, before and after."""
    assert modal_change(runs_of({"a": {1: [None, None], 9: [None, None]}})) == (1, 0)


@pytest.mark.parametrize("runs", [{}, {"a": {9: ["5"]}}], ids=["no label", "one run"])
def test_without_a_second_run_there_is_no_share(runs: dict[str, dict[int, list[str | None]]]) -> None:
    """Nothing was asked again."""
    assert modal_change(runs_of(runs)).share is None
