"""The join that makes labelled pairs, on one problem small enough to check by hand."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.corpus.labeled_pairs import build_labeled_pairs, complexity_band, count_missing
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.schemas import (
    BASE_LABELS,
    BASE_PROBLEMS,
    LABELED_PAIRS,
    MULTIOP_MIX,
    NOOP_AUDIT,
    SOLVER_LABELS,
)

EDIT = json.dumps({"inserted": [{"source_id": "train-7", "position": 1}, {"source_id": "train-3", "position": 2}]})


def problem() -> pl.DataFrame:
    """Return one problem."""
    return BASE_PROBLEMS.frame(
        [
            {
                "base_id": "a",
                "text": "Mia has 3 boxes of 6 pens. How many pens are there?",
                "gold": "18",
                "answer_type": "numeric",
                "gold_solution": None,
                "category": "toys",
                "level": None,
                "gold_steps": 1,
                "declared_complexity": 1.0,
                "complexity_score": 0.4,
                "revision": "r",
                "licence": "MIT",
            }
        ]
    )


def mix(twins: list[str], dose: int = 3) -> pl.DataFrame:
    """Return one-sentence injections drawn into the mix of a dose."""
    rows = [
        {
            "dose": dose,
            "base_id": "a",
            "twin_id": twin,
            "family": "math_irrelevant_context",
            "inject_size": 1,
            "operator": "math_irrelevant_context_m1",
            "text_hash": text_hash(twin),
            "source_dose": 1,
            "text": twin,
            "generator": "rules",
            "edit": EDIT,
        }
        for twin in twins
    ]
    return MULTIOP_MIX.frame(rows)


SAMPLES: dict[str, Any] = {
    "modal_answer": "18",
    "n_samples": 5,
    "n_correct": 4,
    "answers": ["18"] * 4 + ["20"],
    "rules": ["hash"] * 5,
    "statuses": ["ok"] * 5,
    "outputs": ["#### 18"] * 5,
    "prompt_tokens": None,
    "completion_tokens": None,
    "cost_usd": None,
}


def base_labels(y_base: int = 1, solver: str = "planted") -> pl.DataFrame:
    """Return one base run with 4 of 5 samples right."""
    row = {"dose": 3, "solver": solver, "base_id": "a", "run_id": "base/m3", "y_base": y_base, **SAMPLES}
    return BASE_LABELS.frame([row])


def twin_labels(verdicts: dict[str, int]) -> pl.DataFrame:
    """Return one label for each twin."""
    rows = [
        {
            "dose": 3,
            "solver": "planted",
            "base_id": "a",
            "twin_id": twin,
            "text_hash": text_hash(twin),
            "family": "math_irrelevant_context",
            "inject_size": 1,
            "y_twin": verdict,
            **SAMPLES,
            "n_correct": 5 * verdict,
        }
        for twin, verdict in verdicts.items()
    ]
    return SOLVER_LABELS.frame(rows)


def audit(twins: list[str]) -> pl.DataFrame:
    """Return a clean audit of each twin, with one unit flag."""
    rows = [
        {
            "base_id": "a",
            "twin_id": twin,
            "dose": 1,
            "family": "math_irrelevant_context",
            "entity_collision": False,
            "gold_number": False,
            "multi_question": False,
            "altered_base": False,
            "unit_compatible": True,
            "unverifiable_gold": False,
            "adjudicators": ["judge"],
            "verdicts": ["no-op"],
            "rationales": ["nothing changed"],
            "keep": True,
            "reasons": [],
        }
        for twin in twins
    ]
    return NOOP_AUDIT.frame(rows)


def test_a_pair_joins_base_twin_audit_and_both_answers() -> None:
    """Three twins, one failed by a solved base: delta 0, 1, 0, so d_obs is 1/3 and d_wc is 1."""
    twins = ["t1", "t2", "t3"]

    pairs = build_labeled_pairs(
        problem(), audit(twins), mix(twins), base_labels(), twin_labels({"t1": 1, "t2": 0, "t3": 1})
    )

    assert pairs["delta"].to_list() == [0, 1, 0]
    assert pairs["d_obs"].to_list() == pytest.approx([1 / 3] * 3)
    assert pairs["d_wc"].to_list() == [1.0] * 3
    row = pairs.row(1, named=True)
    assert row["file_dose"] == 3
    assert row["inject_size"] == 1
    assert row["y_base_mean"] == 0.8
    assert (row["n_base_correct"], row["n_base"], row["twin_samples_correct"]) == (4, 5, 0)
    assert row["complexity"] == "medium"
    assert row["source_distractor_ids"] == ["train-7", "train-3"]
    assert json.loads(row["audit"]) == {
        "llm": {"judge": "no-op"},
        "entity": False,
        "gold_number": False,
        "multi_question": False,
        "unit": True,
    }


def test_a_twin_solved_by_an_unsolved_run_has_delta_minus_one() -> None:
    """Y_run(J) - Y(T) = 0 - 1."""
    pairs = build_labeled_pairs(problem(), audit(["t1"]), mix(["t1"]), base_labels(y_base=0), twin_labels({"t1": 1}))

    assert pairs["delta"].to_list() == [-1]


def test_missing_cells_are_left_out_and_counted() -> None:
    """d_obs and d_wc hold over the pairs that have both labels: t2 has none, so one pair is missing."""
    arguments = mix(["t1", "t2"]), base_labels(), twin_labels({"t1": 0})

    pairs = build_labeled_pairs(problem(), audit(["t1", "t2"]), *arguments)

    assert pairs["twin_id"].to_list() == ["t1"]
    assert pairs["d_obs"].to_list() == [1.0]
    assert count_missing(*arguments) == (0, 1)


def test_without_a_base_label_there_is_no_pair() -> None:
    """Both pairs of the job count as missing their base, whether or not the twin has a label."""
    arguments = mix(["t1", "t2"]), BASE_LABELS.frame([]), twin_labels({"t1": 0})

    pairs = build_labeled_pairs(problem(), audit(["t1", "t2"]), *arguments)

    assert pairs.is_empty()
    assert pairs.columns == list(LABELED_PAIRS.schema)
    assert count_missing(*arguments) == (2, 0)


def test_labels_of_two_solvers_are_refused() -> None:
    """One dose run of one solver makes one file."""
    with pytest.raises(ValueError, match="pass one dose and solver"):
        build_labeled_pairs(problem(), audit(["t1"]), mix(["t1"]), base_labels(solver="other"), twin_labels({"t1": 1}))


@pytest.mark.parametrize(("score", "band"), [(0.05, "easy"), (0.34, "medium"), (0.7, "hard")])
def test_complexity_is_called_by_its_third(score: float, band: str) -> None:
    """Thirds of [0, 1] are easy, medium and hard."""
    assert pl.select(complexity_band(pl.lit(score))).item() == band
