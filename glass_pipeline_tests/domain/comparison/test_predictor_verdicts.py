"""The verdicts on every Frail-pi of one solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.comparison.predictor_verdicts import predictor_verdicts
from glass_pipeline.domain.predictors.split_table import splits_of, splits_table
from glass_pipeline.domain.schemas import PREDICTIONS
from glass_pipeline.domain.splits import Split

JOBS = 200
Predict = Callable[[np.ndarray, np.random.Generator], np.ndarray]


@pytest.fixture(scope="module")
def splits() -> dict[int, Split]:
    """Three seeds over 200 jobs."""
    ids = [f"job-{n:03d}" for n in range(JOBS)]
    table = pl.DataFrame({"base_id": ids}).with_columns(category=pl.lit("c"), revision=pl.lit("r"))
    return splits_of(splits_table(table, source="toy"), (0, 1, 2))


def table_of(splits: Mapping[int, Split], methods: Mapping[tuple[str, str], Predict]) -> pl.DataFrame:
    """Held-out predictions of some methods (name, kind) of jobs with fixed rates."""
    rates = np.random.default_rng(0).beta(0.6, 2.0, JOBS)
    frames = []
    for (name, kind), predict in methods.items():
        for seed, split in splits.items():
            at = np.array([int(job[4:]) for job in split.test])
            frames.append(
                pl.DataFrame(
                    {"base_id": split.test, "pi": rates[at], "pi_hat": predict(rates[at], np.random.default_rng(seed))}
                ).with_columns(
                    solver=pl.lit("s"),
                    predictor=pl.lit(name),
                    kind=pl.lit(kind),
                    reads=pl.lit("text"),
                    is_rate=pl.lit(True),
                    slice=pl.lit("pooled"),
                    seed=pl.lit(seed, pl.Int64()),
                    fingerprint=pl.lit(split.fingerprint),
                    pi_std=pl.col("pi"),
                    k=pl.lit(0.0),
                    n=pl.lit(10.0),
                    note=pl.lit(""),
                    **{each: pl.lit(None, pl.Float64()) for each in ("a_hat", "b_hat", "wc_hat")},
                )
            )
    return PREDICTIONS.check(pl.concat(frames).select(list(PREDICTIONS.schema)))


def near(noise: float) -> Predict:
    """Predict the rate, give or take."""
    return lambda rates, rng: rates + rng.normal(0, noise, rates.size)


def outcomes(verdicts: pl.DataFrame) -> dict[tuple[str, str, str], str]:
    """Outcome by target, candidate and baseline."""
    return {(row["target"], row["candidate"], row["baseline"]): row["outcome"] for row in verdicts.to_dicts()}


def test_better_worse_and_equal_are_told_apart(splits: dict[int, Split]) -> None:
    """A near-perfect candidate beats noise; a noisy one is beaten by a near-perfect baseline and ties with noise."""
    table = table_of(
        splits,
        {
            ("sharp", "frail_pi"): near(0.02),
            ("blunt", "frail_pi"): lambda rates, rng: rng.random(rates.size),
            ("oracle-like", "surface_gbt"): near(0.01),
            ("noise", "random"): lambda rates, rng: rng.random(rates.size)[::-1].copy(),
        },
    )
    verdicts = predictor_verdicts(table, splits, seed=3)
    found = outcomes(verdicts)

    assert verdicts.height == 2 * 2 * 2
    assert found["pi", "sharp", "noise"] == "beats by at least the declared gain"
    assert found["pi", "blunt", "oracle-like"] == "is beaten"
    assert found["pi", "blunt", "noise"] == "not shown"
    sentence = verdicts.filter(pl.col("outcome") == "is beaten", pl.col("target") == "pi")["sentence"][0]
    assert sentence.startswith("oracle-like beats blunt (difference in rho ")


def test_a_constant_predictor_is_not_judged(splits: dict[int, Split]) -> None:
    """It ranks nothing: its row says so, and the others are judged without it."""
    table = table_of(
        splits,
        {
            ("sharp", "frail_pi"): near(0.02),
            ("flat", "family_composition"): lambda rates, rng: np.full(rates.size, 0.3),
            ("noise", "random"): lambda rates, rng: rng.random(rates.size),
        },
    )
    found = outcomes(predictor_verdicts(table, splits, seed=3))

    assert found["pi", "sharp", "flat"] == "not judged"
    assert found["pi", "sharp", "noise"] == "beats by at least the declared gain"


def test_a_constant_candidate_is_not_judged_against_anyone(splits: dict[int, Split]) -> None:
    """Nothing can be said of it."""
    flat: Predict = lambda rates, rng: np.full(rates.size, 0.3)  # noqa: E731
    table = table_of(splits, {("flat", "frail_pi"): flat, ("noise", "random"): near(0.5)})

    assert set(outcomes(predictor_verdicts(table, splits, seed=3)).values()) == {"not judged"}


def test_only_seeds_that_all_have_are_compared(splits: dict[int, Split]) -> None:
    """A baseline of two seeds is judged on two, and its rival too."""
    table = table_of(splits, {("sharp", "frail_pi"): near(0.02), ("noise", "random"): near(0.5)})
    fewer = table.filter((pl.col("predictor") == "sharp") | (pl.col("seed") < 2))

    assert predictor_verdicts(fewer, splits, seed=3)["n_seeds"].unique().to_list() == [2]


def test_nothing_predicted_is_nothing_judged(splits: dict[int, Split]) -> None:
    """Untrained predictors leave an empty table."""
    table = table_of(splits, {("sharp", "frail_pi"): near(0.02), ("noise", "random"): near(0.5)})

    assert predictor_verdicts(table.with_columns(pi_hat=pl.lit(None, pl.Float64())), splits, seed=3).is_empty()
