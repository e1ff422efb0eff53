"""The second opinion in processes that can be killed."""

from __future__ import annotations

import importlib.util
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.domain.grading.rows import grade_rows
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict
from glass_pipeline.llm.math_pool import MathPool, MathVerifyMissing

needs_extra = pytest.mark.skipif(
    importlib.util.find_spec("math_verify") is None, reason="the extra [math] is not installed"
)
ACCEPTED = MathVerdict(accepted=True, how="math_verify")
DIFFERENT = MathVerdict(accepted=False, how="different")
TIMEOUT = MathVerdict(accepted=False, how="timeout")


@pytest.fixture(scope="module")
def pool() -> Iterator[MathPool]:
    """Two workers for all tests."""
    with MathPool(workers=2) as pool:
        yield pool


@needs_extra
def test_each_accept_is_tagged_and_order_is_kept(pool: MathPool) -> None:
    """Expanded and factored form are the same, different polynomials are not, and equal pairs get equal verdicts."""
    same = MathPair(gold="x^2+2x+1", answer="(x+1)^2")
    other = MathPair(gold="x^2+2x+1", answer="(x-1)^2")
    assert pool([same, other, same]) == [ACCEPTED, DIFFERENT, ACCEPTED]
    assert pool([]) == []


@needs_extra
def test_constants_are_compared_beyond_six_decimals(pool: MathPool) -> None:
    """A rounded root is not the root."""
    assert pool([MathPair(gold="\\sqrt{2}", answer="1.4142136")]) == [DIFFERENT]
    assert pool([MathPair(gold="2\\sqrt{2}", answer="\\sqrt{8}")]) == [ACCEPTED]


@needs_extra
def test_text_that_is_no_mathematics_is_different(pool: MathPool) -> None:
    """Code and broken LaTeX come back as different, not as an error or an effect."""
    pairs = [MathPair(gold="5", answer=text) for text in ("__import__('os').getpid()", "\\frac{", "", "$5$ and $6$ \n")]
    assert pool(pairs) == [DIFFERENT] * 4


@needs_extra
def test_a_hung_worker_is_killed_and_the_batch_goes_on() -> None:
    """Towers of powers and endless sums time out at the deadline; the questions around them are answered."""
    slow = [MathPair(gold="5", answer="9^{9^{9^{9}}}"), MathPair(gold="5", answer="\\sum_{k=1}^{1000000} k^{k}")]
    quick = [MathPair(gold=f"x+{n}", answer=f"{n}+x") for n in range(1, 7)]
    with MathPool(workers=2, deadline_s=1.0) as pool:
        assert pool(quick[:2]) == [ACCEPTED] * 2
        started = time.monotonic()
        verdicts = pool([*quick[:3], *slow, *quick[3:]])
        assert verdicts == [*[ACCEPTED] * 3, TIMEOUT, TIMEOUT, *[ACCEPTED] * 3]
        # Two deadlines and the start of two fresh workers, whichever thread gets them.
        assert time.monotonic() - started < 60


@needs_extra
def test_a_worker_that_dies_is_replaced() -> None:
    """A killed process costs at most its own question."""
    pair = MathPair(gold="x+1", answer="1+x")
    with MathPool(workers=1) as pool:
        assert pool([pair]) == [ACCEPTED]
        (worker,) = pool._workers
        assert worker._process is not None
        worker._process.kill()
        worker._process.wait()
        assert pool([pair]) == [ACCEPTED]


@needs_extra
def test_closing_leaves_no_process() -> None:
    """After close every worker has ended."""
    pool = MathPool(workers=1)
    pool([MathPair(gold="x", answer="x+0")])
    process = pool._workers[0]._process
    assert process is not None
    pool.close()
    assert process.poll() is not None


def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the package and the way on without it."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MathVerifyMissing, match=r"glass-pipeline\[math\].*without"):
        MathPool()


@needs_extra
def test_own_grader_and_second_opinion_agree_with_every_case(shared: Path, pool: MathPool) -> None:
    """All 161 collected cases, policy cases as the default policy states; the accepts of the pool are these five."""
    lines = (shared / "cases" / "answer_cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases: list[dict[str, Any]] = [json.loads(line) for line in lines]
    rows = [
        {
            "response" if case["kind"] == "response" else "answer": case["prediction"],
            "gold": case["gold"],
            "dataset": case["dataset"],
        }
        for case in cases
    ]
    graded = list(grade_rows(rows, second_opinion=pool))
    wrong = [case["id"] for case, row in zip(cases, graded, strict=True) if case["expected_equal"] != row["correct"]]
    assert wrong == []
    tagged = [case["id"] for case, row in zip(cases, graded, strict=True) if row["how"] == "math_verify"]
    assert tagged == ["ans-182", "ans-193", "ans-194", "ans-217", "ans-224"]
