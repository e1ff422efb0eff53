"""Tables that stand in for problems and base labels where pairs are all there is."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.corpus.completion import complete
from glass_pipeline.domain.corpus.interchange import state_lines
from glass_pipeline.domain.corpus.stand_ins import base_labels_of_pairs, golds_of, problems_of_pairs
from glass_pipeline.domain.estimands import causal_difficulty

NAME = "some_m1_multiop_mix_x_labeled_pairs.jsonl"


def line(base: int, twin: int, delta: float, **more: Any) -> str:
    """Return one pair of base ``base``."""
    return json.dumps(
        {
            "base_id": f"b{base}",
            "twin_id": f"b{base}-{twin}",
            "operator": "entity_rename",
            "category": "math",
            "complexity": "easy",
            "complexity_score": 0.1,
            "base_text": f"Ada has {base} cats. How many cats has she?",
            "twin_text": f"Ida has {base} cats. How many cats has she? {'!' * twin}",
            "delta_per_model": {"a": delta},
            "delta_mean": delta,
            "d_obs": delta,
            "d_wc": delta,
            "y_base_mean": 0.8,
            **more,
        }
    )


def test_problems_have_what_pairs_say_and_nothing_invented() -> None:
    """Text and complexity come from the pairs, the gold where a line states it, else it is empty."""
    stated = state_lines([line(4, 0, 0, gold="4", gold_steps=2), line(5, 0, 1)], name=NAME)
    problems = problems_of_pairs(
        complete(stated), golds_of(stated), answer_type="exact", revision="r", licence="as stated"
    )

    assert problems.select("base_id", "gold", "gold_steps", "declared_complexity", "licence").rows() == [
        ("b4", "4", 2, 2.0, "as stated"),
        ("b5", "", None, 0.1, "as stated"),
    ]
    assert problems["text"][0] == "Ada has 4 cats. How many cats has she?"


def test_one_base_of_two_files_has_one_text() -> None:
    """Files that give a base different texts are of different suites."""
    one = complete(state_lines([line(4, 0, 0)], name=NAME))
    two = complete(state_lines([line(4, 0, 0, base_text="Another?")], name=NAME))

    with pytest.raises(ValueError, match="base 'b4' has two texts"):
        problems_of_pairs(
            pl.concat([one, two]),
            golds_of(state_lines([], name=NAME)),
            answer_type="exact",
            revision="r",
            licence="",
        )


def test_base_labels_carry_the_counts_and_no_answers() -> None:
    """0.8 is 4 of 5 samples; nothing is known of the samples themselves."""
    labels = base_labels_of_pairs(complete(state_lines([line(4, 0, 1), line(4, 1, 0)], name=NAME)))

    assert labels.select("dose", "solver", "base_id", "y_base", "n_correct", "n_samples").rows() == [
        (1, "a", "b4", 1, 4, 5)
    ]
    assert labels["outputs"].to_list() == [[]]
    assert labels["modal_answer"].to_list() == [None]


def test_causal_difficulty_can_be_estimated_from_the_stand_ins() -> None:
    """Of four twins of a solved base one broke: pi = 1/4, and Ȳ = 4/5."""
    stated = state_lines([line(4, twin, float(twin == 2)) for twin in range(4)], name=NAME)
    pairs = complete(stated)
    problems = problems_of_pairs(pairs, golds_of(stated), answer_type="exact", revision="r", licence="")
    table = causal_difficulty(problems, base_labels_of_pairs(pairs), pairs, seed=1)

    assert table.filter(pl.col("slice") == "pooled").select("n", "k", "pi", "y_base_mean").rows() == [(4, 1, 0.25, 0.8)]
