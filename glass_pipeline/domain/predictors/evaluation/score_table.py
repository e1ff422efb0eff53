"""Holds the scores of every predictor of one solver as a table: whole, residualised on C, and in parts.

Never trains, and never says that one predictor beats another (see ``comparison.predictor_verdicts``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.estimands.crd import cross_fitted_residual, descriptive_folds, fit_regression
from glass_pipeline.domain.estimands.orthogonality import stratified_rank_correlation
from glass_pipeline.domain.estimands.slices import FEWEST_JOBS
from glass_pipeline.domain.predictors.evaluation.fold_scores import fold_scores, recalls
from glass_pipeline.domain.predictors.evaluation.metrics import Measured
from glass_pipeline.domain.records import FAMILIES
from glass_pipeline.domain.schemas.predictors import PREDICTOR_SCORES
from glass_pipeline.domain.splits import Split, SplitError
from glass_pipeline.domain.stats.rank import pearson, spearman

Floats = NDArray[np.float64]
TOO_SMALL = "n too small"
FEWEST_TWINS_OF_FAMILY = 2
"""Below this many twins of a family a job has no rate within it (methods §9)."""
HEAD = ("solver", "predictor", "kind", "reads", "slice")
PLACE = ("target", "part", "name", "metric")


class Score(NamedTuple):
    """One metric of one part of one fold."""

    target: str
    part: str
    name: str
    metric: str
    value: float
    n_jobs: int


def predictor_scores(
    predictions: pl.DataFrame,
    splits: Mapping[int, Split],
    causal_difficulty: pl.DataFrame,
    reliability: pl.DataFrame,
    *,
    seed: int,
) -> pl.DataFrame:
    """Score held-out predictions, each seed on its own test part, and average over seeds.

    Args:
        predictions: ``schemas.PREDICTIONS`` of one solver, any predictors.
        splits: By seed; the predictions must be of exactly these.
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of the solver.
        reliability: ``schemas.RELIABILITY`` of the solver; the ceiling of a part is that of the same slice and part.
        seed: Seed of the study; it keys the folds within which predictions are residualised.

    Returns:
        The table ``PREDICTOR_SCORES``.

    Raises:
        SplitError: predictions are of another split, or of jobs that it does not hold out.

    Source: methods §1.7, §1.10, §5.6, §9.
    """
    rows: list[dict[str, Any]] = []
    for head, own in predictions.group_by(HEAD, maintain_order=True):
        fixed = dict(zip(HEAD, head, strict=True))
        jobs = causal_difficulty.filter(pl.col("slice") == fixed["slice"])
        scores = [
            score
            for (number,), fold in own.group_by("seed", maintain_order=True)
            for score in _fold(fold, _checked(splits, int(str(number)), fold), jobs, seed)
        ]
        means = _averaged(scores) if scores else [_nothing(own)]
        rows += [fixed | row for row in means]
        rows += [fixed | row for row in _normalised(means, reliability.filter(pl.col("slice") == fixed["slice"]))]
    return PREDICTOR_SCORES.frame(rows)


def _checked(splits: Mapping[int, Split], number: int, fold: pl.DataFrame) -> Split:
    split = splits.get(number)
    if split is None or fold["fingerprint"].unique().to_list() != [split.fingerprint]:
        raise SplitError(f"scores, seed {number}: the predictions are of another split; train the predictors again.")
    if not set(fold["base_id"]) <= set(split.test):
        raise SplitError(f"scores, seed {number}: a predicted job was not held out; train the predictors again.")
    return split


def _fold(fold: pl.DataFrame, split: Split, jobs: pl.DataFrame, seed: int) -> Iterator[Score]:
    held = fold.drop_nulls(["pi", "pi_hat"]).join(jobs.drop("solver", "slice", "n", "k", "pi", "pi_std"), on="base_id")
    if held.is_empty():
        return
    yield from _whole(held, split.seed)
    yield from _residualised(held, split, jobs, seed)
    yield from _parts(held)


def _whole(held: pl.DataFrame, seed: int) -> Iterator[Score]:
    prediction, complexity = held["pi_hat"].to_numpy(), held["declared_complexity"].to_numpy()
    for target in ("pi", "pi_std"):
        measured = Measured(held[target].to_numpy(), held["k"].to_numpy(), held["n"].to_numpy())
        found = fold_scores(prediction, measured, is_rate=bool(held["is_rate"][0]), seed=seed, target=target)
        if target == "pi":
            found["abs_rho_c"] = abs(spearman(prediction, complexity))
        yield from (Score(target, "all", "all", metric, value, held.height) for metric, value in found.items())


def _residualised(held: pl.DataFrame, split: Split, jobs: pl.DataFrame, seed: int) -> Iterator[Score]:
    """Score what is left without C: the target's regression comes from other jobs, the prediction's from the fold."""
    learned = jobs.drop_nulls("pi").filter(pl.col("base_id").is_in([*split.train, *split.validation]))
    folds = descriptive_folds(held["base_id"].to_list(), seed=seed)
    if learned.is_empty() or np.unique(folds).size < 2:
        return
    complexity, prediction = held["declared_complexity"].to_numpy(), held["pi_hat"].to_numpy()
    gamma = fit_regression(
        learned["pi"].to_numpy(), learned["declared_complexity"].to_numpy(), weights=learned["n"].to_numpy()
    )
    target = held["pi"].to_numpy() - gamma(complexity)
    residual = cross_fitted_residual(prediction, complexity, folds).residual
    within = stratified_rank_correlation(residual, target, complexity)
    found = {
        "spearman": spearman(residual, target),
        "corr_target_c": pearson(target, complexity),
        "corr_prediction_c": pearson(residual, complexity),
        "corr_prediction_c_squared": pearson(residual, complexity**2),
        "stratified_rho": math.nan if within is None else within,
        **recalls(residual, held["pi"].to_numpy(), seed=split.seed, target="crd"),
    }
    yield from (Score("crd", "all", "all", metric, value, held.height) for metric, value in found.items())


def _parts(held: pl.DataFrame) -> Iterator[Score]:
    """Rank within families, by each family's own rate, within categories, and among jobs that have all families."""
    complete = held.filter(pl.all_horizontal(pl.col(f"n_{family}") > 0 for family in FAMILIES))
    yield _rank(complete, "complete", "all three families", "pi")
    for family in FAMILIES:
        own = held.filter(pl.col(f"n_{family}") >= FEWEST_TWINS_OF_FAMILY)
        rates = own.with_columns(rate=pl.col(f"k_{family}") / pl.col(f"n_{family}"))
        yield _rank(rates, "family", family, "rate")
    for (category,), rows in held.group_by("category", maintain_order=True):
        yield _rank(rows, "category", str(category), "pi")


def _rank(rows: pl.DataFrame, part: str, name: str, target: str) -> Score:
    enough = rows.height >= FEWEST_JOBS
    value = spearman(rows["pi_hat"].to_numpy(), rows[target].to_numpy()) if enough else math.nan
    return Score("pi", part, name, "spearman", value, rows.height)


def _averaged(scores: list[Score]) -> list[dict[str, Any]]:
    table = pl.DataFrame(scores, schema=list(Score._fields), orient="row")
    known = pl.col("value").filter(pl.col("value").is_finite())
    means = table.group_by(PLACE, maintain_order=True).agg(
        mean=known.mean(), sd=known.std(ddof=1), n_seeds=known.len().cast(pl.Int64()), n_jobs=pl.col("n_jobs").mean()
    )
    is_part = (pl.col("part") != "all") & (pl.col("n_seeds") == 0)
    return means.with_columns(
        note=pl.when(is_part)
        .then(pl.lit(TOO_SMALL))
        .when(pl.col("n_seeds") == 0)
        .then(pl.lit("undefined"))
        .otherwise(pl.lit(""))
    ).to_dicts()


def _nothing(own: pl.DataFrame) -> dict[str, Any]:
    notes = own.filter(pl.col("note") != "")["note"]
    note = notes[0] if notes.len() else "no test job has a break rate"
    place = dict(zip(PLACE, ("pi", "all", "all", "spearman"), strict=True))
    return place | {"mean": None, "sd": None, "n_seeds": 0, "n_jobs": 0.0, "note": note}


def _normalised(means: list[dict[str, Any]], reliability: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield rho over both ceilings for whole, families and categories, where they have one."""
    tops = {
        (row["kind"], row["name"]): {"spearman_sqrt_r": row["sqrt_r"], "spearman_oracle": row["oracle"]}
        for row in reliability.filter(pl.col("unit") == "unique").iter_rows(named=True)
    }
    for row in means:
        if row["metric"] != "spearman" or row["target"] != "pi" or row["mean"] is None:
            continue
        for metric, top in tops.get((row["part"], row["name"]), {}).items():
            if top:
                sd = None if row["sd"] is None else row["sd"] / top
                yield row | {"metric": metric, "mean": row["mean"] / top, "sd": sd}
