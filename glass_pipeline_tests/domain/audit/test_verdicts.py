"""Verdicts read from JSON: plain ones only."""

from __future__ import annotations

from typing import Any

import pytest

from glass_pipeline.domain.audit.verdicts import Opinion, read_opinion


@pytest.mark.parametrize(
    ("stated", "finding"),
    [
        ("no_op", "no_op"),
        ("No-Op", "no_op"),
        (" NO OP ", "no_op"),
        ("contradiction", "contradiction"),
        ("CONTRADICTION", "contradiction"),
    ],
)
def test_spellings(stated: str, finding: str) -> None:
    """Case, spaces, hyphens and underscores say nothing."""
    opinion = read_opinion({"verdict": stated, "rationale": "  so \n it is "})

    assert opinion is not None
    assert (opinion.finding, opinion.rationale) == (finding, "so it is")


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"verdict": None},
        {"verdict": True},
        {"verdict": 1.0},
        {"verdict": ["no_op"]},
        {"verdict": "pass"},
        {"verdict": "no_op or contradiction"},
        {"verdict": "unparsable"},
        {"verdict": "no_op" * 1_000},
        {"Verdict": "no_op"},
    ],
)
def test_anything_else_is_no_verdict(answer: dict[str, Any]) -> None:
    """A score, a boolean, both words or an unknown one never becomes a verdict."""
    assert read_opinion(answer) is None


def test_a_rationale_is_optional_and_bounded() -> None:
    """A verdict stands without reasons; endless ones are cut; reasons make no two verdicts differ."""
    bare, endless = read_opinion({"verdict": "no_op"}), read_opinion({"verdict": "no_op", "rationale": "x" * 9_000})

    assert bare == endless == Opinion(finding="no_op", rationale="other")
    assert endless is not None
    assert len(endless.rationale) == 2_000
