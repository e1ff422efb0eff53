"""Holds the benchmark of the estimators: simulations whose truth is known, and real labels, printed as Markdown.

Never asserts anything (see the tests of ``estimands`` and ``reliability``). Run
``python glass_pipeline_tests/benchmarks/estimand_truth.py [--replications 200] [--labels FOLDER ...]``; it takes
about a minute on one core. The figures are recorded in ``glass_pipeline/domain/estimands/README.md``.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import special

from glass_pipeline.domain.corpus.interchange import base_runs_of, import_lines, jobs_of
from glass_pipeline.domain.estimands import causal_difficulty
from glass_pipeline.domain.estimands.ccd import with_intervals
from glass_pipeline.domain.estimands.dose_response import fit_dose_prior, fit_dose_response
from glass_pipeline.domain.estimands.dose_targets import predicted_at_least, worst_case
from glass_pipeline.domain.reliability import reliability_ceiling, split_half
from glass_pipeline.domain.reliability.slice_ceilings import reliability_table
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.stats.beta_binomial import fit_beta_binomial
from glass_pipeline.domain.stats.rank import spearman

Floats = NDArray[np.float64]
JOBS, TWINS = 1319, 14
DATA_SETS = 10
DOSES = np.array([1.0, 3.0, 5.0, 7.0, 9.0])

DESIGNS = {
    "pairs 1, 3, 5, 7, 9": np.array([1, 3, 5, 7, 9]),
    "unique 1, 2, 3, 4, 4": np.array([1, 2, 3, 4, 4]),
    "5 a dose": np.full(5, 5),
}
"""Twins at each dose."""

DISTRIBUTIONS: Mapping[str, Callable[[np.random.Generator, int], Floats]] = {
    "Beta(.3, 1.8)": lambda rng, jobs: rng.beta(0.3, 1.8, jobs),
    "Beta(.15, 1)": lambda rng, jobs: rng.beta(0.15, 1.0, jobs),
    "Beta(2, 6)": lambda rng, jobs: rng.beta(2.0, 6.0, jobs),
    "45 % at .011, else Beta(.8, 2.5)": lambda rng, jobs: np.where(
        rng.random(jobs) < 0.45, 0.011, rng.beta(0.8, 2.5, jobs)
    ),
    "logit-normal(-2.5, 1.8)": lambda rng, jobs: special.expit(rng.normal(-2.5, 1.8, jobs)),
}


class Sample(NamedTuple):
    """Jobs with known rates, their twins, and the breaks of two independent sets of them."""

    rates: Floats
    trials: NDArray[np.int64]
    breaks: NDArray[np.int64]
    again: NDArray[np.int64]


def draw_sample(name: str, number: int) -> Sample:
    """Draw one data set of a distribution."""
    rng = child_generator("estimand_truth", name, number)
    rates = DISTRIBUTIONS[name](rng, JOBS)
    trials = np.maximum(rng.poisson(TWINS, JOBS), 1)
    return Sample(rates, trials, rng.binomial(trials, rates), rng.binomial(trials, rates))


def measure_intervals(replications: int) -> Iterable[str]:
    """Yield the table of coverage and error of pi."""
    yield (
        "| rates | EB 90 % covers | width | Jeffreys covers | width "
        "| RMSE of k/n | RMSE of EB mean | bias of k/n | bias of EB mean |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name in DISTRIBUTIONS:
        found = np.mean([_interval_errors(draw_sample(name, number)) for number in range(replications)], axis=0)
        covered, width, alone, alone_width, raw, posterior, raw_bias, posterior_bias = found
        yield (
            f"| {name} | {covered:.3f} | {width:.3f} | {alone:.3f} | {alone_width:.3f} "
            f"| {np.sqrt(raw):.3f} | {np.sqrt(posterior):.3f} | {raw_bias:+.4f} | {posterior_bias:+.4f} |"
        )


def _interval_errors(sample: Sample) -> list[float]:
    counts = with_intervals(pl.DataFrame({"n": sample.trials, "k": sample.breaks}).cast(pl.Float64()))
    numbers = []
    for low, high in (("pi_low", "pi_high"), ("jeffreys_low", "jeffreys_high")):
        lower, upper = counts[low].to_numpy(), counts[high].to_numpy()
        numbers += [np.mean((lower <= sample.rates) & (sample.rates <= upper)), np.mean(upper - lower)]
    prior = fit_beta_binomial(sample.breaks, sample.trials)
    errors = (
        sample.breaks / sample.trials - sample.rates,
        (sample.breaks + prior.alpha) / (sample.trials + prior.precision) - sample.rates,
    )
    return [float(number) for number in (*numbers, *(np.mean(e**2) for e in errors), *(e.mean() for e in errors))]


def measure_reliability() -> Iterable[str]:
    """Yield the table of r and oracle against the truth."""
    yield "| rates | true r | r npmle | r beta | split-half | true oracle | oracle npmle | oracle beta | s a call |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name in DISTRIBUTIONS:
        rows = np.array([_reliability(name, number) for number in range(DATA_SETS)])
        mean, worst = rows.mean(axis=0), np.abs(rows[:, 1] - rows[:, 0].mean()).max()
        yield (
            f"| {name} | {mean[0]:.3f} | {mean[1]:.3f} (max error {worst:.3f}) | {mean[2]:.3f} | {mean[3]:.3f} "
            f"| {mean[4]:.3f} | {mean[5]:.3f} | {mean[6]:.3f} | {mean[7]:.2f} |"
        )


def _reliability(name: str, number: int) -> list[float]:
    sample = draw_sample(name, number)
    rng = child_generator("estimand_truth", "reliability", name, number)
    measured = sample.breaks / sample.trials
    started = time.perf_counter()
    npmle = reliability_ceiling(sample.breaks, sample.trials, rng=rng, prior="npmle")
    seconds = time.perf_counter() - started
    beta = reliability_ceiling(sample.breaks, sample.trials, rng=rng, prior="beta")
    halves = split_half(sample.breaks, sample.trials, rng=rng)
    if npmle is None or beta is None:
        raise ValueError(f"estimand_truth: {name} has no ceiling")
    numbers = (
        spearman(measured, sample.again / sample.trials),
        npmle.r,
        beta.r,
        halves,
        spearman(sample.rates, measured),
        npmle.oracle,
        beta.oracle,
        seconds,
    )
    return [float("nan") if number is None else float(number) for number in numbers]


def measure_dose_response() -> Iterable[str]:
    """Yield the table of a and b against the truth."""
    yield (
        "| design | rank of a | rank of b | bias of a | RMSE of a | bias of b | RMSE of b | sd(a), true 1.6 | s a fit |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, trials in DESIGNS.items():
        mean = np.mean([_dose_errors(trials, number) for number in range(DATA_SETS)], axis=0)
        yield (
            f"| {name} | {mean[0]:.3f} | {mean[1]:.3f} | {mean[2]:+.2f} | {np.sqrt(mean[3]):.2f} | {mean[4]:+.3f} "
            f"| {np.sqrt(mean[5]):.3f} | {mean[6]:.2f} | {mean[7]:.2f} |"
        )


def _dose_errors(trials: NDArray[np.int64], number: int) -> list[float]:
    rng = child_generator("estimand_truth", "dose", number)
    truth, k = _draw_curves(trials, rng)
    n = np.broadcast_to(trials, k.shape)
    started = time.perf_counter()
    prior = fit_dose_prior(k, n, DOSES)
    fit = fit_dose_response(k, n, DOSES, prior=prior)
    seconds = time.perf_counter() - started
    off_a, off_b = fit.a - truth[:, 0], fit.b - truth[:, 1]
    ranks = [spearman(fit.a, truth[:, 0]), spearman(fit.b, truth[:, 1])]
    errors = [off_a.mean(), np.mean(off_a**2), off_b.mean(), np.mean(off_b**2)]
    return [float(v) for v in (*ranks, *errors, np.sqrt(prior.covariance[0, 0]), seconds)]


def _draw_curves(trials: NDArray[np.int64], rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    """Draw (a, b) of 1,243 jobs and the breaks of their twins."""
    slope = 0.3 * 1.6 * 0.15
    truth = rng.multivariate_normal([-2.6, 0.12], [[1.6**2, slope], [slope, 0.15**2]], size=1243)
    return truth, rng.binomial(trials, special.expit(truth[:, :1] + truth[:, 1:] * (DOSES - 5)))


def measure_budgets() -> Iterable[str]:
    """Yield the table of the worst case of nine twins of dose 9, and of all the design's, against the truth."""
    yield (
        "| design | budget | true worst case | averaged | by the curve | RMSE averaged | RMSE by the curve "
        "| rank averaged | rank by the curve |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, trials in DESIGNS.items():
        found = np.mean([_budget_errors(trials, number) for number in range(DATA_SETS)], axis=0)
        for budget, numbers in zip(("9 of dose 9", f"all {trials.sum()}"), found, strict=True):
            yield f"| {name} | {budget} | " + " | ".join(f"{number:.3f}" for number in numbers) + " |"


def _budget_errors(trials: NDArray[np.int64], number: int) -> list[list[float]]:
    rng = child_generator("estimand_truth", "budget", number)
    truth, k = _draw_curves(trials, rng)
    p, n = special.expit(truth[:, :1] + truth[:, 1:] * (DOSES - 5)), np.broadcast_to(trials, k.shape)
    fit = fit_dose_response(k, n, DOSES, prior=fit_dose_prior(k, n, DOSES))
    curve = special.expit(fit.a[:, None] + fit.b[:, None] * (DOSES - 5))
    rows = []
    for columns, budget in ((slice(4, 5), np.array([9])), (slice(0, 5), trials)):
        breaks, observed = k[:, columns].sum(axis=1), n[:, columns].sum(axis=1)
        prior = fit_beta_binomial(breaks, observed)
        averaged = predicted_at_least(prior.alpha + breaks, prior.beta + observed - breaks, int(budget.sum()), 1)
        true, plugged = worst_case(p[:, columns], budget), worst_case(curve[:, columns], budget)
        errors = [float(np.sqrt(np.mean((each - true) ** 2))) for each in (averaged, plugged)]
        ranks = [spearman(each, true) for each in (averaged, plugged)]
        rows.append([true.mean(), averaged.mean(), plugged.mean(), *errors, *ranks])
    return rows


def measure_labels(folders: Iterable[Path]) -> Iterable[str]:
    """Yield what the estimators say of real labels."""
    yield "| labels | jobs | distinct texts | mean pi | r npmle | oracle npmle | r beta | split-half | r npmle, pairs |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for folder in folders:
        frames = []
        for path in sorted(folder.glob("*_labeled_pairs.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                frames.append(import_lines(lines, name=path.name))
        pairs = pl.concat(frames)
        jobs = causal_difficulty(jobs_of(pairs), base_runs_of(pairs), pairs, seed=42)
        pooled = jobs.filter(slice="pooled")
        table = reliability_table(pooled, seed=42, pairs=pairs).filter(kind="all")
        unique = table.row(by_predicate=pl.col("unit") == "unique", named=True)
        repeated = table.row(by_predicate=pl.col("unit") == "pairs", named=True)
        yield (
            f"| {folder.name} | {pooled.height} | {pooled['n'].sum()} | {pooled['pi'].mean():.3f} "
            f"| {unique['r_npmle']:.3f} | {unique['oracle_npmle']:.3f} | {unique['r_beta']:.3f} "
            f"| {unique['split_half']:.3f} | {repeated['r_npmle']:.3f} |"
        )


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replications", type=int, default=200)
    parser.add_argument("--labels", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    tables = [
        measure_intervals(options.replications),
        measure_reliability(),
        measure_dose_response(),
        measure_budgets(),
    ]
    if options.labels:
        tables.append(measure_labels(options.labels))
    for table in tables:
        for line in table:
            print(line, flush=True)
        print()


if __name__ == "__main__":
    main()
