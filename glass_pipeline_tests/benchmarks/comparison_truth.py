"""Holds the benchmark of the paired tests: type I error and coverage in simulated worlds without a difference.

Never asserts anything (see the tests of ``comparison``). Run
``python glass_pipeline_tests/benchmarks/comparison_truth.py [--replications 1000]``; it takes some minutes on one
core. The figures are recorded in ``glass_pipeline/domain/comparison/README.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from glass_pipeline.domain.comparison.alignment import Paired
from glass_pipeline.domain.comparison.clustered import Units, units_of
from glass_pipeline.domain.comparison.hierarchical import hierarchical
from glass_pipeline.domain.comparison.inference import Inference, infer
from glass_pipeline.domain.comparison.predictors import PredictorComparison, SeedFold, judge_predictors
from glass_pipeline.domain.seeding import child_generator

Floats = NDArray[np.float64]
RESAMPLES = 1000
SEED_COUNTS = (5, 8, 16, 30)
JOBS, TEST_SHARE, SEEDS = 1243, 0.3, 5


def right_or_wrong(rng: np.random.Generator) -> Units:
    """Draw 300 items of unlike difficulty, solved by both systems with the same chance."""
    chance = rng.beta(1, 1, 300)
    return units_of((rng.random(300) < chance) * 1.0 - (rng.random(300) < chance))


def few_discordant(rng: np.random.Generator) -> Units:
    """Draw 300 items of which one in ten tells the systems apart."""
    return units_of(rng.choice([-1.0, 0.0, 1.0], size=300, p=[0.05, 0.9, 0.05]))


def clustered_items(rng: np.random.Generator) -> tuple[Floats, tuple[str, ...]]:
    """Draw 60 problems with 1 to 9 rewordings whose differences go together."""
    sizes = rng.integers(1, 10, 60)
    cluster = np.repeat(np.arange(60), sizes)
    shift = rng.normal(0, 0.3, 60)[cluster]
    return shift + rng.normal(0, 0.5, cluster.size), tuple(cluster.astype(str))


def by_cluster(rng: np.random.Generator) -> Units:
    """Take the clusters as units."""
    return units_of(*clustered_items(rng))


def as_if_single(rng: np.random.Generator) -> Units:
    """Take the same items as if they were not clustered, which is wrong."""
    return units_of(clustered_items(rng)[0])


def eight_seeds(rng: np.random.Generator) -> Units:
    """Draw the differences of eight seeds on fixed items."""
    return units_of(rng.normal(0, 0.01, 8))


WORLDS: Mapping[str, Callable[[np.random.Generator], Units]] = {
    "300 items, right or wrong": right_or_wrong,
    "300 items, 10 % discordant": few_discordant,
    "60 clusters of 1 to 9 items, by cluster": by_cluster,
    "the same, as if items were single (wrong)": as_if_single,
    "8 seeds, items fixed": eight_seeds,
}


def measure_type_one(replications: int) -> Iterable[str]:
    """Yield the table of how often each rule calls a difference real where there is none."""
    yield "| world without a difference | sign-flip | BCa | percentile | t | BCa and sign-flip |"
    yield "|---|---|---|---|---|---|"
    for name, draw in WORLDS.items():
        rng = child_generator("comparison_truth", name)
        found = [infer(draw(rng), "item", rng=rng, resamples=RESAMPLES) for _ in range(replications)]
        yield f"| {name} | " + " | ".join(f"{share:.3f}" for share in _rejections(found)) + " |"


def _rejections(found: list[Inference]) -> list[float]:
    rows = []
    for each in found:
        flipped = each.sign_flip.p_value < 0.05
        outside = [
            interval is not None and not interval.low <= 0 <= interval.high
            for interval in (each.bca, each.percentile, each.t)
        ]
        rows.append([flipped, *outside, flipped and outside[0]])
    return [float(share) for share in np.mean(rows, axis=0)]


def measure_coverage(replications: int) -> Iterable[str]:
    """Yield the table of what nominal 95 % intervals of a mean over few seeds cover."""
    yield "| normal differences | BCa covers | percentile covers | t covers |"
    yield "|---|---|---|---|"
    for count in SEED_COUNTS:
        rng = child_generator("comparison_truth", "coverage", count)
        found = [
            infer(units_of(rng.normal(size=count)), "seed", rng=rng, resamples=RESAMPLES) for _ in range(replications)
        ]
        _, bca, percentile, t, _ = _rejections(found)
        yield f"| {count} seeds | {1 - bca:.3f} | {1 - percentile:.3f} | {1 - t:.3f} |"


def measure_levels(replications: int) -> Iterable[str]:
    """Yield the table of what each interval covers where both seeds and items are a sample."""
    yield "| 8 seeds x 100 items, effects of both | over seeds (t) | over items (t) | over all levels |"
    yield "|---|---|---|---|"
    for name, seed_sd, item_sd, both_sd in (
        ("items vary", 0.02, 0.4, 0.1),
        ("both vary alike", 0.04, 0.4, 0.1),
        ("mostly interaction", 0.01, 0.1, 0.5),
    ):
        rng, covered = child_generator("comparison_truth", "levels", name), []
        for _ in range(replications):
            deltas = (
                seed_sd * rng.normal(size=(8, 1)) + item_sd * rng.normal(size=100) + both_sd * rng.normal(size=(8, 100))
            )
            paired = Paired(
                name_a="a",
                name_b="b",
                measure="score",
                ids=tuple(map(str, range(100))),
                a=np.zeros((1, 100, 1)),
                b=deltas[:, :, None],
                seeds=tuple(map(str, range(8))),
                clusters=None,
                strata=None,
            )
            nested = hierarchical(paired, rng=rng, resamples=RESAMPLES // 2)
            single = stats.ttest_1samp(deltas.mean(axis=0), 0).confidence_interval()
            if nested is None or nested.t_over_seeds is None:
                raise ValueError("comparison_truth: a simulated world has no levels")
            intervals = (nested.t_over_seeds, single, nested.percentile)
            covered.append([each.low <= 0 <= each.high for each in intervals])
        yield f"| {name} | " + " | ".join(f"{share:.3f}" for share in np.mean(covered, axis=0)) + " |"


def draw_folds(rng: np.random.Generator) -> list[SeedFold]:
    """Draw two methods of equal worth whose errors on an item recur in every seed, five random test folds."""
    latent = rng.normal(-2.5, 1.8, JOBS)
    twins = np.maximum(rng.poisson(14, JOBS), 1)
    target = rng.binomial(twins, special.expit(latent)) / twins
    own = {method: 1.5 * rng.normal(size=JOBS) for method in ("first", "second")}
    folds = []
    for seed in range(SEEDS):
        test = rng.permutation(JOBS)[: round(TEST_SHARE * JOBS)]
        noise = {method: error[test] + 0.5 * rng.normal(size=test.size) for method, error in own.items()}
        folds.append(
            SeedFold(
                seed=seed,
                jobs=tuple(map(str, test)),
                target=target[test],
                predictions={method: latent[test] + each for method, each in noise.items()},
                n_train=JOBS - test.size,
            )
        )
    return folds


def measure_predictors(replications: int) -> Iterable[str]:
    """Yield the table of how often each test tells two equal predictors apart."""
    found: list[PredictorComparison] = []
    naive = []
    for number in range(replications):
        rng = child_generator("comparison_truth", "predictors", number)
        compared = judge_predictors(draw_folds(rng), "first", ["second"], rng=rng, resamples=RESAMPLES // 2)[0]
        found.append(compared)
        naive.append(float(stats.ttest_1samp(compared.seed_deltas, 0).pvalue) < 0.05)
    shares = {
        "t over seeds": float(np.mean(naive)),
        "Nadeau-Bengio": _share([each.p_nadeau_bengio for each in found]),
        "percentile": float(np.mean([not each.percentile.low <= 0 <= each.percentile.high for each in found])),
        "z": _share([each.p_bootstrap for each in found]),
        "z with seed variance": _share([each.p_value for each in found]),
    }
    yield f"| {JOBS:,} jobs, {SEEDS} test folds of 30 % | " + " | ".join(shares) + " |"
    yield "|---" * (len(shares) + 1) + "|"
    yield "| type I error | " + " | ".join(f"{share:.3f}" for share in shares.values()) + " |"
    spread = float(np.std([each.delta for each in found], ddof=1))
    error = float(np.mean([each.bootstrap_error for each in found]))
    yield ""
    yield f"Standard deviation of the mean difference {spread:.4f}, mean bootstrap error {error:.4f}."


def _share(p_values: list[float | None]) -> float:
    return float(np.mean([p_value is not None and p_value < 0.05 for p_value in p_values]))


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replications", type=int, default=1000, help="simulated data sets a row")
    replications = parser.parse_args().replications
    for measure in (measure_type_one, measure_coverage, measure_levels, measure_predictors):
        few = measure in (measure_levels, measure_predictors)
        print("\n".join(measure(replications // 3 if few else replications)), flush=True)
        print()


if __name__ == "__main__":
    main()
