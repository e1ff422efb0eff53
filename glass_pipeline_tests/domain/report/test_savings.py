"""Tests of what was not asked for."""

from __future__ import annotations

import polars as pl
import pytest

from glass_pipeline.domain.report.savings import Spared, spared

LABELS = pl.DataFrame(
    {
        "solver": ["alpha"] * 4 + ["beta"],
        "base_id": ["p-0", "p-0", "p-0", "p-1", "p-0"],
        "text_hash": ["a", "a", "b", "c", "a"],
        "n_samples": [3, 3, 5, 4, 5],
    }
)
"""Text a of p-0 stands in two doses."""
BASES = pl.DataFrame(
    {
        "solver": ["alpha"] * 4,
        "base_id": ["p-0", "p-1", "p-2", "p-2"],
        "n_samples": [5, 5, 5, 5],
        "n_correct": [5, 3, 2, 2],
    }
)
"""Alpha solves p-0 and p-1, and p-2 in four of ten samples."""
MIX = pl.DataFrame({"base_id": ["p-0", "p-0", "p-1", "p-2", "p-2", "p-2"], "text_hash": ["a", "b", "c", "d", "d", "e"]})


@pytest.mark.parametrize(("stratum_only", "left_out"), [(False, 0), (True, 10)])
def test_each_reason_is_counted_once(stratum_only: bool, left_out: int) -> None:
    """Of 15 samples of three texts 12 were drawn, 3 came twice, and two texts of a failed base would have been 10."""
    found = spared(LABELS, BASES, MIX, samples=5, stratum_only=stratum_only)

    assert found["alpha"] == Spared(curtailment=3, distinct_text=3, stratum=left_out)
    assert found["beta"] == Spared(curtailment=0, distinct_text=0, stratum=0)
