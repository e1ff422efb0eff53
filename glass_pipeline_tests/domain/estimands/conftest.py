"""Builders of small tables for the tests of estimands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.schemas import LABELED_PAIRS

Rows = Iterable[dict[str, Any]]


@pytest.fixture
def make_pairs() -> Callable[[Rows], pl.DataFrame]:
    """Make labelled pairs from the fields that a test cares about."""

    def make(rows: Rows) -> pl.DataFrame:
        complete = []
        for number, row in enumerate(rows):
            twin_text = row.get("twin_text", f"twin {number}")
            y_base, y_twin = row.get("y_base_run", 1), row["y_twin"]
            complete.append(
                {
                    "solver": "planted",
                    "base_id": "a",
                    "twin_id": f"t{number}",
                    "operator": row.get("family", "entity_rename"),
                    "category": "toys",
                    "complexity": "easy",
                    "complexity_score": 0.1,
                    "declared_complexity": 1.0,
                    "base_text": "base",
                    "twin_text": twin_text,
                    "text_hash": text_hash(twin_text),
                    "delta": y_base - y_twin,
                    "d_obs": 0.0,
                    "d_wc": 0.0,
                    "y_base_mean": 1.0,
                    "family": "entity_rename",
                    "file_dose": 1,
                    "inject_size": None,
                    "generator": "rules",
                    "run_id": "base/m1",
                    "y_base_run": y_base,
                    "n_base_correct": 5,
                    "n_base": 5,
                    "y_twin": y_twin,
                    "twin_samples_correct": y_twin,
                    "audit": "{}",
                    "gold_steps": None,
                    "source_distractor_ids": [],
                }
                | row
            )
        # Unlike the warehouse's table, a concatenation of dose files may repeat a twin.
        return pl.DataFrame(complete, schema=LABELED_PAIRS.schema, orient="row")

    return make


@pytest.fixture
def make_runs() -> Callable[[Rows], pl.DataFrame]:
    """Make base labels from dose, verdict and number of correct samples of five."""

    def make(rows: Rows) -> pl.DataFrame:
        schema = {
            "solver": pl.String(),
            "dose": pl.Int64(),
            "base_id": pl.String(),
            "y_base": pl.Int64(),
            "n_samples": pl.Int64(),
            "n_correct": pl.Int64(),
        }
        complete = [{"solver": "planted", "base_id": "a", "dose": 1, "n_samples": 5} | row for row in rows]
        return pl.DataFrame(complete, schema=schema, orient="row")

    return make


@pytest.fixture
def worked_pairs(make_pairs: Callable[[Rows], pl.DataFrame]) -> pl.DataFrame:
    """Six pairs of the worked example of methods §1.5: runs m1 and m9 solve the base, run m5 does not."""
    outcomes = [(1, 1, 1), (9, 1, 0), (9, 1, 1), (9, 1, 0), (5, 0, 1), (5, 0, 0)]
    return make_pairs({"file_dose": dose, "y_base_run": y_base, "y_twin": y_twin} for dose, y_base, y_twin in outcomes)


@pytest.fixture
def worked_runs(make_runs: Callable[[Rows], pl.DataFrame]) -> pl.DataFrame:
    """Three base runs of the worked example: 4, 3 and 2 of 5 samples right."""
    return make_runs(
        {"dose": dose, "y_base": y_base, "n_correct": right}
        for dose, y_base, right in [(1, 1, 4), (9, 1, 3), (5, 0, 2)]
    )
