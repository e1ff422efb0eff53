"""The own grader against the collected cases, and every disagreement of math-verify with it."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.domain.grading.rows import grade_rows

NEEDS_ALGEBRA = {"ans-182", "ans-193", "ans-194", "ans-217", "ans-224"}
"""Cases that no normal form decides; the second opinion does (see llm/test_math_pool.py)."""

GOLDEN = Path(__file__).with_name("math_verify_disagreements.json")


PATIENCE_S = 3
"""Long enough for whatever ends at all, also on a busy machine."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector off: math-verify's alarm, raised inside one of its callbacks, would be lost."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def as_row(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return a case as a row to grade."""
    field = "response" if case["kind"] == "response" else "answer"
    return {field: case["prediction"], "gold": case["gold"], "dataset": case["dataset"], "id": case["id"]}


@pytest.fixture(scope="module")
def cases(shared: Path) -> list[dict[str, Any]]:
    """Every collected case."""
    lines = (shared / "cases" / "answer_cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("is_policy", [False, True], ids=["settled", "policy"])
def test_the_own_grader_agrees_with_every_case(cases: list[dict[str, Any]], is_policy: bool) -> None:
    """All settled cases, and all policy cases as the default policy states, but for five that need algebra."""
    chosen = [case for case in cases if case["policy"] == is_policy]
    graded = {row["id"]: row["correct"] for row in grade_rows(map(as_row, chosen))}
    wrong = {case["id"] for case in chosen if graded[case["id"]] != case["expected_equal"]}
    assert wrong == NEEDS_ALGEBRA & set(graded)


def test_the_own_grader_accepts_nothing_false(cases: list[dict[str, Any]]) -> None:
    """The five cases are rejects: no case is accepted that should not be."""
    expected = {case["id"]: case["expected_equal"] for case in cases}
    assert not [row["id"] for row in grade_rows(map(as_row, cases)) if row["correct"] and not expected[row["id"]]]


def test_every_disagreement_with_math_verify_is_listed(cases: list[dict[str, Any]]) -> None:
    """math-verify alone, on whole replies, accepts and rejects exactly the listed cases against the own grader."""
    math_verify = pytest.importorskip("math_verify", reason="the extra [math] is not installed")

    def verdict(case: Mapping[str, Any]) -> bool:
        wrapped = f"${case['prediction']}$" if case["kind"] == "answer" else case["prediction"]
        gold = math_verify.parse(f"${case['gold']}$", parsing_timeout=PATIENCE_S)
        answer = math_verify.parse(wrapped, parsing_timeout=PATIENCE_S)
        return bool(math_verify.verify(gold, answer, timeout_seconds=PATIENCE_S))

    own = {row["id"]: row["correct"] for row in grade_rows(map(as_row, cases))}
    with uncollected():
        theirs = {case["id"]: verdict(case) for case in cases}
    found = {
        "only_math_verify_accepts": sorted(name for name in own if theirs[name] and not own[name]),
        "only_own_accepts": sorted(name for name in own if own[name] and not theirs[name]),
    }
    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))
