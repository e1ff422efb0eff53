"""Rows of files and of the hub become items, or an error that names the row."""

from __future__ import annotations

from typing import Any

import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import item_row, parse_items, sample_items, shared_items

ROW = {"id": "q1", "question": "Which is wet?", "choices": ["sand", "rain"], "labels": ["1", "2"], "answerKey": "2"}


def test_the_flat_and_the_hub_shape_are_the_same_item() -> None:
    """The hub nests labels and texts under choices."""
    nested = {**ROW, "choices": {"label": ["1", "2"], "text": ["sand", "rain"]}}
    del nested["labels"]

    assert parse_items([nested], "hub") == parse_items([ROW], "file")
    assert parse_items([ROW], "file")[0].answer_index == 1


def test_an_item_survives_its_own_row() -> None:
    """What the lab writes, it reads."""
    items = parse_items([{**ROW, "category": "weather"}], "file")

    assert parse_items([item_row(items[0])], "again") == items


def test_choices_without_labels_get_letters() -> None:
    """The answer may then be a letter."""
    row = {"id": 7, "question": "Which?", "choices": ["a", "b", "c"], "answer": "C"}

    item = parse_items([row], "file")[0]
    assert (item.id, item.labels, item.answer_index) == ("7", ("A", "B", "C"), 2)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        pytest.param({"answerKey": "E"}, r"row 1, id 'q1': answerKey='E' is not among the labels 1, 2", id="answer"),
        pytest.param({"choices": ["one"]}, "give a list of 2 to 64 texts", id="one choice"),
        pytest.param({"choices": ["sand", " "]}, "a choice is ' '; give it a text", id="blank choice"),
        pytest.param({"labels": ["1"]}, "one label for each of the 2 choices", id="labels"),
        pytest.param({"labels": ["1", "1"]}, "every choice needs a label of its own", id="same labels"),
        pytest.param({"question": None}, "question is missing", id="question"),
        pytest.param({"id": ""}, "row 1: the id is ''", id="id"),
        pytest.param({"answer_index": 2}, "a place from 0 to 1", id="place"),
        pytest.param({"question": "x" * 100_001}, "100,001 characters", id="size"),
        pytest.param({"question": "\ud800"}, "half of a character", id="surrogate"),
    ],
)
def test_a_wrong_row_is_named(change: dict[str, Any], found: str) -> None:
    """Place, id, what was found and what is needed stand in one sentence."""
    with pytest.raises(LabError, match=found):
        parse_items([{**ROW, **change}], "exam.jsonl")


def test_ids_recur_in_training_splits_only() -> None:
    """Results are paired by id, so a test split with a repeated id is refused."""
    assert len(parse_items([ROW, ROW], "train", may_repeat=True)) == 2
    with pytest.raises(LabError, match="row 2: the id 'q1' occurs twice"):
        parse_items([ROW, ROW], "test")


def test_an_empty_split_is_refused() -> None:
    """No item, no exam."""
    with pytest.raises(LabError, match="is empty"):
        parse_items([], "test")


def test_a_sample_depends_on_ids_and_keeps_their_order() -> None:
    """A sample of the reversed items is the reversed sample."""
    items = parse_items([{**ROW, "id": f"q{number}"} for number in range(40)], "file")

    drawn = sample_items(items, 10)
    assert len(drawn) == 10
    assert list(drawn) == sorted(drawn, key=lambda item: int(item.id[1:]))
    assert sample_items(items[::-1], 10) == drawn[::-1]
    assert sample_items(items, 99) == items


def test_a_test_item_in_the_training_split_is_found() -> None:
    """The order of choices and white space do not hide it."""
    train = parse_items([ROW], "train")
    moved = {**ROW, "id": "q2", "question": "Which  is wet?", "choices": ["rain", "sand"], "answerKey": "1"}
    other = {**ROW, "id": "q3", "question": "Which is dry?"}

    assert shared_items(parse_items([moved, other], "test"), train) == ("q2",)
