from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.domain.problems import SourceError, parse_problems

ROW = {
    "question": "Ana has 3 boxes of 400 pins. She sells 200. How many pins are left?",
    "answer": "She has 3*400 = <<3*400=1200>>1200 pins.\n\nThen 1200-200=<<1200-200=1000>>1000 are left.\n#### 1,000",
}


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read a file of rows as json itself would."""
    stored = path.read_bytes()
    text = gzip.decompress(stored) if path.suffix == ".gz" else stored
    return [json.loads(line) for line in text.splitlines()]


def test_a_row_becomes_a_problem() -> None:
    """Text is kept as published, gold loses its comma, steps are the non-empty lines before the mark."""
    (problem,) = parse_problems("gsm8k", [ROW], split="test", revision="abc")

    assert (problem.base_id, problem.text, problem.gold) == ("gsm8k-test-0", ROW["question"], "1000")
    assert (problem.gold_steps, problem.declared_complexity, problem.category) == (2, 2.0, "math")
    assert (problem.answer_type, problem.revision, problem.licence) == ("numeric", "abc", "MIT")
    assert problem.gold_solution == ROW["answer"]


def test_idx_is_the_row_of_the_official_file() -> None:
    """A file that holds part of the rows keeps the ids of the whole."""
    problems = parse_problems(
        "gsm8k", [{**ROW, "idx": 7, "final": "1000"}, {**ROW, "idx": 41}], split="train", revision="r"
    )

    assert [problem.base_id for problem in problems] == ["gsm8k-train-7", "gsm8k-train-41"]


def test_an_answer_without_its_mark_is_refused() -> None:
    """A row whose answer has no #### is named by number."""
    with pytest.raises(SourceError, match=r"row 2: 'answer' has no '#### n'"):
        parse_problems("gsm8k", [ROW, {**ROW, "answer": "1000"}], split="test", revision="r")


def test_the_real_test_split(shared: Path) -> None:
    """All 1,319 rows are read; golds are the file's own; steps are distributed as in methods §1.8."""
    rows = read_rows(shared / "data/gsm8k/test.jsonl")
    problems = parse_problems("gsm8k", rows, split="test", revision="r")
    steps = [problem.gold_steps or 0 for problem in problems]

    assert len(problems) == 1319
    assert [problem.gold for problem in problems] == [row["final"] for row in rows]
    assert Counter(steps) == {2: 326, 3: 371, 4: 297, 5: 175, 6: 87, 7: 40, 8: 20, 9: 2, 11: 1}
    assert sum(steps) / len(steps) == pytest.approx(3.65, abs=0.005)


def test_the_real_train_split(shared: Path) -> None:
    """All 7,473 rows are read, and golds are the file's own."""
    rows = read_rows(shared / "data/gsm8k/train.jsonl.gz")
    problems = parse_problems("gsm8k", rows, split="train", revision="r")

    assert len(problems) == 7473
    assert [problem.gold for problem in problems] == [row["final"] for row in rows]
    assert problems[-1].base_id == "gsm8k-train-7472"
