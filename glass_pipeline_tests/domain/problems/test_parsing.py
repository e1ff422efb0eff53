from __future__ import annotations

from dataclasses import asdict

import pytest

from glass_pipeline.domain.problems import SourceError, parse_problems
from glass_pipeline.domain.schemas import BASE_PROBLEMS

ROW = {"id": "a1", "question": "What is 1 + 1?", "answer": 2}


def test_an_unknown_source_is_refused() -> None:
    """The error lists the sources there are."""
    with pytest.raises(SourceError, match="No reader for source 'aime'; there are gsm8k, math, svamp, jsonl"):
        parse_problems("aime", [ROW], split="test", revision="r")


def test_an_empty_source_is_refused() -> None:
    """No rows is an error, not an empty suite."""
    with pytest.raises(SourceError, match="jsonl/test has no rows"):
        parse_problems("jsonl", [], split="test", revision="r")


def test_a_repeated_id_is_refused() -> None:
    """Two rows with one id would be one job: both are named."""
    with pytest.raises(SourceError, match="rows 1 and 3 share the id 'a1'"):
        parse_problems("jsonl", [ROW, {**ROW, "id": "a2"}, {**ROW, "id": "a1 "}], split="test", revision="r")


def test_a_declared_complexity_that_is_missing_names_its_row() -> None:
    """The suite's declaration is checked row by row."""
    with pytest.raises(SourceError, match=r'row 2: the suite declares complexity = "level"'):
        parse_problems("jsonl", [{**ROW, "level": 1}, {**ROW, "id": "a2"}], split="t", revision="r", complexity="level")


def test_problems_fill_the_table() -> None:
    """The records are rows of the table base_problems."""
    frame = BASE_PROBLEMS.frame(asdict(problem) for problem in parse_problems("jsonl", [ROW], split="t", revision="r"))

    assert frame.height == 1
