"""Holds how well a predictor trained on one solver's breaks ranks the items of another.

Never trains: solvers share folds, so a model's held-out predictions are held out for every solver.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.estimands.crd import cross_fitted_residual, descriptive_folds, fit_regression
from glass_pipeline.domain.schemas.predictors import SOLVER_TRANSFER
from glass_pipeline.domain.splits import Split
from glass_pipeline.domain.stats.rank import spearman

Floats = NDArray[np.float64]
HEAD = ("predictor", "kind", "slice", "solver")
FEWEST_JOBS = 5


def solver_transfer_table(
    predictions: pl.DataFrame,
    splits: Mapping[int, Split],
    causal_difficulty: pl.DataFrame,
    reliability: pl.DataFrame,
    *,
    seed: int,
) -> pl.DataFrame:
    """Score every predictor that reads the text alone, trained on each solver, on every solver's own test jobs.

    Test jobs are those in the stratum of the solver that is scored. ``bound`` is what the measured rates of the solver
    trained on would score there: no model stands between.

    Args:
        predictions: ``schemas.PREDICTIONS`` of all solvers.
        splits: By seed.
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of all solvers.
        reliability: ``schemas.RELIABILITY`` of all solvers.
        seed: Seed of the study; it keys the folds within which predictions are residualised.

    Returns:
        The table ``SOLVER_TRANSFER``.

    Source: methods §9.
    """
    text = predictions.filter(pl.col("reads") == "text").drop_nulls("pi_hat")
    ceilings = _ceilings(reliability)
    rows = []
    for head, own in text.group_by(HEAD, maintain_order=True):
        fixed = dict(zip(HEAD, head, strict=True))
        jobs = causal_difficulty.filter(pl.col("slice") == fixed["slice"])
        for (other,), theirs in jobs.group_by("solver", maintain_order=True):
            known = jobs.filter(pl.col("solver") == fixed["solver"]).select("base_id", measured="pi")
            for target, scores in _scores(own, theirs.join(known, on="base_id", how="left"), splits, seed):
                top = ceilings.get((str(fixed["slice"]), str(other))) if target == "pi" else None
                rows.append(fixed | {"other": other, "target": target, "sqrt_r": top} | scores)
    return SOLVER_TRANSFER.frame(rows)


def _scores(
    own: pl.DataFrame, theirs: pl.DataFrame, splits: Mapping[int, Split], seed: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    by_target: dict[str, list[tuple[float, float, int]]] = {"pi": [], "crd": []}
    for (number,), fold in own.group_by("seed", maintain_order=True):
        held = fold.select("base_id", "pi_hat").join(theirs.drop_nulls("pi"), on="base_id").sort("base_id")
        if held.height < FEWEST_JOBS:
            continue
        both = held.drop_nulls("measured")
        bound = spearman(both["measured"].to_numpy(), both["pi"].to_numpy())
        by_target["pi"].append((spearman(held["pi_hat"].to_numpy(), held["pi"].to_numpy()), bound, held.height))
        residual = _residual(held, theirs, splits[int(str(number))], seed)
        by_target["crd"].append((residual, math.nan, held.height))
    for target, found in by_target.items():
        rho = [value for value, _, _ in found if math.isfinite(value)]
        bounds = [value for _, value, _ in found if math.isfinite(value)]
        yield (
            target,
            {
                "mean": float(np.mean(rho)) if rho else None,
                "sd": float(np.std(rho, ddof=1)) if len(rho) > 1 else None,
                "n_seeds": len(rho),
                "n_jobs": float(np.mean([size for _, _, size in found])) if found else 0.0,
                "bound": float(np.mean(bounds)) if bounds else None,
            },
        )


def _residual(held: pl.DataFrame, theirs: pl.DataFrame, split: Split, seed: int) -> float:
    learned = theirs.drop_nulls("pi").filter(pl.col("base_id").is_in([*split.train, *split.validation]))
    folds = descriptive_folds(held["base_id"].to_list(), seed=seed)
    if learned.is_empty() or np.unique(folds).size < 2:
        return math.nan
    complexity = held["declared_complexity"].to_numpy()
    gamma = fit_regression(
        learned["pi"].to_numpy(), learned["declared_complexity"].to_numpy(), weights=learned["n"].to_numpy()
    )
    predicted = cross_fitted_residual(held["pi_hat"].to_numpy(), complexity, folds).residual
    return spearman(predicted, held["pi"].to_numpy() - gamma(complexity))


def _ceilings(reliability: pl.DataFrame) -> dict[tuple[str, str], float | None]:
    whole = reliability.filter(pl.col("kind") == "all", pl.col("unit") == "unique")
    return {(row["slice"], row["solver"]): row["sqrt_r"] for row in whole.iter_rows(named=True)}
