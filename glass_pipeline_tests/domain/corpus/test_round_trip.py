"""Export, then import, is the identity: over JSON lines and over parquet, for any pairs and for real ones."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glass_pipeline.domain.corpus.completion import complete
from glass_pipeline.domain.corpus.file_names import file_name
from glass_pipeline.domain.corpus.interchange import export_lines, import_lines
from glass_pipeline.domain.corpus.labeled_pairs import with_job_contrasts
from glass_pipeline.domain.corpus.released import state_columns
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import DOSES
from glass_pipeline.domain.schemas import LABELED_PAIRS

OPERATORS = (
    ("entity_rename", None),
    ("sentence_reorder", None),
    ("gsm_ic_m1", 1),
    ("math_irrelevant_context_m3", 3),
)
TEXTS = st.text(max_size=30).map(lambda text: f"{text}.")
FRACTIONS = st.floats(0, 1)


@st.composite
def rows(draw: st.DrawFn, base_id: str, base_text: str, dose: int, number: int) -> dict[str, Any]:
    """Draw one pair of a base."""
    operator, size = draw(st.sampled_from(OPERATORS))
    y_base, y_twin, n_base = draw(st.integers(0, 1)), draw(st.integers(0, 1)), draw(st.integers(1, 24))
    n_correct = draw(st.integers(0, n_base))
    twin_text = draw(TEXTS)
    return {
        "solver": "any-model",
        "base_id": base_id,
        "twin_id": f"{base_id}-{number}",
        "operator": operator,
        "category": draw(TEXTS),
        "complexity": draw(st.sampled_from(["easy", "medium", "hard"])),
        "complexity_score": draw(FRACTIONS),
        "declared_complexity": draw(st.floats(-1e9, 1e9)),
        "base_text": base_text,
        "twin_text": twin_text,
        "text_hash": text_hash(twin_text),
        "delta": y_base - y_twin,
        "d_obs": 0.0,
        "d_wc": 0.0,
        "y_base_mean": n_correct / n_base,
        "family": operator.removesuffix(f"_m{size}"),
        "file_dose": dose,
        "inject_size": size,
        "generator": draw(TEXTS),
        "run_id": draw(TEXTS),
        "y_base_run": y_base,
        "n_base_correct": n_correct,
        "n_base": n_base,
        "y_twin": y_twin,
        "twin_samples_correct": draw(st.integers(0, 24)),
        "audit": json.dumps(draw(st.dictionaries(TEXTS, st.booleans() | TEXTS | FRACTIONS, max_size=2))),
        "gold_steps": draw(st.none() | st.integers(0, 12)),
        "source_distractor_ids": draw(st.lists(TEXTS, max_size=3)),
    }


@st.composite
def pair_frames(draw: st.DrawFn) -> pl.DataFrame:
    """Draw the labelled pairs of one dose file: one to three bases, one to four twins each."""
    dose = draw(st.sampled_from(DOSES))
    drawn = []
    for base in range(draw(st.integers(1, 3))):
        base_text = draw(TEXTS)
        twins = draw(st.integers(1, 4))
        drawn += [draw(rows(f"some-{base}", base_text, dose, number)) for number in range(twins)]
    return LABELED_PAIRS.check(with_job_contrasts(LABELED_PAIRS.frame(drawn)))


def through_lines(pairs: pl.DataFrame) -> pl.DataFrame:
    """Write one dose as JSON lines and read it back."""
    name = file_name("some", pairs["file_dose"][0], "any-model")
    return import_lines(export_lines(pairs), name=name)


def through_parquet(pairs: pl.DataFrame) -> pl.DataFrame:
    """Write pairs as parquet and read them back."""
    file = io.BytesIO()
    pairs.write_parquet(file)
    file.seek(0)
    return complete(state_columns(pl.read_parquet(file), name="pairs.parquet"))


@settings(max_examples=60, deadline=None)
@given(pair_frames())
def test_json_lines_lose_nothing(pairs: pl.DataFrame) -> None:
    """Every column of every row comes back, whatever characters its texts hold."""
    assert through_lines(pairs).equals(pairs)


@settings(max_examples=60, deadline=None)
@given(pair_frames())
def test_parquet_loses_nothing(pairs: pl.DataFrame) -> None:
    """Every column of every row comes back through the mapping by column name."""
    assert through_parquet(pairs).equals(pairs)


@pytest.mark.parametrize("folder", ["gsm8k_smalllm", "svamp_smalllm"])
def test_files_of_a_real_model_come_back_the_same(shared: Path, folder: str) -> None:
    """Five real dose files, read, written in both forms and read again, are the same tables."""
    for path in sorted((shared / "data" / folder).glob("*_labeled_pairs.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            pairs = import_lines(lines, name=path.name)

        assert through_lines(pairs).equals(pairs)
        assert through_parquet(pairs).equals(pairs)
