"""What went wrong in other people's graders, case by case: extraction and equality of answers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.domain.grading import canonical_gold, extract, grade_rows
from glass_pipeline.llm.math_pool import MathPool

SINGLE = [
    ("fc-002", "So \\boxed{8,000}", "8000", "gsm8k", True),
    ("fc-002", "So \\boxed{$9{,}500}", "9500", "gsm8k", True),
    ("fc-002", "So \\boxed{8,000}", "0", "gsm8k", False),
    ("fc-003", "1 + 2 = 3\n#### 3\n\nQuestion: Ann has 7 pens. How many?\n#### 7", "3", "gsm8k", True),
    ("fc-005", "<think>3*8=24, +48=72</think> The answer is 72.", "72", "gsm8k", True),
    ("fc-006", "First attempt \\boxed{5}. Wrong; it is \\boxed{7}.", "7", "gsm8k", True),
    ("fc-006", "First attempt \\boxed{5}. Wrong; it is \\boxed{7}.", "7", "math", True),
    ("fc-007", "It is \\boxed{\\frac{1}{2}}.", "\\frac{1}{2}", "math", True),
    ("fc-009", "The total cost of it all is $29.00.", "29", "gsm8k", True),
    ("fc-010", "So 20% of 100 is 20%", "20", "gsm8k", True),
    ("fc-010", "The answer is 60%.", "60", "gsm8k", True),
    ("fc-012", "28 + 32 = 60\nThis solves the problem.", "60", "gsm8k", True),
    ("fc-013", "The answer is 25.", "5", "gsm8k", False),
    ("fc-013", "The answer is 50.", "5", "gsm8k", False),
    ("fc-016", "Step 1. Answer: 5\nBut there are four more.\nAnswer: 9", "9", "gsm8k", True),
    ("fc-017", "The answer is 3.14", "3.14", "gsm8k", True),
    ("fc-020", "It is \\boxed{(2,4)}.", "(2,4)", "math", True),
]
"""Case, response, gold, data set, whether it is right."""


@pytest.mark.parametrize(("case", "response", "gold", "dataset", "right"), SINGLE)
def test_a_response_is_read_and_compared_as_the_field_learned(
    case: str, response: str, gold: str, dataset: str, right: bool
) -> None:
    """fc-002 to fc-020: the span that states the answer is found, and whole values are compared."""
    (row,) = grade_rows([{"response": response, "gold": gold, "dataset": dataset}])
    assert row["correct"] is right, case


def test_a_box_that_was_cut_off_is_no_answer() -> None:
    """fc-008: the opening of a box is not the answer 1, and casts no vote."""
    found = extract("Adding up, it comes to \\boxed{1", answer_type="math")
    assert found.answer is None


def test_two_things_counted_at_once_are_ambiguous() -> None:
    """fc-015: neither 3 nor 5 is credited."""
    for gold in ("3", "5"):
        (row,) = grade_rows([{"response": "The answer is 5 apples and 3 oranges.", "gold": gold, "dataset": "gsm8k"}])
        assert row["correct"] is not True
        assert row["answer"] is None


@pytest.mark.parametrize(("gold", "same"), [("65,960", "65960"), ("2,317", "2317.0"), ("-10", "-10"), ("0", "0")])
def test_golds_are_read_like_answers(gold: str, same: str) -> None:
    """fc-018, fc-019: commas go, the sign stays, and zero is an answer like any other."""
    assert canonical_gold(gold, answer_type="numeric") == same.removesuffix(".0")
    (row,) = grade_rows([{"response": f"The answer is {same}.", "gold": gold, "dataset": "gsm8k"}])
    assert row["correct"] is True


def test_golds_with_commas_signs_and_zeros_of_real_data(shared: Path) -> None:
    """fc-018, fc-019: the named items of GSM8K grade equal to their own reference solutions."""
    for split, items in {"test": (610, 489, 1113), "train": (2337, 626)}.items():
        rows = real_rows(shared, split)
        for item in items:
            gold = rows[item]["answer"].rpartition("####")[2].strip()
            (row,) = grade_rows([{"response": rows[item]["answer"], "gold": gold, "dataset": "gsm8k"}])
            assert row["correct"] is True, (split, item, gold)


def real_rows(shared: Path, split: str) -> list[dict[str, Any]]:
    """The rows of a split of GSM8K."""
    path = next((shared / "data" / "gsm8k").glob(f"{split}.jsonl*"))
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in content.splitlines()]


def test_nothing_is_not_equal_to_nothing() -> None:
    """fc-021: two answers that normalise to nothing do not match."""
    (row,) = grade_rows([{"answer": "\\boxed{}", "gold": "\\text{}", "dataset": "math"}])
    assert row["correct"] is not True


def test_the_computer_algebra_is_not_believed_where_it_errs() -> None:
    """fc-022, fc-024: close powers, e against its sum and a root are not equal; a tower of powers ends in time."""
    rows = [
        {"answer": "1/2^{99}", "gold": "1/2^{98}", "dataset": "math"},
        {"answer": "1-1/\\mathrm{e}", "gold": "1+1/\\mathrm{e}", "dataset": "math"},
        {"answer": "4", "gold": "4\\sqrt{2}", "dataset": "math"},
        {"answer": "9^{9^{9^{9}}}", "gold": "1", "dataset": "math"},
        {"answer": "(" * 300 + "1" + ")" * 300, "gold": "2", "dataset": "math"},
        {"answer": "\\frac{2}{4}", "gold": "\\frac{1}{2}", "dataset": "math"},
    ]
    with MathPool() as pool:
        graded = list(grade_rows(rows, second_opinion=pool))
    assert [row["correct"] for row in graded] == [False] * 5 + [True]
