"""Break rates of cells: who counts where, and how far above the floor they lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.estimands import causal_difficulty
from glass_pipeline.domain.estimands.slices import job_slices, slice_rate

Make = Callable[[Any], pl.DataFrame]
REORDER, RENAME = "sentence_reorder", "entity_rename"


@pytest.fixture
def study(make_pairs: Make, make_runs: Make) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Forty jobs: 32 toys of level 1, 8 prices of level 2; two renames that hold, two reorders of which one breaks.

    The first five jobs have one reorder only, and job 0 fails its re-solve of m1.
    """
    base_ids = [f"j{number:02}" for number in range(40)]
    problems = pl.DataFrame(
        {
            "base_id": base_ids,
            "category": ["toys"] * 32 + ["prices"] * 8,
            "declared_complexity": [1.0] * 32 + [2.0] * 8,
        }
    )
    runs = make_runs(
        {"base_id": base, "dose": dose, "y_base": y, "n_correct": 5 if y else 2}
        for base in base_ids
        for dose, y in ((1, int(base != "j00")), (9, 1))
    )
    pairs = make_pairs(
        {"base_id": base, "family": family, "twin_text": f"{base} {family} {number}", "file_dose": 9, "y_twin": y}
        for place, base in enumerate(base_ids)
        for family, number, y in ((RENAME, 0, 1), (RENAME, 1, 1), (REORDER, 0, 0), (REORDER, 1, 1))
        if not (place < 5 and family == REORDER and number == 1)
    )
    return causal_difficulty(problems, runs, pairs, seed=42), runs


def test_cells_of_the_pooled_slice(study: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    """All, families from two observations a job on, categories, levels, and their products."""
    sizes = {(cell.kind, cell.name): cell.jobs.height for cell in job_slices(study[0])}

    assert sizes == {
        ("all", "all"): 40,
        ("family", REORDER): 35,
        ("family", RENAME): 40,
        ("family", "math_irrelevant_context"): 0,
        ("category", "prices"): 8,
        ("category", "toys"): 32,
        ("complexity", "1"): 32,
        ("complexity", "2"): 8,
        ("category_complexity", "prices / 2"): 8,
        ("category_complexity", "toys / 1"): 32,
    }


def test_a_dose_has_families_only(study: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    """Single doses are too thin for categories and levels."""
    assert {cell.kind for cell in job_slices(study[0], slice_name="m9")} == {"all", "family"}


def test_rates_stand_above_the_floor_of_the_same_jobs(study: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    """Reorders break 35 of 70; their jobs have 35 re-solves without a failure, as j00 has one reorder only."""
    cells = {cell.name: cell for cell in job_slices(study[0])}

    reorder, rename = (slice_rate(cells[name], study[1], rng=np.random.default_rng(0)) for name in (REORDER, RENAME))

    assert (reorder.n_observations, reorder.n_breaks, reorder.mean_pi) == (70, 35, 0.5)
    assert (reorder.floor, reorder.above_floor) == (0.0, 0.5)
    assert reorder.above_floor_interval is not None
    assert reorder.above_floor_interval.low == pytest.approx(0.5)
    # Renames never break; their 40 jobs have one failed re-solve: no break above the floor, rather below it.
    assert rename.floor == pytest.approx(1 / 40)
    assert rename.above_floor == pytest.approx(-1 / 40)
    assert rename.above_floor_interval is not None
    assert rename.above_floor_interval.low < 0 <= rename.above_floor_interval.high


def test_small_cells_give_no_estimate(study: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    """Under 30 jobs a cell says how many there are, and no more."""
    cells = {cell.name: cell for cell in job_slices(study[0])}

    for name, jobs in (("prices", 8), ("math_irrelevant_context", 0)):
        found = slice_rate(cells[name], study[1], rng=np.random.default_rng(0))
        assert (found.n_jobs, found.too_small) == (jobs, True)
        assert (found.mean_pi, found.interval, found.floor, found.above_floor) == (None, None, None, None)


def test_without_resolves_a_cell_has_a_rate_but_no_floor(study: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    """One dose run re-solves nothing."""
    cell = next(iter(job_slices(study[0])))

    found = slice_rate(cell, study[1].filter(pl.col("dose") == 9), rng=np.random.default_rng(0))

    assert found.mean_pi is not None
    assert found.floor is None
    assert found.above_floor_interval is None
