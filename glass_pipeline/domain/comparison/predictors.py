"""Holds the rule by which one predictor is said to beat another: a job-clustered bootstrap over all seeds.

Never trains or scores anything but ranks, and never claims a win from seeds alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import scipy

from glass_pipeline.domain.comparison.power import smallest_detectable
from glass_pipeline.domain.comparison.results import ComparisonError, Floats
from glass_pipeline.domain.comparison.weighted_ranks import (
    RankPlan,
    rank_plan,
    weighted_correlation,
    weighted_ranks,
)
from glass_pipeline.domain.stats.intervals import Interval
from glass_pipeline.domain.stats.multiplicity import holm
from glass_pipeline.domain.stats.rank import spearman

RESAMPLES = 2000
BATCH = 250
"""Resamples held in memory at once."""
SAME_SIGN_SHARE = 0.8
"""Four of five seeds."""
LEAST_GAIN = 0.03
"""Difference in Spearman's rho that is declared to matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedFold:
    """One seed's held-out jobs, with what each method predicted for them."""

    seed: int
    jobs: tuple[str, ...]
    """Test jobs of this seed, each once."""
    target: Floats
    """Measured break rates, shape ``[J]``."""
    predictions: Mapping[str, Floats]
    """By method, each of shape ``[J]``."""
    n_train: int
    """Jobs this seed was trained on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictorComparison:
    """Candidate minus baseline in Spearman's rho with the measured break rate."""

    candidate: str
    baseline: str
    n_jobs: int
    delta: float
    """Mean over seeds."""
    seed_deltas: tuple[float, ...]
    bootstrap_error: float
    """Standard deviation over resamples of jobs."""
    error: float
    """sqrt(bootstrap_error^2 + sd_seed^2 / S); the former alone for one seed."""
    p_bootstrap: float | None
    """z test with the bootstrap error alone."""
    p_value: float | None
    """z test with the seed variance; None where the error is 0 and the difference is not."""
    p_holm: float | None
    """The same, adjusted over the baselines."""
    p_nadeau_bengio: float | None
    """Corrected t test over seeds, secondary; None for one seed."""
    percentile: Interval
    interval: Interval
    """delta +- z error."""
    same_sign: int
    """Seeds whose difference has the sign of the mean."""
    smallest_detectable: float
    """True difference that this test would find four times in five."""
    beats: bool
    """p_holm < alpha, delta above 0, and the same sign in at least four of five seeds."""
    loses: bool
    """The same with delta below 0: the baseline beats the candidate."""
    by_least_gain: bool
    """It beats, and the interval starts at or above the declared gain."""
    sentence: str
    """A beats B, B beats A, or A and B cannot be told apart, with the evidence."""


class _Resampled(NamedTuple):
    """Scores of the methods over resamples of jobs."""

    means: dict[str, Floats]
    """Mean over seeds by method, shape ``[B]``."""
    observed: dict[str, Floats]
    """Score of each seed by method, shape ``[S]``."""


def judge_predictors(
    folds: Sequence[SeedFold],
    candidate: str,
    baselines: Sequence[str],
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    least_gain: float = LEAST_GAIN,
    resamples: int = RESAMPLES,
) -> tuple[PredictorComparison, ...]:
    """Compare a predictor with each baseline over the same jobs, folds and seeds.

    stat = mean_s [rho(candidate_s, y_s) - rho(baseline_s, y_s)] on the test jobs of seed s. A resample draws all jobs
    of all folds with replacement; its multiplicities repeat each fold's jobs, the same for every seed and method.
    z = stat / sqrt(SE^2 + sd_seed^2 / S), Holm over the baselines.

    Args:
        folds: One for each seed.
        candidate: Method that is judged.
        baselines: Methods it is compared with, declared beforehand.
        rng: Source of the resamples.
        level: Nominal coverage of intervals; tests use 1 - level.
        least_gain: Declared difference that matters, delta_0.
        resamples: Bootstrap replicates.

    Raises:
        ComparisonError: a fold lacks a method, repeats a job or has shapes that differ, or a score is undefined because
            a method predicts the same for every job.

    Source: methods §10.4. Type I error at nominal 5 %: t over seeds 14.7 %, this test 2.7 %, without the seed
    variance 4.7 %, percentile interval 7.3 %, Nadeau-Bengio 2.0 %.
    """
    methods = tuple(dict.fromkeys((candidate, *baselines)))
    _check(folds, methods)
    scored = _resample(folds, methods, rng, resamples)
    jobs = len({job for fold in folds for job in fold.jobs})
    found = [_pair(scored, folds, candidate, baseline, jobs, level) for baseline in baselines]
    adjusted = holm([1.0 if each.p_value is None else each.p_value for each in found])
    return tuple(
        _decided(each, None if each.p_value is None else float(p_value), 1 - level, least_gain)
        for each, p_value in zip(found, adjusted, strict=True)
    )


def combined_p_value(comparisons: Sequence[PredictorComparison]) -> float:
    """Return Stouffer's two-sided p-value of independent comparisons, e.g. of two suites.

    z = sum_k z_k / sqrt(K), z_k = delta_k / error_k.

    Args:
        comparisons: Of the same two methods on jobs that no two share, each with an error above 0.

    Source: Stouffer et al. (1949); methods §10.4.
    """
    z = sum(each.delta / each.error for each in comparisons) / math.sqrt(len(comparisons))
    return float(2 * scipy.stats.norm.sf(abs(z)))


def _check(folds: Sequence[SeedFold], methods: Sequence[str]) -> None:
    if not folds:
        raise ComparisonError("judge_predictors: no fold was given; pass one for each seed.")
    for fold in folds:
        if len(set(fold.jobs)) != len(fold.jobs):
            raise ComparisonError(f"judge_predictors, seed {fold.seed}: a job occurs twice in one test fold.")
        for method in methods:
            if method not in fold.predictions:
                raise ComparisonError(f"judge_predictors, seed {fold.seed}: no predictions of {method!r}.")
            for what, values in ((method, fold.predictions[method]), ("the target", fold.target)):
                if np.shape(values) != (len(fold.jobs),) or not bool(np.isfinite(values).all()):
                    raise ComparisonError(
                        f"judge_predictors, seed {fold.seed}: {what} has shape {np.shape(values)} or a value that is "
                        f"not finite; one number for each of {len(fold.jobs)} jobs is needed."
                    )


def _resample(
    folds: Sequence[SeedFold], methods: Sequence[str], rng: np.random.Generator, resamples: int
) -> _Resampled:
    place = {job: number for number, job in enumerate(sorted({job for fold in folds for job in fold.jobs}))}
    rows = [np.array([place[job] for job in fold.jobs]) for fold in folds]
    plans = [{method: rank_plan(np.asarray(fold.predictions[method])) for method in methods} for fold in folds]
    targets = [rank_plan(np.asarray(fold.target)) for fold in folds]
    observed = {
        method: np.array([spearman(fold.predictions[method], fold.target) for fold in folds]) for method in methods
    }
    for method, scores in observed.items():
        if not bool(np.isfinite(scores).all()):
            seed = folds[int(np.flatnonzero(~np.isfinite(scores))[0])].seed
            raise ComparisonError(
                f"judge_predictors, seed {seed}: the score of {method!r} is undefined; it or the target is constant."
            )
    means: dict[str, list[Floats]] = {method: [] for method in methods}
    for weights in _weights(len(place), rng, resamples):
        for method, scores in _scores(plans, targets, rows, weights).items():
            means[method].append(scores)
    return _Resampled({method: np.concatenate(parts) for method, parts in means.items()}, observed)


def _weights(jobs: int, rng: np.random.Generator, resamples: int) -> Iterator[Floats]:
    for start in range(0, resamples, BATCH):
        drawn = rng.multinomial(jobs, np.full(jobs, 1 / jobs), size=min(BATCH, resamples - start))
        yield np.ascontiguousarray(drawn.T, dtype=np.float64)


def _scores(
    plans: Sequence[Mapping[str, RankPlan]], targets: Sequence[RankPlan], rows: Sequence[Floats], weights: Floats
) -> dict[str, Floats]:
    totals: dict[str, Floats] = {}
    for by_method, target, places in zip(plans, targets, rows, strict=True):
        here = weights[places]
        y = weighted_ranks(target, here)
        for method, plan in by_method.items():
            score = weighted_correlation(weighted_ranks(plan, here), y, here) / len(plans)
            totals[method] = totals[method] + score if method in totals else score
    return totals


def _pair(
    scored: _Resampled, folds: Sequence[SeedFold], candidate: str, baseline: str, jobs: int, level: float
) -> PredictorComparison:
    by_seed = scored.observed[candidate] - scored.observed[baseline]
    drawn = scored.means[candidate] - scored.means[baseline]
    drawn = drawn[np.isfinite(drawn)]
    seeds, delta = by_seed.size, float(by_seed.mean())
    bootstrap_error = float(drawn.std(ddof=1)) if drawn.size > 1 else float("nan")
    seed_variance = float(by_seed.var(ddof=1)) / seeds if seeds > 1 else 0.0
    error = math.sqrt(bootstrap_error**2 + seed_variance)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]) if drawn.size else (math.nan, math.nan)
    reach = float(scipy.stats.norm.ppf((1 + level) / 2)) * error
    return PredictorComparison(
        candidate=candidate,
        baseline=baseline,
        n_jobs=jobs,
        delta=delta,
        seed_deltas=tuple(by_seed.tolist()),
        bootstrap_error=bootstrap_error,
        error=error,
        p_bootstrap=_z_p_value(delta, bootstrap_error),
        p_value=_z_p_value(delta, error),
        p_holm=None,
        p_nadeau_bengio=nadeau_bengio(by_seed, test_share=_test_share(folds)),
        percentile=Interval(float(low), float(high), level),
        interval=Interval(delta - reach, delta + reach, level),
        same_sign=int(np.count_nonzero(np.sign(by_seed) == np.sign(delta))),
        smallest_detectable=smallest_detectable(error, level=level),
        beats=False,
        loses=False,
        by_least_gain=False,
        sentence="",
    )


def nadeau_bengio(seed_deltas: Floats, *, test_share: float) -> float | None:
    """Return the p-value of the corrected t test over seeds whose test folds overlap.

    t = mean / sqrt((1/S + n_test/n_train) sd^2) with S - 1 degrees of freedom.

    Args:
        seed_deltas: Difference of each seed, shape ``[S]``.
        test_share: n_test / n_train.

    Returns:
        None for one seed, or where all seeds have the same difference and it is not 0; 1 where it is 0.

    Source: Nadeau and Bengio (2003); methods §10.4.
    """
    seeds = seed_deltas.size
    if seeds < 2:
        return None
    spread = math.sqrt((1 / seeds + test_share) * float(seed_deltas.var(ddof=1)))
    mean = float(seed_deltas.mean())
    if spread == 0:
        return 1.0 if mean == 0 else None
    return float(2 * scipy.stats.t.sf(abs(mean) / spread, seeds - 1))


def _test_share(folds: Sequence[SeedFold]) -> float:
    return float(np.mean([len(fold.jobs) / fold.n_train for fold in folds]))


def _z_p_value(delta: float, error: float) -> float | None:
    if delta == 0 and error == 0:
        return 1.0
    return float(2 * scipy.stats.norm.sf(abs(delta) / error)) if error > 0 else None


def _decided(found: PredictorComparison, p_holm: float | None, alpha: float, least_gain: float) -> PredictorComparison:
    significant = p_holm is not None and p_holm < alpha
    steady = found.same_sign >= math.ceil(SAME_SIGN_SHARE * len(found.seed_deltas))
    beats = significant and steady and found.delta > 0
    loses = significant and steady and found.delta < 0
    by_least_gain = beats and found.interval.low >= least_gain
    decided = replace(found, p_holm=p_holm, beats=beats, loses=loses, by_least_gain=by_least_gain)
    return replace(decided, sentence=_sentence(decided, least_gain))


def _sentence(found: PredictorComparison, least_gain: float) -> str:
    p_value = "undefined" if found.p_holm is None else f"{found.p_holm:.3g}"
    # A sentence about the baseline's win speaks of the difference as it sees it.
    sign = -1 if found.loses else 1
    low, high = sorted((sign * found.interval.low, sign * found.interval.high))
    evidence = (
        f"difference in rho {sign * found.delta:+.3f}, {100 * found.interval.level:g} % interval [{low:.3f}, "
        f"{high:.3f}], Holm p = {p_value}, same sign in {found.same_sign} of {len(found.seed_deltas)} seeds, "
        f"{found.n_jobs:,} jobs"
    )
    if found.by_least_gain:
        return f"{found.candidate} beats {found.baseline} by at least {least_gain:g} ({evidence})."
    if found.beats:
        return f"{found.candidate} beats {found.baseline}, though not shown by {least_gain:g} or more ({evidence})."
    if found.loses:
        return f"{found.baseline} beats {found.candidate} ({evidence})."
    return f"{found.candidate} and {found.baseline} cannot be told apart ({evidence})."
