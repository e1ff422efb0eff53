"""The interchange format: lines written are read back, and nothing in a line is trusted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glass_pipeline.domain.corpus.fields import FIELDS
from glass_pipeline.domain.corpus.interchange import (
    InterchangeError,
    base_runs_of,
    export_lines,
    import_lines,
    jobs_of,
)
from glass_pipeline.domain.corpus.labeled_pairs import with_job_contrasts

NAME = "gsmic_adv_m3_multiop_mix_rules_labeled_pairs.jsonl"


def required_fields(**changed: Any) -> dict[str, Any]:
    """Return a line with the fields that every writer of the format has, and no others."""
    line = {
        "base_id": "gsmic_adv-42",
        "twin_id": "gsmic_adv-42-d7",
        "operator": "math_irrelevant_context_m3",
        "category": "math",
        "complexity": "medium",
        "complexity_score": 0.72,
        "base_text": "Mia has 3 boxes of 6 pens. How many pens are there?",
        "twin_text": "Mia has 3 boxes of 6 pens. A desk is 2 metres wide. How many pens are there?",
        "delta_per_model": {"gpt-4o-mini": 1.0},
        "delta_mean": 1.0,
        "d_obs": 0.5,
        "d_wc": 1.0,
        "y_base_mean": 0.6,
    }
    return line | changed


def read(*lines: dict[str, Any], name: str = NAME, solver: str | None = None) -> pl.DataFrame:
    """Import lines as the reader of a file would."""
    return import_lines([json.dumps(line) for line in lines], name=name, solver=solver)


def test_a_line_with_required_fields_only_is_enough() -> None:
    """Family, size, dose and run are worked out; 0.6 is 3 of 5 samples; C falls back on the score."""
    row = read(required_fields()).row(0, named=True)

    assert row["family"] == "math_irrelevant_context"
    assert (row["file_dose"], row["inject_size"]) == (3, 3)
    assert (row["y_base_run"], row["y_twin"], row["delta"]) == (1, 0, 1)
    assert (row["n_base_correct"], row["n_base"]) == (3, 5)
    assert row["declared_complexity"] == 0.72
    assert row["solver"] == "gpt-4o-mini"


@pytest.mark.parametrize(
    ("delta", "share", "y_base", "y_twin"),
    [(1.0, 0.2, 1, 0), (-1.0, 0.8, 0, 1), (0.0, 0.5, 1, 1), (0.0, 0.4, 0, 0)],
    ids=["break", "repair", "no change, solved at exactly half", "no change, unsolved"],
)
def test_delta_says_what_happened_and_the_share_decides_only_ties(
    delta: float, share: float, y_base: int, y_twin: int
) -> None:
    """Delta 1 means a solved base, -1 an unsolved one; 0 needs the run's pass rate."""
    row = read(required_fields(delta_per_model={"m": delta}, y_base_mean=share)).row(0, named=True)

    assert (row["y_base_run"], row["y_twin"]) == (y_base, y_twin)


def test_a_stated_number_of_samples_is_kept() -> None:
    """0.6 of 10 samples are 6, not 3 of 5."""
    row = read(required_fields(n_base=10)).row(0, named=True)

    assert (row["n_base_correct"], row["n_base"]) == (6, 10)


def test_a_stated_base_verdict_beats_the_share() -> None:
    """With ``y_base_run`` in the line the pass rate is not asked."""
    row = read(required_fields(delta_per_model={"m": 0}, y_base_mean=0.6, y_base_run=0)).row(0, named=True)

    assert row["y_base_run"] == 0


def test_a_file_written_is_read_back_the_same() -> None:
    """Export, then import, gives the same table."""
    lines = [
        required_fields(twin_id="d1", gold_steps=3, audit={"entity": False}, n_base=5, n_base_correct=3),
        required_fields(twin_id="d2", operator="entity_rename", delta_per_model={"gpt-4o-mini": 0}),
    ]
    pairs = read(*lines)

    assert import_lines(export_lines(pairs), name=NAME).equals(pairs)


def test_one_of_several_solvers_is_chosen_by_name() -> None:
    """A line may carry the deltas of several models."""
    line = required_fields(delta_per_model={"x": 0.0, "y": 1.0})

    assert read(line, solver="y")["delta"].to_list() == [1]
    with pytest.raises(InterchangeError, match="names 2 models; say which solver"):
        read(line)
    with pytest.raises(InterchangeError, match="has no 'z'; it names x, y"):
        read(line, solver="z")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"delta_per_model": {"m": 0.37}}, "continuous scores have no break event"),
        ({"delta_per_model": {"m": True}}, "delta True"),
        ({"delta_per_model": {"m": "1"}}, "delta '1'"),
        ({"base_text": None}, "field 'base_text' is missing"),
        ({"base_text": 7}, "'base_text' holds a int"),
        ({"n_base": "five"}, "'n_base' holds a str"),
        ({"y_base_mean": 1.2}, "lies in .0, 1."),
        ({"complexity_score": -0.1}, "lies in .0, 1."),
        ({"n_base": 10**30}, "n_base is 1000000000000000000000000000000; it lies between"),
        ({"n_base": 5, "n_base_correct": 6}, "not among n_base samples"),
        ({"source_distractor_ids": [{}]}, "something else than texts"),
        ({"y_twin": 1}, "delta 1 is not y_base_run 1 minus y_twin 1"),
        ({"file_dose": 9}, "a row states dose 9, the file name 3"),
        ({"inject_size": 2}, "inject_size is 2 for operator 'math_irrelevant_context_m3'"),
        ({"delta_per_model": [1]}, "'delta_per_model' holds a list"),
        ({"delta_mean": None}, "field 'delta_mean' is missing"),
        ({"twin_text": "  "}, "'twin_text' is blank"),
        ({"base_text": "Another problem?"}, "base_text of 'gsmic_adv-42' is not that of an earlier line"),
        ({"twin_id": "gsmic_adv-42-d7"}, "stands already in line 1"),
        ({"base_id": "math_adv-7"}, "of another suite than 'gsmic_adv-42' in line 1"),
    ],
)
def test_a_wrong_line_is_refused(changed: dict[str, Any], message: str) -> None:
    """The error names file, line and what is wrong."""
    with pytest.raises(InterchangeError, match=message) as caught:
        read(required_fields(), required_fields(twin_id="other") | changed)

    assert "line 2" in str(caught.value)
    assert NAME in str(caught.value)


def test_a_line_may_be_of_any_whitespace_and_a_record_of_any_extra_fields() -> None:
    """Empty lines and unknown fields are passed over, and lines are counted with the empty ones."""
    lines = ["", json.dumps(required_fields(note={"anything": [1]})), " \n", "{"]

    assert import_lines(lines[:3], name=NAME).height == 1
    with pytest.raises(InterchangeError, match="line 4"):
        import_lines(lines, name=NAME)


def test_one_base_has_one_gold() -> None:
    """Two lines of one base that state different golds contradict each other."""
    with pytest.raises(InterchangeError, match="line 2: gold of 'gsmic_adv-42' is not that of an earlier line"):
        read(required_fields(gold="18"), required_fields(twin_id="other", gold=19))


@pytest.mark.parametrize(
    "text",
    ["{", "[1, 2]", '{"y_base_mean": NaN}', '{"d_obs": 1e999}', '{"base_id": "\\ud800"}', "[" * 100_000],
    ids=["cut", "list", "nan", "infinite", "half a character", "deep"],
)
def test_hostile_text_is_an_error_of_one_sentence(text: str) -> None:
    """Whatever stands in a line, the reader answers with its own error."""
    with pytest.raises(InterchangeError, match="line 1"):
        import_lines([text], name=NAME)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from([*(field.name for field in FIELDS), "delta_per_model"]), VALUES, max_size=4))
def test_any_value_in_any_field_is_read_or_refused(changed: dict[str, Any]) -> None:
    """A hostile line gives a table of one row or the reader's own error, never another one."""
    text = json.dumps(required_fields() | changed)
    try:
        read_back = import_lines([text], name=NAME)
    except InterchangeError as error:
        assert "line 1" in str(error)
    else:
        assert read_back.height == 1


def test_jobs_and_runs_can_be_read_off_a_file() -> None:
    """A file alone gives one row a job, and one a job and run."""
    pairs = read(required_fields(twin_id="d1", gold_steps=4), required_fields(twin_id="d2", gold_steps=4))

    assert jobs_of(pairs).rows() == [("gsmic_adv-42", "math", 4.0)]
    assert base_runs_of(pairs).select("dose", "y_base", "n_samples", "n_correct").rows() == [(3, 1, 5, 3)]


@pytest.mark.parametrize(("folder", "rows", "jobs"), [("gsm8k_smalllm", 5746, 173), ("svamp_smalllm", 10610, 382)])
def test_files_of_a_real_model_are_read_whole(shared: Path, folder: str, rows: int, jobs: int) -> None:
    """Every row of five real files is read, and the d_obs they state is the mean of their deltas."""
    frames = []
    for path in sorted((shared / "data" / folder).glob("*_labeled_pairs.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            frames.append(import_lines(lines, name=path.name))

    assert sum(frame.height for frame in frames) == rows
    assert pl.concat(frames)["base_id"].n_unique() == jobs
    for frame in frames:
        worked_out = with_job_contrasts(frame)
        assert worked_out["d_obs"].to_list() == pytest.approx(frame["d_obs"].to_list())
        assert worked_out["d_wc"].to_list() == frame["d_wc"].to_list()
