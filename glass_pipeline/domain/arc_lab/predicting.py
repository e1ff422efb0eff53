"""Holds the prediction of an item: the choice with the highest score, and whether it is the right one.

Never lets a score that is no number choose.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from glass_pipeline.domain.arc_lab.encoding import Encode, EncodedItem, encoded_item
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import ChoiceItem
from glass_pipeline.domain.arc_lab.scoring import Scorer, Scores


@dataclass(frozen=True, slots=True)
class Prediction:
    """One row of a result file."""

    id: str
    gold: int
    """Place of the right choice."""
    prediction: int
    """Place of the choice with the highest score; the first of equal ones."""
    correct: int
    """1 or 0."""
    scores: Scores
    """Mean log-probabilities, in the order of the choices; no probabilities."""

    def row(self) -> dict[str, Any]:
        """Return the JSON object that stands for it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Questions:
    """Items with their token ids, encoded once for all models."""

    items: tuple[ChoiceItem, ...]
    encoded: tuple[EncodedItem, ...]


def encode_questions(items: Sequence[ChoiceItem], encode: Encode, *, max_length: int) -> Questions:
    """Encode items for scoring.

    Raises:
        LabError: an answer or a prompt has no token, or no room.
    """
    return Questions(tuple(items), tuple(encoded_item(item, encode, max_length=max_length) for item in items))


def predict(model: Any, questions: Questions, scorer: Scorer) -> tuple[Prediction, ...]:
    """Predict every item.

    Args:
        model: A causal LM of transformers, with or without an adapter.
        questions: What to answer.
        scorer: How choices are scored.

    Raises:
        LabError: a score is not a finite number.
    """
    scores = scorer.scores(model, questions.encoded)
    return tuple(prediction_of(item, each) for item, each in zip(questions.items, scores, strict=True))


def prediction_of(item: ChoiceItem, scores: Scores) -> Prediction:
    """Return what scores predict; of equal highest scores the first wins."""
    if not all(math.isfinite(score) for score in scores):
        raise LabError(
            f"A score of {item.id} is {scores}, which is no finite number; do not interpret this model, train its "
            "series again from the start."
        )
    chosen = int(np.argmax(scores))
    return Prediction(item.id, item.answer_index, chosen, int(chosen == item.answer_index), scores)


def parse_prediction(row: Mapping[str, Any], place: str) -> Prediction:
    """Read a row of a result file.

    Raises:
        LabError: the row is not a prediction, or contradicts itself.
    """
    try:
        scores = tuple(float(score) for score in row["scores"])
        found = Prediction(str(row["id"]), int(row["gold"]), int(row["prediction"]), int(row["correct"]), scores)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise LabError(f"{place} is not a prediction; {REDO_RESULTS}") from None
    if found.correct != int(found.prediction == found.gold):
        raise LabError(f"{place}: correct is {found.correct}, which its prediction contradicts; {REDO_RESULTS}")
    return found


def accuracy(predictions: Sequence[Prediction]) -> float:
    """Return the share of right predictions."""
    return float(np.mean([each.correct for each in predictions]))


REDO_RESULTS = "evaluate all models again with `glass arc clean --results` and `glass arc evaluate`."
