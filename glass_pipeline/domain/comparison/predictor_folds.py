"""Holds the step from a table of held-out predictions to the folds that predictors are judged on.

Never judges, and never fills in what a method did not predict.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from glass_pipeline.domain.comparison.predictors import SeedFold
from glass_pipeline.domain.comparison.results import ComparisonError


def seed_folds(predictions: pl.DataFrame, *, target: str, n_train: Mapping[int, int]) -> tuple[SeedFold, ...]:
    """Return one fold a seed, its jobs in the order of their ids.

    Args:
        predictions: ``seed, method, base_id, pi_hat`` and the target, one row for each.
        target: Column of the measured break rate, e.g. ``pi``.
        n_train: Jobs that each seed was trained on.

    Raises:
        ComparisonError: a method predicts a job twice, or a seed's training jobs are unknown. A job that a method does
            not predict is refused by ``judge_predictors``.
    """
    key = ["seed", "method", "base_id"]
    repeated = predictions.filter(predictions.select(key).is_duplicated())
    if repeated.height:
        first = repeated.row(0, named=True)
        raise ComparisonError(
            f"seed_folds, seed {first['seed']}: {first['method']!r} predicts job {first['base_id']!r} twice; give one "
            "row for each seed, method and job."
        )
    return tuple(_fold(seed, predictions, target, n_train) for seed in sorted(predictions["seed"].unique()))


def _fold(seed: int, predictions: pl.DataFrame, target: str, n_train: Mapping[int, int]) -> SeedFold:
    if seed not in n_train:
        raise ComparisonError(
            f"seed_folds: n_train says nothing about seed {seed}; give the number of its training jobs."
        )
    rows = predictions.filter(pl.col("seed") == seed)
    wide = rows.pivot(on="method", index="base_id", values="pi_hat").sort("base_id")
    return SeedFold(
        seed=seed,
        jobs=tuple(wide["base_id"]),
        target=rows.unique("base_id").sort("base_id")[target].cast(pl.Float64()).to_numpy(),
        predictions={name: wide[name].cast(pl.Float64()).to_numpy() for name in wide.columns if name != "base_id"},
        n_train=n_train[seed],
    )
