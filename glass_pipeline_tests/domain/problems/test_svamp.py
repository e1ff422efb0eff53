from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from glass_pipeline.domain.problems import SourceError, parse_problems
from glass_pipeline.domain.problems.svamp import count_operators, join_question

ROW = {
    "id": "chal-9",
    "body": "Ana has 3 bags with 20 pins each. She loses 9 pins",
    "question": "How many pins are left?",
    "equation": "( ( 3.0 * 20.0 ) - 9.0 )",
    "answer": 51.0,
    "type": "Subtraction",
}


def test_a_row_becomes_a_problem() -> None:
    """Body and question are joined, the float answer is written as a whole number, operators are steps."""
    (problem,) = parse_problems("svamp", [ROW], split="all", revision="r")

    assert problem.base_id == "svamp-chal-9"
    assert problem.text == "Ana has 3 bags with 20 pins each. She loses 9 pins. How many pins are left?"
    assert (problem.gold, problem.gold_steps, problem.category) == ("51", 2, "Subtraction")


def test_the_hub_shape_is_the_same_problem() -> None:
    """Capitalised columns and an answer in quotation marks give the same problem."""
    hub = {"ID": ROW["id"], "Body": ROW["body"], "Question": ROW["question"], "Equation": ROW["equation"]}
    hub |= {"Answer": "51.0", "Type": ROW["type"], "question_concat": "ignored"}

    assert parse_problems("svamp", [hub], split="all", revision="r") == parse_problems(
        "svamp", [ROW], split="all", revision="r"
    )


@pytest.mark.parametrize(
    ("body", "question", "text"),
    [
        ("Ana has 3 pens.", "How many?", "Ana has 3 pens. How many?"),
        ("Ana has 3 pens", "How many?", "Ana has 3 pens. How many?"),
        ("If a pen costs $ 2", "How much are 3?", "If a pen costs $ 2, how much are 3?"),
        (
            "Pens are red. If each costs 2.5 dollars",
            "What do 3 cost?",
            "Pens are red. If each costs 2.5 dollars, what do 3 cost?",
        ),
        ("If Ana buys one,", "Ana pays what?", "If Ana buys one, Ana pays what?"),
        ("Ana asks if it is 3", "How many?", "Ana asks if it is 3. How many?"),
    ],
    ids=["closed", "open", "open-if", "last-sentence-if", "own-comma-and-name", "if-inside"],
)
def test_join_question(body: str, question: str, text: str) -> None:
    """An open conditional takes a comma, any other open sentence a period."""
    assert join_question(body, question) == text


@pytest.mark.parametrize(
    ("equation", "count"), [("8.0", 0), ("( 8.0 - 3.0 )", 1), ("(8-3)*2", 2), ("( -3.0 + 4.0 )", 1), ("", 0)]
)
def test_count_operators(equation: str, count: int) -> None:
    """Binary operators count, a sign does not."""
    assert count_operators(equation) == count


def test_a_row_without_equation_is_refused() -> None:
    """A missing column is named with the row."""
    with pytest.raises(SourceError, match=r"row 1: no 'equation' among its fields"):
        parse_problems("svamp", [{key: ROW[key] for key in ROW if key != "equation"}], split="all", revision="r")


def test_the_real_file(shared: Path) -> None:
    """All 1,000 rows are read; every text is whole sentences; one equation in the file has no operator."""
    with gzip.open(shared / "data/svamp/svamp.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    problems = parse_problems("svamp", rows, split="all", revision="r")

    assert len(problems) == 1000
    assert [float(problem.gold) for problem in problems] == [row["answer"] for row in rows]
    assert not any("." in problem.gold for problem in problems)
    assert Counter(problem.gold_steps for problem in problems) == {1: 762, 2: 237, 0: 1}
    assert all(
        problem.text.removesuffix(row["question"])[-2:] in {". ", ", "}
        or problem.text.lower().removesuffix(row["question"].lower()).endswith(", ")
        for problem, row in zip(problems, rows, strict=True)
    )
