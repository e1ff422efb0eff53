"""From a table of held-out predictions to a sentence."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.comparison import ComparisonError, judge_predictors, seed_folds

JOBS, SEEDS = 150, (1, 2, 3, 4, 5)
N_TRAIN = dict.fromkeys(SEEDS, 90)


def table(noise: dict[str, float]) -> pl.DataFrame:
    """Return predictions of 60 jobs a seed by methods that see the target through noise of their own."""
    rng = np.random.default_rng(5)
    latent = rng.normal(size=JOBS)
    rows = []
    for seed in SEEDS:
        for job in rng.permutation(JOBS)[:60]:
            common = {
                "seed": seed,
                "base_id": f"j{job:03}",
                "pi": float(latent[job] > 0.3),
                "pi_std": float(latent[job]),
            }
            rows += [
                {**common, "method": name, "pi_hat": latent[job] + scale * rng.normal()}
                for name, scale in noise.items()
            ]
    return pl.DataFrame(rows).sample(fraction=1.0, shuffle=True, seed=3)


def sentences(predictions: pl.DataFrame, candidate: str, *baselines: str) -> list[str]:
    """Return what is said of a candidate and each baseline."""
    folds = seed_folds(predictions, target="pi_std", n_train=N_TRAIN)
    found = judge_predictors(folds, candidate, baselines, rng=np.random.default_rng(1), resamples=300)
    return [each.sentence for each in found]


def test_rows_become_folds_whatever_their_order() -> None:
    """Jobs by id, each with its own target and predictions, as looked up by hand."""
    predictions = table({"a": 0.5, "b": 2.0})
    folds = seed_folds(predictions, target="pi", n_train=N_TRAIN)

    assert [(fold.seed, len(fold.jobs), fold.n_train) for fold in folds] == [(seed, 60, 90) for seed in SEEDS]
    fold = folds[1]
    assert list(fold.jobs) == sorted(fold.jobs)
    for place in (0, 30, 59):
        row = predictions.row(
            by_predicate=(pl.col("seed") == 2) & (pl.col("method") == "b") & (pl.col("base_id") == fold.jobs[place]),
            named=True,
        )
        assert (fold.predictions["b"][place], fold.target[place]) == (row["pi_hat"], row["pi"])


def test_a_table_yields_the_sentence_of_a_report() -> None:
    """The clear winner beats, the clear loser is beaten, and equals cannot be told apart."""
    predictions = table({"sharp": 0.3, "sharp too": 0.3, "blunt": 3.0})
    over_blunt, over_equal = sentences(predictions, "sharp", "blunt", "sharp too")

    assert over_blunt.startswith("sharp beats blunt by at least 0.03 (difference in rho +0.")
    assert over_blunt.endswith(f"same sign in 5 of 5 seeds, {predictions['base_id'].n_unique()} jobs).")
    assert over_equal.startswith("sharp and sharp too cannot be told apart (difference in rho ")
    (reverse,) = sentences(predictions, "blunt", "sharp")
    assert reverse.startswith("sharp beats blunt (difference in rho +0.")


def test_a_repeated_row_is_named() -> None:
    """Which of two predictions counts cannot be guessed."""
    predictions = table({"a": 0.5})

    with pytest.raises(ComparisonError, match=r"seed 3: 'a' predicts job 'j\d+' twice"):
        seed_folds(
            pl.concat([predictions, predictions.filter(pl.col("seed") == 3).head(1)]), target="pi", n_train=N_TRAIN
        )


def test_a_seed_without_training_jobs_is_named() -> None:
    """The corrected t test needs their number."""
    with pytest.raises(ComparisonError, match="n_train says nothing about seed 5"):
        seed_folds(table({"a": 0.5}), target="pi", n_train=dict.fromkeys((1, 2, 3, 4), 90))


def test_a_job_that_a_method_leaves_out_is_refused() -> None:
    """It is not filled in; the seed and the method are named."""
    predictions = table({"a": 0.5, "b": 2.0})
    first = predictions.filter(pl.col("seed") == 2, pl.col("method") == "b").row(0, named=True)
    gap = predictions.filter(
        ~((pl.col("seed") == 2) & (pl.col("method") == "b") & (pl.col("base_id") == first["base_id"]))
    )

    with pytest.raises(ComparisonError, match=r"seed 2: b has shape .* or a value that is not finite"):
        sentences(gap, "a", "b")
