"""What pi and its residuals share with each proxy of complexity, side by side."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy import stats

from glass_pipeline.domain.estimands.crd import cross_fitted_residual, descriptive_folds
from glass_pipeline.domain.estimands.orthogonality_table import KINDS, NOTHING, orthogonality_table
from glass_pipeline.domain.problems.complexity import heuristic_score
from glass_pipeline.domain.schemas import BASE_PROBLEMS, CAUSAL_DIFFICULTY

JOBS = 400


@pytest.fixture(scope="module")
def problems() -> pl.DataFrame:
    """Problems whose C is their gold steps; every second one has a level; texts lengthen with the steps."""
    rng = np.random.default_rng(3)
    steps = rng.integers(1, 8, JOBS)
    text = [
        " ".join(["Then she adds 2 more."] * int(step + extra))
        for step, extra in zip(steps, rng.integers(0, 4, JOBS), strict=True)
    ]
    return pl.DataFrame(
        {
            "base_id": [f"job-{number:03}" for number in range(JOBS)],
            "text": text,
            "gold": "3",
            "answer_type": "numeric",
            "gold_solution": None,
            "category": "toys",
            "level": [1 + number % 5 if number % 2 else None for number in range(JOBS)],
            "gold_steps": steps,
            "declared_complexity": steps.astype(float),
            "complexity_score": 0.5,
            "revision": "r",
            "licence": "MIT",
        },
        schema=BASE_PROBLEMS.schema,
    )


@pytest.fixture(scope="module")
def jobs(problems: pl.DataFrame) -> pl.DataFrame:
    """Pi of 20 twins a job, in two slices, rising with C."""
    rng = np.random.default_rng(4)
    c = problems["declared_complexity"].to_numpy()
    k = rng.binomial(20, 1 / (1 + np.exp(2.5 - 0.3 * c + rng.normal(0, 0.8, JOBS))))
    whole = pl.DataFrame({"base_id": problems["base_id"], "k": k, "n": 20}).with_columns(
        pi=pl.col("k") / pl.col("n"), solver=pl.lit("planted"), declared_complexity=pl.Series(c)
    )
    slices = [whole.with_columns(slice=pl.lit(name)) for name in ("pooled", "m9")]
    missing = [
        pl.lit(None, dtype=t).alias(n) for n, t in CAUSAL_DIFFICULTY.schema.items() if n not in slices[0].columns
    ]
    return pl.concat(slices).with_columns(missing)


@pytest.fixture(scope="module")
def table(problems: pl.DataFrame, jobs: pl.DataFrame) -> pl.DataFrame:
    """The table itself."""
    return orthogonality_table(problems, jobs, seed=42)


def row_of(table: pl.DataFrame, **key: object) -> dict[str, object]:
    """Return the only row with a key, of the pooled slice unless said otherwise."""
    (row,) = table.filter(**({"slice": "pooled"} | key)).iter_rows(named=True)
    return row


def test_pi_itself_has_the_textbook_correlations(
    table: pl.DataFrame, problems: pl.DataFrame, jobs: pl.DataFrame
) -> None:
    """Pearson and Spearman with the text's heuristic score are scipy's; the p-values agree with its t-tests."""
    pi = jobs.filter(slice="pooled")["pi"].to_numpy()
    score = np.array([heuristic_score(text) for text in problems["text"]])
    row = row_of(table, removed=NOTHING, against="heuristic")

    assert row["corr"] == pytest.approx(stats.pearsonr(pi, score).statistic)
    assert row["rho"] == pytest.approx(stats.spearmanr(pi, score).statistic)
    assert row["corr_p"] == pytest.approx(stats.pearsonr(pi, score).pvalue, abs=0.01)
    assert row["bound"] == pytest.approx(3 / 20)
    assert row["rank_kept"] == pytest.approx(1.0)


def test_residuals_are_those_of_the_crossed_regression(
    table: pl.DataFrame, problems: pl.DataFrame, jobs: pl.DataFrame
) -> None:
    """Each kind's row correlates what ``cross_fitted_residual`` of that kind leaves."""
    pooled = jobs.filter(slice="pooled")
    words = np.array([len(text.split(" ")) for text in problems["text"]], dtype=np.float64)
    folds = descriptive_folds(pooled["base_id"].to_list(), seed=42)
    for kind in KINDS:
        fit = cross_fitted_residual(pooled["pi"].to_numpy(), words, folds, weights=np.full(JOBS, 20.0), kind=kind)
        row = row_of(table, removed="words", kind=kind, against="declared")

        assert row["corr"] == pytest.approx(np.corrcoef(fit.residual, problems["declared_complexity"])[0, 1])


def test_taking_c_away_frees_pi_of_c(table: pl.DataFrame) -> None:
    """Pi follows C beyond the bound, CRD does not; one row of C and its kind is marked as CRD for each proxy."""
    before, after = row_of(table, removed=NOTHING, against="declared"), row_of(table, is_crd=True, against="declared")

    assert (before["is_orthogonal"], after["is_orthogonal"]) == (False, True)
    assert before["corr_p"] == pytest.approx(1 / 2001)
    assert after["corr_p"] > 0.05
    assert 0.5 < after["rank_kept"] < 1
    assert table.filter("is_crd")["kind"].unique().to_list() == ["levels"]


def test_a_proxy_that_half_the_problems_state_uses_those(table: pl.DataFrame) -> None:
    """Levels are stated by 200 problems, so every row with them has 200 jobs, and the others 400."""
    with_level = (pl.col("removed") == "level") | (pl.col("against") == "level")

    assert table.filter(with_level)["n_jobs"].unique().to_list() == [200]
    assert table.filter(~with_level)["n_jobs"].unique().to_list() == [400]


def test_equal_proxies_have_equal_rows(table: pl.DataFrame) -> None:
    """C and gold steps are the same here, so numbers and p-values are too."""
    one, two = (row_of(table, removed=NOTHING, against=name) for name in ("declared", "gold_steps"))

    assert [one[name] for name in ("corr", "corr_p", "rho_p")] == [two[name] for name in ("corr", "corr_p", "rho_p")]


def test_a_dose_has_only_the_chosen_kind(table: pl.DataFrame) -> None:
    """Five targets and pi against five proxies: 6 x 5 rows; pooled has four kinds of each: (1 + 5 x 4) x 5."""
    assert table.filter(slice="m9").height == 30
    assert table.filter(slice="pooled").height == 105


def test_row_order_changes_nothing(table: pl.DataFrame, problems: pl.DataFrame, jobs: pl.DataFrame) -> None:
    """Shuffled inputs give the same table."""
    again = orthogonality_table(
        problems.sample(fraction=1, shuffle=True, seed=1), jobs.sample(fraction=1, shuffle=True, seed=2), seed=42
    )

    assert again.equals(table)


def test_a_proxy_that_nobody_states_has_no_row(problems: pl.DataFrame, jobs: pl.DataFrame) -> None:
    """Without a level in any problem nothing is said of levels."""
    bare = problems.with_columns(level=pl.lit(None, dtype=pl.Int64()))
    found = orthogonality_table(bare, jobs.filter(slice="m9"), seed=42)

    assert "level" not in set(found["against"]) | set(found["removed"])
