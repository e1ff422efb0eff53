"""The sentence that says why a question was marked wrong."""

from __future__ import annotations

from typing import Any

import pytest

from glass_pipeline.domain.report.break_reason import break_reason


def label(
    answers: list[str | None],
    modal: str | None,
    *,
    correct: int = 0,
    rules: list[str] | None = None,
    statuses: list[str] | None = None,
) -> dict[str, Any]:
    """A label of as many samples as there are answers."""
    n = len(answers)
    given = {"rules": rules or ["hashes"] * n, "statuses": statuses or ["ok"] * n}
    return {"answer": modal, "answers": answers, "correct": correct, "samples": n, **given}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (label(["9"] * 5, "9"), "5 of 5 answered 9, gold is 14; found by hashes"),
        (
            label(["9", "9", "9", "14", "14"], "9", correct=2, rules=["hashes", "last", "hashes", "hashes", "hashes"]),
            "3 of 5 answered 9, gold is 14; found by hashes and last; 2 of 5 right",
        ),
        (
            label(["9", "9", None], "9", statuses=["ok", "ok", "length"]),
            "2 of 3 answered 9, gold is 14; found by hashes; 1 of 3 cut off at the token limit",
        ),
        (
            label([None] * 3, None, statuses=["refusal", "refusal", "unparsed"]),
            "no answer, gold is 14: 2 of 3 refused and 1 of 3 without a readable answer",
        ),
        (label([None], None, statuses=["new-status"]), "no answer, gold is 14: 1 of 1 new-status"),
        (label([], None), "no answer, gold is 14: no sample has one"),
    ],
)
def test_the_reason_says_answer_gold_rule_and_what_was_lost(given: dict[str, Any], sentence: str) -> None:
    """Counts over samples, the rule behind the modal answer, and every status that is no answer."""
    assert break_reason("14", given) == sentence
