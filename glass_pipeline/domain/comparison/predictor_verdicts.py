"""Holds the verdicts on every Frail-pi of one solver against every declared baseline, as a table.

Never holds the test itself (see ``predictors``), and never says more than its sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from glass_pipeline.domain.comparison.predictors import PredictorComparison, SeedFold, judge_predictors
from glass_pipeline.domain.schemas.predictors import PREDICTOR_VERDICTS
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.splits import Split

TARGETS = ("pi", "pi_std")
CANDIDATES = "frail"
"""Kinds that start so are judged; all others are what they are judged against."""


def predictor_verdicts(predictions: pl.DataFrame, splits: Mapping[int, Split], *, seed: int) -> pl.DataFrame:
    """Judge every Frail-pi against every baseline of the same slice, over the seeds that all of them share.

    Args:
        predictions: ``schemas.PREDICTIONS`` of one solver.
        splits: By seed.
        seed: Seed of the study; it seeds the resamples.

    Returns:
        The table ``PREDICTOR_VERDICTS``; a predictor that ranks nothing has rows that say so.

    Source: methods §10.4.
    """
    trained = predictions.drop_nulls(["pi_hat", "pi"])
    rows = [
        row
        for (name,), own in trained.group_by("slice", maintain_order=True)
        for target in TARGETS
        for row in _slice(own, splits, seed, target=target, slice_name=str(name))
    ]
    solver = predictions["solver"][0] if predictions.height else ""
    return PREDICTOR_VERDICTS.frame({"solver": solver} | row for row in rows)


def _slice(
    own: pl.DataFrame, splits: Mapping[int, Split], seed: int, *, target: str, slice_name: str
) -> Iterator[dict[str, Any]]:
    kinds = dict(own.select("predictor", "kind").unique(maintain_order=True).iter_rows())
    candidates = [name for name, kind in kinds.items() if kind.startswith(CANDIDATES)]
    baselines = [name for name in kinds if name not in candidates]
    constant = _constant(own, target)
    folds = _folds(own, splits, [name for name in kinds if name not in constant], target)
    rivals = [name for name in baselines if name not in constant]
    for candidate in candidates:
        place = {"slice": slice_name, "target": target, "candidate": candidate}
        silent = baselines if candidate in constant or not folds else [name for name in baselines if name in constant]
        for baseline in silent:
            yield place | _not_judged(candidate if candidate in constant else baseline, baseline)
        if candidate in constant or not folds or not rivals:
            continue
        rng = child_generator("predictor_verdicts", seed, slice_name, target, candidate)
        for verdict in judge_predictors(folds, candidate, rivals, rng=rng):
            yield place | _judged(verdict)


def _constant(own: pl.DataFrame, target: str) -> set[str]:
    """Return the predictors whose rank correlation is undefined in some seed: they, or the target, do not vary."""
    spread = own.group_by("predictor", "seed").agg(pl.col("pi_hat", target).n_unique())
    return set(spread.filter((pl.col("pi_hat") < 2) | (pl.col(target) < 2))["predictor"])


def _folds(own: pl.DataFrame, splits: Mapping[int, Split], names: Sequence[str], target: str) -> list[SeedFold]:
    used = own.filter(pl.col("predictor").is_in(names))
    shared = used.group_by("seed").agg(pl.col("predictor").n_unique()).filter(pl.col("predictor") == len(names))
    measured = set(own["base_id"])
    folds = []
    for number in shared["seed"].sort():
        rows = used.filter(pl.col("seed") == number)
        wide = rows.pivot(on="predictor", index=["base_id", target], values="pi_hat").sort("base_id")
        folds.append(
            SeedFold(
                seed=number,
                jobs=tuple(wide["base_id"]),
                target=wide[target].to_numpy(),
                predictions={name: wide[name].to_numpy() for name in names},
                n_train=max(1, len(measured.intersection(splits[number].train))),
            )
        )
    return folds


def _judged(verdict: PredictorComparison) -> dict[str, Any]:
    outcome = "not shown"
    if verdict.loses:
        outcome = "is beaten"
    if verdict.beats:
        outcome = "beats by at least the declared gain" if verdict.by_least_gain else "beats"
    return {
        "baseline": verdict.baseline,
        "n_jobs": verdict.n_jobs,
        "n_seeds": len(verdict.seed_deltas),
        "delta": verdict.delta,
        "error": verdict.error,
        "low": verdict.interval.low,
        "high": verdict.interval.high,
        "p_value": verdict.p_value,
        "p_holm": verdict.p_holm,
        "p_nadeau_bengio": verdict.p_nadeau_bengio,
        "same_sign": verdict.same_sign,
        "outcome": outcome,
        "sentence": verdict.sentence,
    }


def _not_judged(silent: str, baseline: str) -> dict[str, Any]:
    return {
        "baseline": baseline,
        "n_jobs": 0,
        "n_seeds": 0,
        "same_sign": 0,
        "outcome": "not judged",
        "sentence": f"{silent} ranks no job of some seed above another, so it cannot be compared.",
    }
