"""Splits as a table."""

from __future__ import annotations

import polars as pl
import pytest

from glass_pipeline.domain.predictors.split_table import SEEDS, splits_of, splits_table
from glass_pipeline.domain.splits import SplitError


def problems(jobs: int, category: str = "prices", revision: str = "r1") -> pl.DataFrame:
    """Some problems of one category."""
    return pl.DataFrame(
        [{"base_id": f"job-{n:03d}", "category": category, "revision": revision} for n in range(jobs)],
        schema={"base_id": pl.String(), "category": pl.String(), "revision": pl.String()},
    )


def test_a_split_survives_the_table() -> None:
    """30 % test, 10 % validation, 60 % training of 40 jobs, for each of ten seeds; order of rows does not matter."""
    split = splits_of(splits_table(problems(40).reverse(), source="s"))
    again = splits_of(splits_table(problems(40), source="s"))

    assert tuple(split) == SEEDS == tuple(range(10))
    assert [len(split[0].test), len(split[0].validation), len(split[0].train)] == [12, 4, 24]
    assert {**split} == {**again}
    assert len({each.test for each in split.values()}) == 10


def test_each_large_category_is_cut_by_itself_and_small_ones_together() -> None:
    """20 of one, 10 of another and five categories of two: 6 + 3 + 3 test jobs, none left out of the test for size."""
    small = [problems(2, f"tiny-{n}").with_columns(base_id=pl.col("base_id") + f"-{n}") for n in range(5)]
    large = problems(20, "a").with_columns(base_id=pl.col("base_id") + "-a")
    middle = problems(10, "b").with_columns(base_id=pl.col("base_id") + "-b")
    table = splits_table(pl.concat([large, middle, *small]), source="s")
    test = splits_of(table, (3,))[3].test

    assert [sum(job.endswith(end) for job in test) for end in ("-a", "-b")] == [6, 3]
    assert len(test) == 12


def test_folds_follow_the_source_and_not_the_content() -> None:
    """Another revision of the same source keeps the folds; imported files are keyed by their content."""

    def test_jobs(revision: str, source: str | None) -> tuple[str, ...]:
        return splits_of(splits_table(problems(40, revision=revision), source=source))[0].test

    assert test_jobs("r1", "gsm8k/test") == test_jobs("r2", "gsm8k/test")
    assert test_jobs("r1", "gsm8k/test") != test_jobs("r1", "svamp/all")
    assert test_jobs("r1", None) != test_jobs("r2", None)


def test_too_few_jobs_have_no_split() -> None:
    """Of four jobs none could be for validation: the table is empty, and so is what is read from it."""
    table = splits_table(problems(4), source="s")

    assert table.is_empty()
    assert splits_of(table) == {}


def test_a_tampered_split_is_refused() -> None:
    """A test job moved to training no longer matches the fingerprint."""
    table = splits_table(problems(40), source="s")
    moved = table.with_columns(
        part=pl.when((pl.col("seed") == 2) & (pl.col("part") == "test")).then(pl.lit("train")).otherwise(pl.col("part"))
    )

    with pytest.raises(SplitError, match="seed 2: the jobs do not match their fingerprint"):
        splits_of(moved)
