"""Tests of the choice of the most surprising breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.surprise import most_surprising

SHORT = "Mia has 3 pens."


def chosen(given: ReportInput, wanted: int = 3) -> list[str]:
    """Twins chosen, most surprising first."""
    return [surprise.pair["twin_id"] for surprise in most_surprising(arrange(given), wanted)]


def test_a_sure_wrong_answer_comes_before_a_wavering_one(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """0 of 5 right on the twin surprises more than 2 of 5."""
    pairs = [
        rows.pair("item-1", "wavering", twin_samples_correct=2),
        rows.pair("item-2", "sure", twin_samples_correct=0),
    ]
    given = make_input(
        base_problems=[rows.problem("item-1"), rows.problem("item-2")],
        labeled_pairs=pairs,
        causal_difficulty=[rows.job("item-1"), rows.job("item-2")],
    )

    assert chosen(given) == ["sure", "wavering"]


def test_the_smaller_change_wins_among_equals(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """One renamed word is more surprising than six added ones."""
    pairs = [
        rows.pair("item-1", "long", base_text=SHORT, twin_text=f"{SHORT} A bus stops at noon today."),
        rows.pair("item-2", "short", base_text=SHORT, twin_text="Nora has 3 pens."),
    ]
    given = make_input(
        base_problems=[rows.problem("item-1"), rows.problem("item-2")],
        labeled_pairs=pairs,
        causal_difficulty=[rows.job("item-1"), rows.job("item-2")],
    )

    assert chosen(given) == ["short", "long"]


def test_an_item_is_shown_once_and_kept_twins_never(toy: ReportInput) -> None:
    """item-1 broke in two dose files by one text; its kept twin and unsolved item-2 are no breaks."""
    assert chosen(toy) == ["item-1-a"]


def test_no_more_than_wanted(toy: ReportInput) -> None:
    """Nothing is wanted, nothing is returned."""
    assert chosen(toy, wanted=0) == []


def test_another_family_goes_before_a_second_of_the_same(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Of equally sure breaks, the reordered one is shown before the second renamed one."""
    pairs = [
        rows.pair("item-1", "renamed-1", base_text=SHORT, twin_text="Nora has 3 pens."),
        rows.pair("item-2", "renamed-2", base_text=SHORT, twin_text="Ida has 3 pens."),
        rows.pair("item-3", "reordered", family="sentence_reorder", base_text="A b. C d.", twin_text="C d. A b."),
    ]
    given = make_input(
        base_problems=[rows.problem(f"item-{n}") for n in (1, 2, 3)],
        labeled_pairs=pairs,
        causal_difficulty=[rows.job(f"item-{n}") for n in (1, 2, 3)],
    )

    assert chosen(given, wanted=2) == ["renamed-1", "reordered"]
