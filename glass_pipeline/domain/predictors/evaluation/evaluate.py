"""Holds the evaluation of predictors over seeds: same splits for all, fit, predict without outcomes, score.

Never pools predictions of different seeds into one score, and never scores a job that a model has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from glass_pipeline.domain.predictors.evaluation.fold_scores import fold_scores
from glass_pipeline.domain.predictors.evaluation.metrics import Measured
from glass_pipeline.domain.predictors.held_out import FEWEST_TEST_JOBS, measured_rates
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, strata_of
from glass_pipeline.domain.predictors.predictor import Predictor
from glass_pipeline.domain.reliability import Ceiling
from glass_pipeline.domain.splits import Fractions, Split, refuse_seen_jobs, sidecar_of, split_jobs

SEEDS = (0, 1, 2, 3, 4)
TARGETS = ("pi", "pi_std")
"""pi pooled over families, and standardised to the suite's family mix (methods §1.10)."""
SHARES = Fractions()
SCORE_SCHEMA = {
    "seed": pl.Int64(),
    "method": pl.String(),
    "reads": pl.String(),
    "target": pl.String(),
    "metric": pl.String(),
    "value": pl.Float64(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Held-out predictions of every method and seed, and their scores."""

    splits: tuple[Split, ...]
    predictions: pl.DataFrame
    """``seed, method, base_id, pi_hat, pi, pi_std, k, n, declared_complexity``: test jobs with a break rate."""
    scores: pl.DataFrame
    """``SCORE_SCHEMA``; value NaN where a score is undefined."""


def evaluate(
    jobs: JobSet,
    methods: Mapping[str, Callable[[], Predictor]],
    *,
    dataset_key: str,
    seeds: Sequence[int] = SEEDS,
    fractions: Fractions = SHARES,
    ceilings: Mapping[str, Ceiling | None] | None = None,
) -> Evaluation:
    """Train and score every method on the same splits.

    Args:
        jobs: All jobs with outcomes, in or out of the stratum.
        methods: By name, how to make an unfitted predictor.
        dataset_key: Key of the data set for the splits (methods §4).
        seeds: Seeds of splits and of training.
        fractions: Shares of test and validation.
        ceilings: By target, of the jobs that are scored; adds ``spearman_sqrt_r`` and ``spearman_oracle``.

    Raises:
        PredictorError: a test part has fewer than five jobs with a break rate.
        SplitError: the jobs are too few to split.

    Source: methods §4, §5.6, §7, §9.
    """
    strata, truth = strata_of(jobs), _truth(jobs)
    splits = tuple(split_jobs(strata, dataset_key=dataset_key, seed=seed, fractions=fractions) for seed in seeds)
    frames, rows = [], []
    for split in splits:
        for name, make in methods.items():
            predictor = make()
            table = _held_out(predictor, jobs, split, truth).with_columns(
                seed=pl.lit(split.seed, dtype=pl.Int64()), method=pl.lit(name)
            )
            frames.append(table)
            place = {"seed": split.seed, "method": name, "reads": predictor.reads}
            rows += [place | score for score in _scores(table, predictor.is_rate, split.seed, ceilings or {})]
    columns = ["seed", "method", "base_id", "pi_hat", "pi", "pi_std", "k", "n", "declared_complexity"]
    return Evaluation(
        splits=splits,
        predictions=pl.concat(frames).select(columns),
        scores=pl.DataFrame(rows, schema=SCORE_SCHEMA),
    )


def summarise(scores: pl.DataFrame) -> pl.DataFrame:
    """Return mean and standard deviation (ddof 1) over seeds: ``method, reads, target, metric, mean, sd, n_seeds``.

    Seeds in which a score is undefined are left out and not counted.
    """
    return (
        scores.filter(pl.col("value").is_finite())
        .group_by("method", "reads", "target", "metric", maintain_order=True)
        .agg(mean=pl.col("value").mean(), sd=pl.col("value").std(ddof=1), n_seeds=pl.len())
    )


def _truth(jobs: JobSet) -> pl.DataFrame:
    complexity = jobs.problems.select("base_id", "declared_complexity")
    return measured_rates(jobs).join(complexity, on="base_id", how="left")


def _held_out(predictor: Predictor, jobs: JobSet, split: Split, truth: pl.DataFrame) -> pl.DataFrame:
    test = jobs.only(split.test).labelled()
    if len(test) < FEWEST_TEST_JOBS:
        raise PredictorError(
            f"evaluation, seed {split.seed}: {len(test)} test jobs have a break rate; label more jobs until there are "
            f"at least {FEWEST_TEST_JOBS}."
        )
    sidecar = sidecar_of(split, dataset="", code_version="", arch="", backbone="")
    refuse_seen_jobs(sidecar, test.base_ids, split=split)
    fitted = predictor.fit(jobs.only(split.train), jobs.only(split.validation), seed=split.seed)
    predicted = fitted.predict(test.without_outcomes()).select("base_id", "pi_hat")
    return predicted.join(truth, on="base_id", how="inner", maintain_order="left")


def _scores(
    table: pl.DataFrame, is_rate: bool, seed: int, ceilings: Mapping[str, Ceiling | None]
) -> Iterator[dict[str, Any]]:
    prediction = table["pi_hat"].to_numpy()
    for target in TARGETS:
        measured = Measured(table[target].to_numpy(), table["k"].to_numpy(), table["n"].to_numpy())
        found = fold_scores(prediction, measured, is_rate=is_rate, seed=seed, target=target)
        found |= _normalised(found["spearman"], ceilings.get(target))
        yield from ({"target": target, "metric": metric, "value": value} for metric, value in found.items())


def _normalised(rho: float, ceiling: Ceiling | None) -> dict[str, float]:
    if ceiling is None:
        return {}
    tops = {"spearman_sqrt_r": ceiling.sqrt_r, "spearman_oracle": ceiling.oracle}
    return {name: rho / top if top else float(np.nan) for name, top in tops.items()}
