"""Fixtures for the operators: a builder of problems, a small pool, and the real items."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from glass_pipeline.domain.records import Distractor, Problem

MakeProblem = Callable[..., Problem]

POOL = (
    "Oscar has 14 red kites.",
    "Ingrid baked 45 rolls on Monday.",
    "Hector rides a bus for 17 minutes every morning.",
    "Wanda bought 26 stamps for $19.",
    "Percy weighs 83 pounds.",
    "Gladys planted 31 tulips in her yard.",
    "Rupert paid $67 for a lamp.",
    "Velma ran 11 miles on Sunday.",
    "Wilbur owns 52 marbles.",
    "Agnes read 97 pages of a novel.",
    "Boris drank 13 liters of water.",
    "Edith knits 22 hats a year.",
)


@pytest.fixture(scope="session")
def make_problem() -> MakeProblem:
    """Builder of a base problem from its text and what a test cares about."""

    def build(
        text: str,
        *,
        gold: str = "1234567",
        base_id: str = "toy-1",
        answer_type: str = "numeric",
        gold_solution: str | None = None,
    ) -> Problem:
        return Problem(
            base_id=base_id,
            text=text,
            gold=gold,
            answer_type=answer_type,  # type: ignore[arg-type]
            gold_solution=gold_solution,
            declared_complexity=2.0,
            complexity_score=0.3,
            revision="0",
            licence="MIT",
        )

    return build


@pytest.fixture(scope="session")
def pool() -> list[Distractor]:
    """Twelve foreign sentences about twelve persons."""
    return [Distractor(source_id=f"other-{i}", position=0, text=text) for i, text in enumerate(POOL)]


def _read(path: Path) -> list[dict[str, str]]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.decode().split("\n") if line]


@pytest.fixture(scope="session")
def gsm8k_test(shared: Path, make_problem: MakeProblem) -> list[Problem]:
    """The 1,319 items of the GSM8K test split."""
    rows = _read(shared / "data" / "gsm8k" / "test.jsonl")
    return [_gsm8k(row, f"test:{i}", make_problem) for i, row in enumerate(rows)]


@pytest.fixture(scope="session")
def gsm8k_train(shared: Path, make_problem: MakeProblem) -> list[Problem]:
    """The 7,473 items of the GSM8K train split."""
    rows = _read(shared / "data" / "gsm8k" / "train.jsonl.gz")
    return [_gsm8k(row, f"train:{i}", make_problem) for i, row in enumerate(rows)]


@pytest.fixture(scope="session")
def math_test(shared: Path, make_problem: MakeProblem) -> list[Problem]:
    """The 5,000 items of the MATH test split."""
    rows = _read(shared / "data" / "math_test" / "math_test.jsonl.gz")
    return [
        make_problem(row["problem"], gold=row["answer"], base_id=f"math:{i}", answer_type="math")
        for i, row in enumerate(rows)
    ]


def _gsm8k(row: dict[str, str], base_id: str, make_problem: MakeProblem) -> Problem:
    return make_problem(row["question"], gold=row["final"], base_id=base_id, gold_solution=row["answer"])
