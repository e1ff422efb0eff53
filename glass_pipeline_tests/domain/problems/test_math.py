from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from glass_pipeline.domain.problems import SourceError, parse_problems
from glass_pipeline.domain.problems.math import last_boxed

ROW = {
    "problem": "What is $1 + \\frac{1}{2}$?",
    "solution": "Not $\\boxed{1}$ but $\\boxed{\\frac{3}{2}}$.",
    "level": "Level 3",
    "subject": "Prealgebra",
}


def test_a_row_becomes_a_problem() -> None:
    """Without an answer column the last box is the gold; level 3 is the middle of the scale."""
    (problem,) = parse_problems("math", [ROW], split="test", revision="r")

    assert (problem.base_id, problem.gold, problem.answer_type) == ("math-test-0", "\\frac{3}{2}", "math")
    assert (problem.category, problem.level, problem.gold_steps) == ("Prealgebra", 3, None)
    assert (problem.declared_complexity, problem.complexity_score) == (3.0, pytest.approx(0.5))


def test_the_hub_calls_the_subject_type() -> None:
    """The mirror's column `type` is the category."""
    row = {key: value for key, value in ROW.items() if key != "subject"} | {"type": "Algebra"}
    (problem,) = parse_problems("math", [row], split="test", revision="r")

    assert problem.category == "Algebra"


def test_an_unknown_level_needs_another_complexity() -> None:
    """A row of "Level ?" has no declared level: an error by default, readable by the heuristic."""
    row = {**ROW, "level": "Level ?"}
    with pytest.raises(SourceError, match=r'row 1: the suite declares complexity = "level" but the item has no level'):
        parse_problems("math", [row], split="train", revision="r")
    (problem,) = parse_problems("math", [row], split="train", revision="r", complexity="heuristic")

    assert problem.level is None


@pytest.mark.parametrize(
    ("solution", "content"),
    [
        ("$\\boxed{2}$", "2"),
        ("$\\boxed{1}$, so $\\boxed{\\{1, 2\\}}$", "\\{1, 2\\}"),
        ("$\\boxed{\\left\\{x\\right.}$", "\\left\\{x\\right."),
        ("$\\boxed{5}$ and a torn \\boxed{6", "5"),
        ("$\\fbox{7}$", "7"),
        ("$\\boxed 8$ holds", "8"),
        ("$\\boxed{}$", None),
        ("no box", None),
        ("\\boxedfoo{3}", None),
        ("\\boxed{" * 100_000, None),
    ],
    ids=[
        "plain",
        "escaped-braces",
        "unmatched-left",
        "torn-last",
        "fbox",
        "no-braces",
        "empty",
        "none",
        "other",
        "deep",
    ],
)
def test_last_boxed(solution: str, content: str | None) -> None:
    """The last balanced box counts, escaped braces do not."""
    assert last_boxed(solution) == content


def test_no_answer_at_all_is_refused() -> None:
    """Neither answer nor box is an error that names the row."""
    with pytest.raises(SourceError, match=r"row 1: neither an 'answer' nor a balanced"):
        parse_problems("math", [{**ROW, "solution": "It is clear."}], split="test", revision="r")


def test_the_real_test_split(shared: Path) -> None:
    """All 5,000 rows are read; the last box agrees with the file's answers, level counts with the benchmark's."""
    with gzip.open(shared / "data/math_test/math_test.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    problems = parse_problems("math", rows, split="test", revision="r")
    boxes = [last_boxed(row["solution"]) for row in rows]

    assert len(problems) == 5000
    assert [problem.gold for problem in problems] == [row["answer"].strip() for row in rows]
    assert sum(box == row["answer"].strip() for box, row in zip(boxes, rows, strict=True)) == 5000
    assert [sum(problem.level == level for problem in problems) for level in range(1, 6)] == [
        437,
        894,
        1131,
        1214,
        1324,
    ]


def test_math500(shared: Path) -> None:
    """MATH-500, in the same columns, is read too."""
    lines = (shared / "data/math500/math500.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    problems = parse_problems("math", rows, split="test", revision="r")

    assert len(problems) == 500
    assert [problem.gold for problem in problems] == [row["answer"].strip() for row in rows]
