"""Files of seeds become one system."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.comparison import ComparisonError
from glass_pipeline.domain.comparison.reading.rows import Columns, results_of
from glass_pipeline.domain.comparison.reading.seed_files import join_seeds


def read(name: str, *scores: int, **extra: str):
    """Read one seed's file."""
    return results_of(name, [{"id": f"q{n}", "correct": score, **extra} for n, score in enumerate(scores)], Columns())


def test_each_file_is_a_seed() -> None:
    """Named as the mapping says, in its order."""
    found = join_seeds("runs", {"s101": read("s101", 1, 0), "s211": read("s211", 1, 1)})

    assert (found.name, found.ids, found.seeds) == ("runs", ("q0", "q1", "q0", "q1"), ("s101", "s101", "s211", "s211"))
    assert found.values.tolist() == [1.0, 0.0, 1.0, 1.0]


def test_a_file_with_seeds_of_its_own_is_refused() -> None:
    """A seed cannot hold seeds."""
    with pytest.raises(ComparisonError, match="s1 has seeds of its own; in runs each file"):
        join_seeds("runs", {"s1": read("s1", 1, 0, seed="3")})


def test_files_with_unlike_columns_are_refused() -> None:
    """Clusters in one file and not in another."""
    with pytest.raises(ComparisonError, match="some of its files have clusters and some do not"):
        join_seeds("runs", {"s1": read("s1", 1, 0, cluster="c"), "s2": read("s2", 1, 0)})
