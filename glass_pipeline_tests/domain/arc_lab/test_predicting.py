"""The highest score is the prediction, the first of equal ones, and never one that is no number."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import ChoiceItem
from glass_pipeline.domain.arc_lab.predicting import accuracy, parse_prediction, prediction_of

ITEM = ChoiceItem(id="q1", question="Which?", labels=("A", "B", "C"), choices=("a", "b", "c"), answer_index=1)


def test_the_first_of_equal_scores_wins() -> None:
    """-1 twice: place 1 is chosen, which is right."""
    found = prediction_of(ITEM, (-2.0, -1.0, -1.0))

    assert found.row() == {"id": "q1", "gold": 1, "prediction": 1, "correct": 1, "scores": (-2.0, -1.0, -1.0)}
    assert prediction_of(replace(ITEM, answer_index=2), (-2.0, -1.0, -1.0)).correct == 0


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number_stops_everything(score: float) -> None:
    """Otherwise argmax would choose the NaN."""
    with pytest.raises(LabError, match="no finite number"):
        prediction_of(ITEM, (-2.0, score, -1.0))


def test_a_row_is_read_back() -> None:
    """Rows of result files are predictions."""
    found = prediction_of(ITEM, (-2.0, -1.5, -1.0))

    assert parse_prediction(found.row(), "row 1") == found
    assert accuracy([found, prediction_of(ITEM, (-2.0, -1.0, -1.5))]) == 0.5


def test_a_row_that_contradicts_itself_is_refused() -> None:
    """Correct must say whether the prediction is the gold."""
    row = {**prediction_of(ITEM, (-2.0, -1.0, -1.5)).row(), "correct": 0}

    with pytest.raises(LabError, match="row 9: correct is 0, which its prediction contradicts"):
        parse_prediction(row, "row 9")
    with pytest.raises(LabError, match="row 9 is not a prediction"):
        parse_prediction({"id": "q1"}, "row 9")
