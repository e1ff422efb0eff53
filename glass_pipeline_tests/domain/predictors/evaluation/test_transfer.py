"""From one solver to another."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from glass_pipeline.domain.predictors.evaluation.transfer import solver_transfer_table
from glass_pipeline.domain.predictors.split_table import splits_of, splits_table
from glass_pipeline.domain.schemas import CAUSAL_DIFFICULTY, PREDICTIONS, RELIABILITY
from glass_pipeline.domain.splits import Split

JOBS = 100
IDS = [f"job-{n:03d}" for n in range(JOBS)]


def difficulty(solver: str, rates: np.ndarray, solved: np.ndarray) -> pl.DataFrame:
    """The pooled slice of one solver; an unsolved job has no rate."""
    fixed = dict.fromkeys(CAUSAL_DIFFICULTY.schema)
    counts = {
        name: 0
        for name in CAUSAL_DIFFICULTY.schema
        if name[:2] in ("n_", "k_") or name in ("always_solved", "breaks", "repaired", "never_solved")
    }
    return CAUSAL_DIFFICULTY.frame(
        fixed
        | counts
        | {
            "solver": solver,
            "slice": "pooled",
            "base_id": base_id,
            "category": "c",
            "declared_complexity": float(n % 3),
            "y_base_mean": float(solved[n]),
            "n_base": 5,
            "in_stratum": bool(solved[n]),
            "n": 10,
            "k": 1,
            "pi": float(rates[n]) if solved[n] else None,
            "doses": [1],
            "note": "",
        }
        for n, base_id in enumerate(IDS)
    )


@pytest.fixture(scope="module")
def splits() -> dict[int, Split]:
    """Two seeds."""
    table = pl.DataFrame({"base_id": IDS}).with_columns(category=pl.lit("c"), revision=pl.lit("r"))
    return splits_of(splits_table(table, source="toy"), (0, 1))


def test_each_solver_is_scored_on_its_own_solvable_test_jobs(splits: dict[int, Split]) -> None:
    """The matrix is Spearman of the row's predictions with the column's rates, averaged over seeds, as scipy has it."""
    rng = np.random.default_rng(0)
    rates = {"a": rng.random(JOBS), "b": rng.random(JOBS)}
    solved = {"a": np.ones(JOBS, bool), "b": np.arange(JOBS) % 4 > 0}
    predicted = {"a": rates["a"] + rng.normal(0, 0.2, JOBS), "b": rates["b"] + rates["a"]}
    jobs = pl.concat(difficulty(solver, rates[solver], solved[solver]) for solver in "ab")
    rows = [
        dict.fromkeys(PREDICTIONS.schema)
        | {
            "solver": solver,
            "predictor": name,
            "kind": "frail_pi",
            "reads": reads,
            "is_rate": True,
            "slice": "pooled",
            "seed": seed,
            "fingerprint": split.fingerprint,
            "base_id": base_id,
            "pi_hat": float(predicted[solver][IDS.index(base_id)]),
            "k": 0.0,
            "n": 10.0,
            "note": "",
        }
        for solver in "ab"
        for name, reads in (("frail", "text"), ("design", "design"))
        for seed, split in splits.items()
        for base_id in split.test
    ]
    predictions = pl.DataFrame(rows, schema=PREDICTIONS.schema)
    ceiling = dict.fromkeys(RELIABILITY.schema) | {
        "solver": "b",
        "slice": "pooled",
        "kind": "all",
        "name": "all",
        "unit": "unique",
        "n_jobs": 75,
        "n_observations": 750,
        "default_prior": "beta",
        "sqrt_r": 0.9,
        "note": "",
    }
    table = solver_transfer_table(predictions, splits, jobs, RELIABILITY.frame([ceiling]), seed=1)
    found = {(row["solver"], row["other"], row["target"]): row for row in table.to_dicts()}

    def expected(values: np.ndarray, other: str) -> list[float]:
        at = [
            np.array([IDS.index(job) for job in split.test if solved[other][IDS.index(job)]])
            for split in splits.values()
        ]
        return [float(stats.spearmanr(values[own], rates[other][own]).statistic) for own in at]

    assert set(table["predictor"]) == {"frail"}
    assert len(found) == 2 * 2 * 2
    for solver in "ab":
        for other in "ab":
            rho = expected(predicted[solver], other)
            row = found[solver, other, "pi"]
            assert (row["mean"], row["sd"]) == pytest.approx((np.mean(rho), np.std(rho, ddof=1)))
    assert found["a", "b", "pi"]["bound"] == pytest.approx(np.mean(expected(rates["a"], "b")))
    assert found["a", "a", "pi"]["bound"] == pytest.approx(1.0)
    assert (found["a", "b", "pi"]["sqrt_r"], found["b", "a", "pi"]["sqrt_r"]) == (0.9, None)
    assert found["a", "a", "crd"]["mean"] > 0.6
    assert found["a", "b", "pi"]["n_jobs"] < found["a", "a", "pi"]["n_jobs"] == 30


def test_nothing_predicted_is_nothing_transferred(splits: dict[int, Split]) -> None:
    """Untrained predictors leave an empty table."""
    empty = PREDICTIONS.frame([])
    assert solver_transfer_table(empty, splits, CAUSAL_DIFFICULTY.frame([]), RELIABILITY.frame([]), seed=1).is_empty()
