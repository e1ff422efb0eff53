"""Grading a file of answers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from glass_pipeline.domain.grading.policy import GradingPolicy
from glass_pipeline.domain.grading.rows import RowError, grade_rows
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict


def test_rows_keep_their_fields_and_gain_a_verdict() -> None:
    """Order and further fields stay; answer, rule, status, correct and how come in."""
    rows: list[dict[str, Any]] = [
        {"id": 1, "response": "So 9.\n#### $1,200", "gold": "1200", "dataset": "gsm8k"},
        {"id": 2, "answer": "\\frac12", "gold": 0.5, "dataset": "math"},
        {"id": 3, "response": "(B) it floats", "gold": "B", "dataset": "choice"},
        {"id": 4, "answer": "5 or 6", "gold": 5, "dataset": "gsm8k"},
        {"id": 5, "response": "#### 5", "finish_reason": "length", "gold": 5, "dataset": "gsm8k"},
        {"id": 6, "answer": "", "gold": "oslo", "dataset": "exact"},
    ]
    graded = list(grade_rows(rows))
    assert [row["id"] for row in graded] == [1, 2, 3, 4, 5, 6]
    assert [row["correct"] for row in graded] == [True, True, True, False, False, False]
    assert [row["rule"] for row in graded] == ["hashes", "given", "label", "given", "hashes", "given"]
    assert [row["status"] for row in graded] == ["ok", "ok", "ok", "ambiguous", "length", "empty"]
    assert [row["how"] for row in graded] == ["numeric", "numeric", "label", "different", "different", "different"]
    assert graded[0] == {
        **rows[0],
        "answer": "1200",
        "rule": "hashes",
        "status": "ok",
        "correct": True,
        "how": "numeric",
    }


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"response": "5", "gold": "5"}, "Line 2: dataset is None"),
        ({"response": "5", "gold": "5", "dataset": "trivia"}, "Line 2: dataset is 'trivia'"),
        ({"response": "5", "dataset": "gsm8k"}, "Line 2: no text in the field gold"),
        ({"gold": "5", "dataset": "gsm8k"}, "Line 2: no text in the field response or answer"),
        ({"response": None, "gold": "5", "dataset": "gsm8k"}, "Line 2: no text in the field response"),
        ({"response": "5", "gold": "many", "dataset": "gsm8k"}, "Line 2: The gold answer 'many'"),
        (["5"], "Line 2: not a JSON object"),
    ],
)
def test_a_bad_row_is_named_by_its_line(row: Any, complaint: str) -> None:
    """The message says which line, what was found, and what belongs there."""
    good = {"response": "5", "gold": "5", "dataset": "gsm8k"}
    with pytest.raises(RowError, match=complaint):
        list(grade_rows([good, row]))


def test_a_second_opinion_is_asked_once_for_each_open_pair() -> None:
    """Equal pairs are asked once, settled ones never, and an accept is tagged."""
    asked: list[MathPair] = []

    def accept_all(pairs: Sequence[MathPair]) -> list[MathVerdict]:
        asked.extend(pairs)
        return [MathVerdict(accepted=True, how="math_verify") for _ in pairs]

    rows = [{"answer": answer, "gold": "x^2+2x+1", "dataset": "math"} for answer in ["(x+1)^2", "(x+1)^2", "x^2+2x+1"]]
    graded = list(grade_rows(rows, second_opinion=accept_all))
    assert asked == [MathPair(gold="x^2+2x+1", answer="(x+1)^2")]
    assert [row["how"] for row in graded] == ["math_verify", "math_verify", "normal_form"]


def test_policies_reach_the_rows() -> None:
    """A percentage as a fraction of one."""
    row = {"answer": "60%", "gold": "0.6", "dataset": "gsm8k"}
    assert next(grade_rows([row], policy=GradingPolicy(percent="fraction")))["correct"]
    assert not next(grade_rows([row]))["correct"]


def test_ten_thousand_short_replies_take_less_than_a_second() -> None:
    """A hundred thousand replies on one core stay under ten seconds of processor time."""
    rows = [
        {"response": f"{n} + 3 is it.\n#### ${n + 3:,}.00", "gold": n + 3, "dataset": "gsm8k"} for n in range(10_000)
    ]
    started = time.process_time()
    assert all(row["correct"] for row in grade_rows(rows))
    assert time.process_time() - started < 1.0
