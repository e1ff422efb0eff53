"""Holds the splits of a suite as a table, and the way back to splits with their fingerprints checked.

Never looks at a solver: folds must be the same for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from glass_pipeline.domain.schemas.predictors import SPLITS
from glass_pipeline.domain.splits import Fractions, Split, SplitError, names_key, split_jobs

SEEDS = tuple(range(10))
"""Seeds that are split, whether a predictor asks for them or not, so that a new one changes no table."""
FEWEST_IN_CATEGORY = 10
"""Smaller categories are split together: in a stratum of one job every part but training would stay empty."""
OTHER = ""
PARTS = ("test", "train", "validation")


def splits_table(problems: pl.DataFrame, *, source: str | None) -> pl.DataFrame:
    """Split the jobs of a suite for every seed, stratified by category.

    Args:
        problems: Columns ``base_id, category, revision`` of ``schemas.BASE_PROBLEMS``.
        source: What keys the folds; None takes the revisions, which for imported files are hashes of their content.

    Returns:
        The table ``SPLITS``; empty where the jobs are too few for three parts.

    Source: methods §4.
    """
    key = names_key([source] if source is not None else problems["revision"].unique().to_list())
    category = (
        pl.when(pl.len().over("category") >= FEWEST_IN_CATEGORY).then(pl.col("category")).otherwise(pl.lit(OTHER))
    )
    strata = dict(problems.select("base_id", category).iter_rows())
    try:
        splits = [split_jobs(strata, dataset_key=key, seed=seed) for seed in SEEDS]
    except SplitError:
        return SPLITS.frame([])
    return SPLITS.check(pl.concat(_rows(split) for split in splits))


def splits_of(table: pl.DataFrame, seeds: Sequence[int] = SEEDS) -> dict[int, Split]:
    """Return the splits of a table by seed.

    Args:
        table: The table ``SPLITS``.
        seeds: Seeds that are wanted.

    Raises:
        SplitError: the jobs of a seed are not those that its fingerprint was taken from.
    """
    found = {}
    for (seed,), rows in table.filter(pl.col("seed").is_in(seeds)).group_by("seed", maintain_order=True):
        ids: dict[str, Any] = {
            part: tuple(rows.filter(pl.col("part") == part)["base_id"].sort().to_list()) for part in PARTS
        }
        split = Split(dataset_key=rows["dataset_key"][0], seed=int(str(seed)), fractions=Fractions(), **ids)
        if rows["fingerprint"].unique().to_list() != [split.fingerprint]:
            raise SplitError(
                f"splits, seed {split.seed}: the jobs do not match their fingerprint; delete the table and run again."
            )
        found[split.seed] = split
    return found


def _rows(split: Split) -> pl.DataFrame:
    parts = {"test": split.test, "train": split.train, "validation": split.validation}
    frames = [pl.DataFrame({"base_id": list(ids)}).with_columns(part=pl.lit(part)) for part, ids in parts.items()]
    return pl.concat(frames).select(
        pl.lit(split.seed, pl.Int64()).alias("seed"),
        "base_id",
        "part",
        pl.lit(split.dataset_key).alias("dataset_key"),
        pl.lit(split.fingerprint).alias("fingerprint"),
    )
