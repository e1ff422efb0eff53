"""Holds the benchmark of the job-clustered bootstrap: wall time at study size, and its ratio to a plain loop.

Never asserts anything (see the tests of ``comparison.predictors``). Run
``python glass_pipeline_tests/benchmarks/comparison_speed.py``; it takes about a minute on one core. The figures are
recorded in ``glass_pipeline/domain/comparison/README.md``.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from scipy import stats

from glass_pipeline.domain.comparison.compare import compare
from glass_pipeline.domain.comparison.predictors import SeedFold, judge_predictors
from glass_pipeline.domain.comparison.results import Results
from glass_pipeline.domain.seeding import child_generator

JOBS, SEEDS, METHODS, RESAMPLES = 1243, 5, 12, 2000
PLAIN_RESAMPLES = 5
ITEMS, RUNS, DECODINGS = 1172, 8, 3


def draw_folds() -> list[SeedFold]:
    """Draw five seeds whose test folds hold every job, the largest case, with twelve methods each."""
    rng = child_generator("comparison_speed", "folds")
    rates = rng.beta(0.3, 1.8, JOBS)
    twins = np.maximum(rng.poisson(14, JOBS), 1)
    target = rng.binomial(twins, rates) / twins
    jobs = tuple(f"job-{number}" for number in range(JOBS))
    return [
        SeedFold(
            seed=seed,
            jobs=jobs,
            target=target,
            predictions={f"method-{m}": rates + rng.normal(0, 0.1 + 0.02 * m, JOBS) for m in range(METHODS)},
            n_train=JOBS,
        )
        for seed in range(SEEDS)
    ]


def plain_loop(folds: Sequence[SeedFold], resamples: int) -> None:
    """Score every method of every seed on repeated jobs by scipy, as the definition reads."""
    rng = child_generator("comparison_speed", "plain")
    for _ in range(resamples):
        chosen = rng.integers(JOBS, size=JOBS)
        for fold in folds:
            for predicted in fold.predictions.values():
                stats.spearmanr(predicted[chosen], fold.target[chosen])


def nested_results() -> tuple[Results, Results]:
    """Draw a baseline without seeds and a system of 8 seeds, both with 3 decodings of 1,172 items."""
    rng = child_generator("comparison_speed", "nested")
    skill = rng.beta(1, 1, ITEMS)
    ids = [f"item-{number}" for number in range(ITEMS)]

    def system(name: str, runs: int, gain: float) -> Results:
        return Results(
            name=name,
            measure="correct",
            ids=tuple(item for _ in range(runs) for item in ids for _ in range(DECODINGS)),
            values=(rng.random((runs, ITEMS, DECODINGS)) < (skill + gain).clip(0, 1)[None, :, None]).ravel() * 1.0,
            seeds=tuple(str(run) for run in range(runs) for _ in ids for _ in range(DECODINGS)),
            decodings=tuple(str(number) for _ in range(runs) for _ in ids for number in range(DECODINGS)),
        )

    return system("a", 1, 0.0), system("b", RUNS, 0.02)


def main() -> None:
    """Print the table."""
    folds = draw_folds()
    started = time.perf_counter()
    judge_predictors(
        folds, "method-0", [f"method-{m}" for m in range(1, METHODS)], rng=child_generator("comparison_speed", "judge")
    )
    ours = time.perf_counter() - started
    started = time.perf_counter()
    plain_loop(folds, PLAIN_RESAMPLES)
    plain = (time.perf_counter() - started) * RESAMPLES / PLAIN_RESAMPLES
    a, b = nested_results()
    started = time.perf_counter()
    compare(a, b)
    nested = time.perf_counter() - started
    print("| work | seconds | plain loop, seconds | ratio |")
    print("|---|---|---|---|")
    size = f"{RESAMPLES:,} resamples x {SEEDS} seeds x {JOBS:,} jobs x {METHODS} methods"
    print(f"| {size} | {ours:.1f} | {plain:.0f} (from {PLAIN_RESAMPLES} resamples) | {plain / ours:.0f} |")
    print(f"| compare, {RUNS} seeds x {ITEMS:,} items x {DECODINGS} decodings, 10,000 resamples | {nested:.1f} | | |")


if __name__ == "__main__":
    main()
