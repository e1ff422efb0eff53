"""The floor that re-solving alone gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.estimands.identity_floor import above_floor, identity_floor

Make = Callable[[Any], pl.DataFrame]
DOSES = (1, 3, 5, 7, 9)


def runs_of(verdicts: dict[str, tuple[int, ...]]) -> list[dict[str, Any]]:
    """Give each base one verdict for each dose run m1 to m9; a solved run has 5 right samples, a failed one 2."""
    return [
        {"base_id": base, "dose": dose, "y_base": solved, "n_correct": 5 if solved else 2}
        for base, outcomes in verdicts.items()
        for dose, solved in zip(DOSES, outcomes, strict=True)
    ]


def test_worked_example(make_runs: Make) -> None:
    """3 items, 4 re-solves each, 1 break: 1/12 = 8.3 % (methods §1.9)."""
    runs = make_runs(runs_of({"a": (1, 1, 1, 1, 1), "b": (1, 0, 1, 1, 1), "c": (1, 1, 1, 1, 1)}))

    found = identity_floor(runs, rng=np.random.default_rng(0))

    assert (found.n_items, found.n_resolves, found.breaks, found.reference_dose) == (3, 12, 1, 9)
    assert found.floor == pytest.approx(1 / 12)
    assert found.interval is not None
    # Of three items the one that breaks is drawn 0 to 3 times: 0/12 to 3/12.
    assert (found.interval.low, found.interval.high) == pytest.approx((0.0, 0.25))


def test_only_stratum_jobs_that_the_reference_solved_count(make_runs: Make) -> None:
    """Job b was failed by the m9 run; c is solved there but has a pass rate of 13 of 25."""
    low = runs_of({"a": (1, 1, 1, 1, 1), "b": (1, 1, 1, 1, 0)})
    outside = [
        {"base_id": "c", "dose": dose, "y_base": int(dose == 9), "n_correct": 5 if dose == 9 else 1} for dose in DOSES
    ]

    found = identity_floor(make_runs([*low, *outside]), rng=np.random.default_rng(0))

    assert (found.n_items, found.n_resolves) == (1, 4)
    assert found.interval is None


def test_missing_runs_are_no_resolves(make_runs: Make) -> None:
    """A cell that was never answered counts neither as solved nor as broken."""
    runs = make_runs(runs_of({"a": (1, 1, 1, 1, 1), "b": (1, 1, 1, 1, 1)})).filter(
        (pl.col("base_id") == "a") | pl.col("dose").is_in([1, 9])
    )

    assert identity_floor(runs, rng=np.random.default_rng(0)).n_resolves == 5


def test_a_floor_of_zero_still_has_an_upper_end(make_runs: Make) -> None:
    """No break among 40 items: Wilson's interval of 0 of 40 ends at z^2 / (40 + z^2) = 0.0876."""
    runs = make_runs(runs_of({f"b{number}": (1, 1, 1, 1, 1) for number in range(40)}))

    found = identity_floor(runs, rng=np.random.default_rng(0))

    assert found.floor == 0
    assert found.interval is not None
    assert found.interval.high == pytest.approx(1.95996**2 / (40 + 1.95996**2), abs=1e-5)


@pytest.mark.parametrize("runs", [{}, {"a": (1,)}, {"a": (0,)}], ids=["no label", "one run", "one failed run"])
def test_without_a_second_run_there_is_no_floor(make_runs: Make, runs: dict[str, tuple[int, ...]]) -> None:
    """Nothing was re-solved, so the floor is None, not 0."""
    rows = [
        {"base_id": base, "dose": 1, "y_base": solved[0], "n_correct": 5 * solved[0]} for base, solved in runs.items()
    ]

    found = identity_floor(make_runs(rows), rng=np.random.default_rng(0))

    assert found.floor is None
    assert found.interval is None


def test_the_corrected_rate_is_clipped_at_zero() -> None:
    """(0.2 - 0.1) / 0.9 = 1/9, and a rate below the floor becomes 0."""
    corrected = pl.DataFrame({"pi": [0.2, 0.05, None]}).select(above_floor(pl.col("pi"), 0.1))

    assert corrected["pi"].to_list() == pytest.approx([1 / 9, 0.0, None])
