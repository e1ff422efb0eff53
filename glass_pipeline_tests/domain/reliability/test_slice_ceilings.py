"""The table of ceilings of every cell, on a planted study and on labels of a real model."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.corpus.interchange import base_runs_of, import_lines, jobs_of
from glass_pipeline.domain.estimands import causal_difficulty
from glass_pipeline.domain.reliability.slice_ceilings import RELIABILITY, SLICES, reliability_table, slices_table
from glass_pipeline.domain.schemas import CAUSAL_DIFFICULTY


def read(folder: Path) -> pl.DataFrame:
    """Return every labelled pair of a folder."""
    frames = []
    for path in sorted(folder.glob("*_labeled_pairs.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            frames.append(import_lines(lines, name=path.name))
    return pl.concat(frames)


@pytest.mark.parametrize(("folder", "r", "oracle"), [("gsm8k_smalllm", 0.74, 0.84), ("svamp_smalllm", 0.67, 0.80)])
def test_ceilings_of_a_real_model(shared: Path, folder: str, r: float, oracle: float) -> None:
    """The figures of the labels' README are met to the noise of one bootstrap, and repeats inflate r."""
    pairs = read(shared / "data" / folder)
    jobs = causal_difficulty(jobs_of(pairs), base_runs_of(pairs), pairs, seed=42)

    table = reliability_table(jobs, seed=42, pairs=pairs)

    rows = {row["unit"]: row for row in table.filter(slice="pooled", kind="all").iter_rows(named=True)}
    assert rows["unique"]["r_npmle"] == pytest.approx(r, abs=0.035)
    assert rows["unique"]["oracle_npmle"] == pytest.approx(oracle, abs=0.02)
    assert rows["pairs"]["r_npmle"] > rows["unique"]["r_npmle"] + 0.05
    assert rows["pairs"]["note"] == "inflated by repeats"
    small = table.filter(pl.col("n_jobs") < 30)
    assert set(small["note"]) == {"n too small"}
    assert small["r"].null_count() == small.height
    assert RELIABILITY.check(table).equals(table)
    assert not any(table[name].is_nan().any() for name in table.columns if table.schema[name] == pl.Float64)


def test_rates_of_a_real_model(shared: Path) -> None:
    """Break rates of families are those of the labels' README, where each twin id counts once (to .02)."""
    pairs = read(shared / "data" / "svamp_smalllm")
    runs = base_runs_of(pairs)

    table = slices_table(causal_difficulty(jobs_of(pairs), runs, pairs, seed=42), runs, seed=42)

    rename = table.row(by_predicate=pl.col("name") == "entity_rename", named=True)
    assert rename["n_breaks"] / rename["n_observations"] == pytest.approx(0.182, abs=0.02)
    assert rename["floor"] == 0.0
    assert SLICES.check(table).equals(table)


def test_an_empty_study_makes_empty_tables() -> None:
    """No job, no cell with a number; the schema stands."""
    jobs = CAUSAL_DIFFICULTY.frame([])
    runs = pl.DataFrame(
        schema={name: pl.Int64() for name in ("dose", "y_base", "n_samples", "n_correct")} | {"base_id": pl.String()}
    )

    assert reliability_table(jobs, seed=42).is_empty()
    assert slices_table(jobs, runs, seed=42)["n_jobs"].sum() == 0


def test_the_same_seed_gives_the_same_table(shared: Path) -> None:
    """Each cell is seeded by its names, so leaving a slice out changes no other."""
    pairs = read(shared / "data" / "gsm8k_smalllm")
    jobs = causal_difficulty(jobs_of(pairs), base_runs_of(pairs), pairs, seed=42)

    whole = reliability_table(jobs, seed=42).filter(slice="pooled")
    alone = reliability_table(jobs.filter(slice="pooled"), seed=42)

    assert alone.equals(whole)
    assert np.isfinite(alone["r"].drop_nulls().to_numpy()).all()
