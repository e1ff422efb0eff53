from __future__ import annotations

from typing import Any

import pytest

from glass_pipeline.domain.problems import SourceError, parse_problems

ROW = {"id": "a1", "question": "Ana has 3 pens and 4 pins. How many things is that?", "answer": "7"}


def parse(rows: list[dict[str, Any]], **options: Any) -> Any:
    """Parse a user's rows."""
    return parse_problems("jsonl", rows, split="test", revision="r", **options)


def test_three_fields_are_enough() -> None:
    """Id, question and answer make a problem; its complexity is then the heuristic's."""
    (problem,) = parse([ROW])

    assert (problem.base_id, problem.gold, problem.category) == ("a1", "7", "math")
    assert (problem.level, problem.gold_steps, problem.gold_solution) == (None, None, None)
    # two numbers, no keyword, two sentences
    assert problem.declared_complexity == pytest.approx(0.05 + 0.9 * (0.45 * 0.2 + 0.25 * 0.25))


def test_optional_fields_are_kept() -> None:
    """Category, level, steps and solution are taken over; numbers may be ids and answers."""
    (problem,) = parse(
        [{**ROW, "id": 12, "answer": 7, "category": "sums", "level": "2", "steps": 4, "solution": "3+4=7"}]
    )

    assert (problem.base_id, problem.gold, problem.category, problem.level) == ("12", "7", "sums", 2)
    assert (problem.gold_steps, problem.gold_solution, problem.declared_complexity) == (4, "3+4=7", 4.0)


def test_steps_are_counted_in_the_solution() -> None:
    """Without steps, the lines of the solution before the mark are the steps."""
    (problem,) = parse([{**ROW, "solution": "3+4=7\n7*1=7\n#### 7"}])

    assert problem.gold_steps == 2


def test_complexity_is_the_best_that_all_rows_have() -> None:
    """One row without steps makes the level count for all; one without level, the heuristic."""
    levels = parse([{**ROW, "level": 3, "steps": 9}, {**ROW, "id": "a2", "level": 5}])
    heuristic = parse([{**ROW, "level": 3}, {**ROW, "id": "a2"}])

    assert [problem.declared_complexity for problem in levels] == [3.0, 5.0]
    assert {problem.declared_complexity < 1 for problem in heuristic} == {True}


def test_answer_type_comes_from_the_suite() -> None:
    """The same column may hold a letter."""
    (problem,) = parse([{**ROW, "answer": "b"}], answer_type="choice")

    assert (problem.gold, problem.answer_type) == ("B", "choice")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": None}, r"row 2: no 'id' among its fields"),
        ({"id": "  "}, r"row 2: 'id' is blank"),
        ({"id": True}, r"row 2: 'id' is True, not a string"),
        ({"question": None}, r"row 2: no 'question' among its fields"),
        ({"question": 12}, r"row 2: 'question' is 12, not a string"),
        ({"question": ["x"] * 99}, r"row 2: 'question' is \['x', .*\.\.\., not a string"),
        ({"question": "\n"}, r"row 2: 'question' is blank"),
        ({"question": "\ud800?"}, r"row 2: 'question' holds half of a surrogate pair"),
        ({"answer": None}, r"row 2: no 'answer' among its fields"),
        ({"answer": " "}, r"row 2: no 'answer' among its fields"),
        ({"answer": "seven"}, r"row 2: the answer 'seven' is not a number"),
        ({"level": "hard"}, r"row 2: 'level' is 'hard'; write a whole number"),
        ({"steps": 2.5}, r"row 2: 'steps' is '2.5'; write a whole number"),
        ({"steps": -1}, r"row 2: 'steps' is '-1'; write a whole number"),
    ],
    ids=str,
)
def test_a_bad_row_is_named(change: dict[str, Any], message: str) -> None:
    """Each refusal names the row, what was found and what to do."""
    with pytest.raises(SourceError, match=message):
        parse([ROW, {**ROW, "id": "a2", **change}])
