"""The per-job table: the worked example, its laws, and every way in which a slice can be empty."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import special

from glass_pipeline.domain.corpus.interchange import base_runs_of, import_lines, jobs_of
from glass_pipeline.domain.estimands import causal_difficulty, summary
from glass_pipeline.domain.records import DOSES, FAMILIES
from glass_pipeline.domain.schemas import CAUSAL_DIFFICULTY, LABELED_PAIRS

Make = Callable[[Any], pl.DataFrame]


def problems(base_ids: list[str]) -> pl.DataFrame:
    """Return one problem for each id, with four levels of complexity."""
    complexity = [float(number % 4) for number in range(len(base_ids))]
    schema = {"base_id": pl.String(), "category": pl.String(), "declared_complexity": pl.Float64()}
    columns = {"base_id": base_ids, "category": ["toys"] * len(base_ids), "declared_complexity": complexity}
    return pl.DataFrame(columns, schema=schema)


def no_nan(table: pl.DataFrame) -> bool:
    """Say whether no float of the table is NaN."""
    return not any(table[name].is_nan().any() for name, dtype in table.schema.items() if dtype == pl.Float64)


@pytest.fixture
def study(make_pairs: Make, make_runs: Make) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Sixty jobs, five doses, every family, some unsolved runs, breaks by a known law."""
    rng = np.random.default_rng(11)
    base_ids = [f"job-{number:02}" for number in range(60)]
    pairs, runs = [], []
    for base_id in base_ids:
        level, skill = rng.normal(-1.5, 1.0), rng.beta(6, 1)
        for dose in DOSES:
            right = int(rng.binomial(5, skill))
            solved = int(right >= 3)
            runs.append({"base_id": base_id, "dose": dose, "y_base": solved, "n_correct": right})
            for number in range(dose):
                family = FAMILIES[number % 3]
                size = 1 if dose < 7 else 3
                pairs.append(
                    {
                        "base_id": base_id,
                        "twin_id": f"{base_id}-{dose}-{number}",
                        "twin_text": f"{base_id} {family} {rng.integers(8)}",
                        "family": family,
                        "inject_size": size if family == FAMILIES[2] else None,
                        "file_dose": dose,
                        "y_base_run": solved,
                        "y_twin": int(rng.random() > special.expit(level + 0.1 * (dose - 5))),
                    }
                )
    return problems(base_ids), make_runs(runs), make_pairs(pairs)


def test_worked_example(worked_pairs: pl.DataFrame, worked_runs: pl.DataFrame) -> None:
    """One job: pass rate 0.6, pi 2/4, D_avg 1/6, D_wc 1, strata 2, 2, 1, 1 (methods §1.5)."""
    table = causal_difficulty(problems(["a"]), worked_runs, worked_pairs, seed=42)

    row = table.filter(pl.col("slice") == "pooled").row(0, named=True)
    assert (row["y_base_mean"], row["n_base"], row["in_stratum"]) == (0.6, 15, True)
    assert (row["n"], row["k"], row["pi"]) == (4, 2, 0.5)
    assert row["d_avg"] == pytest.approx(1 / 6)
    assert row["d_wc"] == 1.0
    assert [row[name] for name in ("always_solved", "breaks", "repaired", "never_solved")] == [2, 2, 1, 1]
    assert (row["n_entity_rename"], row["k_entity_rename"], row["n_sentence_reorder"]) == (4, 2, 0)
    assert row["doses"] == [1, 5, 9]
    assert row["crd"] is None
    assert row["pi_low"] is None


def test_slices_of_the_worked_example(worked_pairs: pl.DataFrame, worked_runs: pl.DataFrame) -> None:
    """m1 has one observation, m9 three, m5 none, for its run failed the base: pi 0, 2/3 and null."""
    table = causal_difficulty(problems(["a"]), worked_runs, worked_pairs, seed=42)

    by_slice = {row["slice"]: row for row in table.iter_rows(named=True)}
    assert set(by_slice) == {"pooled", "m1", "m5", "m9"}
    assert [by_slice[name]["n"] for name in ("m1", "m5", "m9")] == [1, 0, 3]
    assert [by_slice[name]["pi"] for name in ("m1", "m5", "m9")] == [0.0, None, pytest.approx(2 / 3)]
    assert {row["y_base_mean"] for row in by_slice.values()} == {0.6}


def test_laws_of_the_table(study: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]) -> None:
    """Within the stratum pi = k/n = breaks/n; D_avg = (breaks - repaired)/texts, D_avg <= pi on average."""
    table = causal_difficulty(*study, seed=42)

    assert CAUSAL_DIFFICULTY.check(table).equals(table)
    assert no_nan(table)
    assert table.filter(pl.col("pi").is_not_null() & ~pl.col("in_stratum")).is_empty()
    assert table.filter(pl.col("in_stratum") & (pl.col("n") > 0) & pl.col("pi").is_null()).is_empty()
    assert (table["k"] == table["breaks"]).all()
    assert (table["n"] == table["breaks"] + table["always_solved"]).all()
    assert (table["n"] == table.select(pl.sum_horizontal(f"n_{family}" for family in FAMILIES)).to_series()).all()
    texts = table.select(pl.sum_horizontal("always_solved", "breaks", "repaired", "never_solved")).to_series()
    assert table["d_avg"].to_list() == pytest.approx(((table["breaks"] - table["repaired"]) / texts).to_list())
    pooled = table.filter(pl.col("slice") == "pooled")
    assert pooled["d_avg"].mean() < pooled["pi"].mean()
    assert (
        pooled.filter("in_stratum").select("a", "b", "a_inject", "b_inject", "crd").null_count().sum_horizontal()[0]
        == 0
    )
    assert table.filter(pl.col("slice") == "m9")["b"].null_count() == 60


def test_row_order_changes_nothing(study: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]) -> None:
    """Shuffled inputs give the same table."""
    shuffled = [frame.sample(fraction=1.0, shuffle=True, seed=7) for frame in study]

    table = causal_difficulty(shuffled[0], shuffled[1], shuffled[2], seed=42)

    expected = causal_difficulty(*study, seed=42)
    assert table.select(pl.exclude(pl.Float64())).equals(expected.select(pl.exclude(pl.Float64())))
    for name in expected.select(pl.col(pl.Float64())).columns:
        assert table[name].to_list() == pytest.approx(expected[name].to_list(), nan_ok=False)


def test_crd_folds_are_shared_between_solvers(study: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]) -> None:
    """Leaving jobs out does not move the folds of the others, so only fitted means change a little."""
    jobs, runs, pairs = study
    half = jobs["base_id"].to_list()[::2]

    whole = causal_difficulty(jobs, runs, pairs, seed=42)
    part = causal_difficulty(
        jobs.filter(pl.col("base_id").is_in(half)),
        runs.filter(pl.col("base_id").is_in(half)),
        pairs.filter(pl.col("base_id").is_in(half)),
        seed=42,
    )

    joined = part.join(whole, on=["slice", "base_id"]).filter(pl.col("slice") == "pooled").drop_nulls("crd")
    assert joined["pi"].to_list() == joined["pi_right"].to_list()
    assert (joined["crd"] - joined["crd_right"]).abs().max() < 0.15


@pytest.mark.parametrize("jobs", [1, 2, 3, 12])
@pytest.mark.parametrize("doses", [(9,), (1, 9)])
@pytest.mark.parametrize("solved", [0, 1], ids=["empty stratum", "full stratum"])
@pytest.mark.parametrize("y_twin", [0, 1], ids=["all break", "none breaks"])
def test_tiny_studies_give_nulls_not_errors(
    make_pairs: Make, make_runs: Make, jobs: int, doses: tuple[int, ...], solved: int, y_twin: int
) -> None:
    """One dose, one job, an empty stratum, one family: the table stands, without a NaN, and can be summarised."""
    base_ids = [f"j{number}" for number in range(jobs)]
    runs = make_runs(
        {"base_id": base, "dose": dose, "y_base": solved, "n_correct": 5 * solved}
        for base in base_ids
        for dose in doses
    )
    pairs = make_pairs(
        {"base_id": base, "twin_text": f"{base} {dose}", "file_dose": dose, "y_base_run": solved, "y_twin": y_twin}
        for base in base_ids
        for dose in doses
    )

    table = causal_difficulty(problems(base_ids), runs, pairs, seed=42)
    found = summary(table, runs)

    assert table.height == jobs * (1 + len(doses))
    assert no_nan(table)
    assert table["pi"].null_count() == (0 if solved else table.height)
    assert found.n_solvable == jobs * solved


def test_no_pair_at_all_still_makes_a_table(make_runs: Make) -> None:
    """Bases without twins have a pass rate and nothing else."""
    runs = make_runs([{"y_base": 1, "n_correct": 5}])

    table = causal_difficulty(problems(["a"]), runs, LABELED_PAIRS.frame([]), seed=42)

    assert table.select("slice", "in_stratum", "n", "pi", "d_avg").rows() == [("pooled", True, 0, None, None)]
    assert table["doses"].to_list() == [[]]


def test_no_label_at_all_makes_an_empty_table(make_runs: Make) -> None:
    """A problem without base labels has no row."""
    table = causal_difficulty(problems(["a"]), make_runs([]), LABELED_PAIRS.frame([]), seed=42)

    assert table.is_empty()


def test_two_solvers_are_refused(worked_pairs: pl.DataFrame, worked_runs: pl.DataFrame) -> None:
    """Labels of two solvers never enter one table."""
    other = worked_runs.with_columns(solver=pl.lit("other"))

    with pytest.raises(ValueError, match="pass one solver"):
        causal_difficulty(problems(["a"]), pl.concat([worked_runs, other]), worked_pairs, seed=42)


@pytest.mark.parametrize(
    ("folder", "by_id", "by_text"), [("gsm8k_smalllm", 0.643, 0.651), ("svamp_smalllm", 0.726, 0.735)]
)
def test_labels_of_a_real_model(shared: Path, folder: str, by_id: float, by_text: float) -> None:
    """Mean pi is that of a plain loop over distinct texts; over twin ids, as its README has it, a little less."""
    frames = []
    for path in sorted((shared / "data" / folder).glob("*_labeled_pairs.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            frames.append(import_lines(lines, name=path.name))
    pairs = pl.concat(frames)
    outcomes: dict[str, dict[str, int]] = {}
    for base_id, digest, delta in pairs.sort("file_dose", "twin_id").select("base_id", "text_hash", "delta").rows():
        outcomes.setdefault(base_id, {}).setdefault(digest, delta)
    plain = np.mean([np.mean(list(deltas.values())) for deltas in outcomes.values()])
    ids = pairs.unique(["base_id", "twin_id"]).group_by("base_id").agg(pl.col("delta").mean())["delta"].mean()

    table = causal_difficulty(jobs_of(pairs), base_runs_of(pairs), pairs, seed=42)

    pooled = table.filter(pl.col("slice") == "pooled")
    assert no_nan(table)
    assert pooled["pi"].mean() == pytest.approx(plain)
    assert plain == pytest.approx(by_text, abs=5e-4)
    assert ids == pytest.approx(by_id, abs=5e-4)
