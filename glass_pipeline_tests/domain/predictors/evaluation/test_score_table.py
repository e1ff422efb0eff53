"""The scores of held-out predictions as a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from glass_pipeline.domain.predictors.evaluation.score_table import predictor_scores
from glass_pipeline.domain.predictors.split_table import splits_of, splits_table
from glass_pipeline.domain.records import FAMILIES
from glass_pipeline.domain.schemas import CAUSAL_DIFFICULTY, PREDICTIONS, RELIABILITY
from glass_pipeline.domain.splits import Split, SplitError

JOBS = 120


def suite() -> tuple[pl.DataFrame, dict[int, Split]]:
    """120 jobs whose break rate is a function of their number, C of its last digit, and their splits."""
    rows = []
    for number in range(JOBS):
        k = number % 7
        counts = {f"n_{family}": 5 for family in FAMILIES} | {f"k_{family}": 0 for family in FAMILIES}
        counts |= {f"k_{FAMILIES[0]}": min(k, 5), f"k_{FAMILIES[2]}": k - min(k, 5), f"n_{FAMILIES[1]}": 0}
        rows.append(
            {
                **dict.fromkeys(CAUSAL_DIFFICULTY.schema),
                "solver": "s",
                "slice": "pooled",
                "base_id": f"job-{number:03d}",
                "category": "prices",
                "declared_complexity": float(number % 4),
                "y_base_mean": 1.0,
                "n_base": 5,
                "in_stratum": True,
                "n": 10,
                "k": k,
                "pi": k / 10,
                "pi_std": k / 20,
                **dict.fromkeys(("always_solved", "breaks", "repaired", "never_solved"), 0),
                **counts,
                "doses": [1],
                "note": "",
            }
        )
    jobs = CAUSAL_DIFFICULTY.frame(rows)
    table = jobs.select("base_id", "category", revision=pl.lit("r"))
    return jobs, splits_of(splits_table(table, source="toy"), (0, 1))


def predicted(jobs: pl.DataFrame, splits: dict[int, Split], score: pl.Expr, **changes: Any) -> pl.DataFrame:
    """Held-out predictions that are an expression of the job's columns."""
    fixed = {
        "predictor": "mine",
        "kind": "frail_pi",
        "reads": "text",
        "is_rate": True,
        "note": "",
        "a_hat": None,
        "b_hat": None,
        "wc_hat": None,
    } | changes
    frames = [
        jobs.filter(pl.col("base_id").is_in(split.test)).with_columns(
            pl.col("k", "n").cast(pl.Float64()),
            pi_hat=score.cast(pl.Float64()),
            seed=pl.lit(seed, pl.Int64()),
            fingerprint=pl.lit(split.fingerprint),
            **{name: pl.lit(value, pl.Float64() if name.endswith("_hat") else None) for name, value in fixed.items()},
        )
        for seed, split in splits.items()
    ]
    return PREDICTIONS.check(pl.concat(frames).select(list(PREDICTIONS.schema)))


def scored(predictions: pl.DataFrame, **given: Any) -> dict[tuple[str, str, str, str], dict[str, Any]]:
    """Rows of the score table by target, part, name and metric."""
    jobs, splits = suite()
    table = predictor_scores(
        predictions, given.get("splits", splits), jobs, given.get("reliability", RELIABILITY.frame([])), seed=1
    )
    return {(row["target"], row["part"], row["name"], row["metric"]): row for row in table.iter_rows(named=True)}


def test_the_truth_scores_one() -> None:
    """Whoever predicts pi itself has rho 1 on both targets, no error, and the best possible recall, in both seeds."""
    jobs, splits = suite()
    found = scored(predicted(jobs, splits, pl.col("pi")))

    assert found["pi", "all", "all", "spearman"]["mean"] == pytest.approx(1.0)
    assert found["pi_std", "all", "all", "spearman"]["mean"] == pytest.approx(1.0)
    assert found["pi", "all", "all", "mae"]["mean"] == pytest.approx(0.0)
    assert found["pi", "all", "all", "recall_20"]["mean"] == found["pi", "all", "all", "best_recall_20"]["mean"]
    assert found["pi", "all", "all", "mean_ratio_50"]["mean"] == pytest.approx(1.0)
    assert (found["pi", "all", "all", "spearman"]["n_seeds"], found["pi", "all", "all", "spearman"]["n_jobs"]) == (
        2,
        36,
    )


def test_means_and_deviations_are_those_of_scipy_over_seeds() -> None:
    """Each seed is scored on its own test jobs; |rho_C| is the rank correlation of prediction and complexity."""
    jobs, splits = suite()
    number = pl.col("base_id").str.slice(4).cast(pl.Int64())
    score = (number * 37 % 101).cast(pl.Float64()) + pl.col("declared_complexity")
    predictions = predicted(jobs, splits, score)
    found = scored(predictions)
    held = [jobs.join(rows, on="base_id") for _, rows in predictions.group_by("seed", maintain_order=True)]
    rho = [stats.spearmanr(rows["pi_hat"], rows["pi"]).statistic for rows in held]
    rho_c = [abs(stats.spearmanr(rows["pi_hat"], rows["declared_complexity"]).statistic) for rows in held]
    spearman = found["pi", "all", "all", "spearman"]

    assert (spearman["mean"], spearman["sd"]) == pytest.approx((np.mean(rho), np.std(rho, ddof=1)))
    assert found["pi", "all", "all", "abs_rho_c"]["mean"] == pytest.approx(np.mean(rho_c))


def test_complexity_is_taken_out_of_both_sides() -> None:
    """Half of C plus pi mostly follows C and ranks pi badly; without C it ranks what is left of pi better."""
    jobs, splits = suite()
    found = scored(predicted(jobs, splits, pl.col("declared_complexity") / 2 + pl.col("pi")))

    assert found["pi", "all", "all", "abs_rho_c"]["mean"] > 0.9
    assert found["pi", "all", "all", "spearman"]["mean"] < 0.4
    assert found["crd", "all", "all", "spearman"]["mean"] > 0.55
    assert abs(found["crd", "all", "all", "corr_target_c"]["mean"]) < 0.3


def test_families_are_scored_by_their_own_rate() -> None:
    """The first family breaks min(k, 5) times, so the truth ranks it well; the second has no twins in any job."""
    jobs, splits = suite()
    found = scored(predicted(jobs, splits, pl.col("pi")))
    first = found["pi", "family", FAMILIES[0], "spearman"]

    assert first["mean"] > 0.98
    assert first["n_jobs"] == 36
    assert (found["pi", "family", FAMILIES[1], "spearman"]["note"]) == "n too small"
    assert (found["pi", "complete", "all three families", "spearman"]["note"]) == "n too small"
    assert found["pi", "category", "prices", "spearman"]["mean"] == pytest.approx(1.0)


def test_rho_is_divided_by_the_ceiling_of_its_own_part() -> None:
    """sqrt(r) .8 of the whole slice and .5 of a family: rho 1 becomes 1.25 and, within the family, twice its rho."""
    jobs, splits = suite()
    cell = {name: None for name in RELIABILITY.schema} | {
        "solver": "s",
        "slice": "pooled",
        "unit": "unique",
        "n_jobs": 120,
        "n_observations": 1200,
        "default_prior": "beta",
        "note": "",
    }
    ceilings = RELIABILITY.frame(
        [
            cell | {"kind": "all", "name": "all", "sqrt_r": 0.8, "oracle": 0.9},
            cell | {"kind": "family", "name": FAMILIES[0], "sqrt_r": 0.5, "oracle": None},
        ]
    )
    found = scored(predicted(jobs, splits, pl.col("pi")), reliability=ceilings)
    own = found["pi", "family", FAMILIES[0], "spearman"]["mean"]

    assert found["pi", "all", "all", "spearman_sqrt_r"]["mean"] == pytest.approx(1.25)
    assert found["pi", "all", "all", "spearman_oracle"]["mean"] == pytest.approx(1 / 0.9)
    assert found["pi", "family", FAMILIES[0], "spearman_sqrt_r"]["mean"] == pytest.approx(2 * own)
    assert ("pi", "family", FAMILIES[0], "spearman_oracle") not in found


def test_a_predictor_that_was_not_trained_has_one_row_that_says_why() -> None:
    """Null predictions with a note become one score without a value."""
    jobs, splits = suite()
    (row,) = scored(predicted(jobs, splits, pl.lit(None), note="too few jobs.")).values()

    assert (row["mean"], row["n_seeds"], row["note"]) == (None, 0, "too few jobs.")


def test_predictions_of_another_split_are_refused() -> None:
    """A fingerprint that differs, or a job that was trained on, stops the scoring."""
    jobs, splits = suite()
    predictions = predicted(jobs, splits, pl.col("pi"))

    with pytest.raises(SplitError, match="seed 0: the predictions are of another split"):
        scored(predictions.with_columns(fingerprint=pl.lit("f")))
    with pytest.raises(SplitError, match="seed 0: a predicted job was not held out"):
        scored(predictions.with_columns(base_id=pl.col("base_id").replace({splits[0].test[0]: splits[0].train[0]})))
