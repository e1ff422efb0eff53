"""Small sets of jobs whose break rates follow from their texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.predictors.jobs import PROBLEM_SCHEMA, JobSet

FAMILIES = ("entity_rename", "math_irrelevant_context", "sentence_reorder")


def make_jobs(rows: Sequence[dict[str, Any]], twins: Sequence[tuple[str, str, int, float]]) -> JobSet:
    """Jobs of some problems, and twins (base_id, family, dose, is_break)."""
    problems = pl.DataFrame(
        [{"category": "toy", "declared_complexity": 1.0, "base_pass_rate": 1.0} | row for row in rows],
        schema=PROBLEM_SCHEMA,
    )
    table = pl.DataFrame(
        [
            {"base_id": job, "text": f"twin {n} of {job}", "family": family, "dose": dose, "is_break": broke}
            for n, (job, family, dose, broke) in enumerate(twins)
        ],
        schema={
            "base_id": pl.String(),
            "text": pl.String(),
            "family": pl.String(),
            "dose": pl.Int64(),
            "is_break": pl.Float64(),
        },
    )
    return JobSet(problems=problems.sort("base_id"), twins=table.sort("base_id", "dose", "family", "text"))


@pytest.fixture
def jobs_of() -> Callable[..., JobSet]:
    """Builder of jobs from rows."""
    return make_jobs


@pytest.fixture
def toy_jobs() -> Callable[..., JobSet]:
    """Jobs about boats break often, jobs about kites seldom, more at high doses; ten twins each."""

    def build(jobs: int = 60, *, seed: int = 0, start: int = 0) -> JobSet:
        rng = np.random.default_rng(seed)
        rows, twins = [], []
        for number in range(start, start + jobs):
            thing, rate = ("boats", 0.6) if number % 2 else ("kites", 0.15)
            base_id = f"job-{number:03d}"
            text = f"Mia sees {number % 7 + 2} {thing} and then {number % 5 + 3} more. How many {thing} does she see?"
            rows.append({"base_id": base_id, "text": text, "declared_complexity": float(number % 4 + 1)})
            for dose in (1, 3, 5, 7, 9):
                for family in FAMILIES[:2]:
                    broke = float(rng.random() < rate + 0.03 * (dose - 5))
                    twins.append((base_id, family, dose, broke))
        return make_jobs(rows, twins)

    return build
