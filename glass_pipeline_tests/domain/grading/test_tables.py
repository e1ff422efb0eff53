"""From problems and twins to questions, and from replies to label tables."""

from __future__ import annotations

import polars as pl
import pytest

from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict
from glass_pipeline.domain.grading.tables import (
    TWIN_DRAW,
    base_draw,
    base_labels_frame,
    base_questions,
    outside_stratum,
    to_solve,
    twin_labels_frame,
    twin_questions,
)
from glass_pipeline.domain.records import Reply
from glass_pipeline.domain.schemas import BASE_PROBLEMS

PROBLEMS = BASE_PROBLEMS.frame(
    {
        "base_id": f"p-{index}",
        "text": f"Base {index}?",
        "gold": gold,
        "answer_type": answer_type,
        "category": "math",
        "declared_complexity": 1.0,
        "complexity_score": 0.5,
        "revision": "r",
        "licence": "MIT",
    }
    for index, (gold, answer_type) in enumerate([("18", "numeric"), ("(x+1)^2", "math")])
)
TWINS = pl.DataFrame(
    {
        "base_id": ["p-0", "p-0"],
        "twin_id": ["p-0-a", "p-0-b"],
        "text": ["Twin a?", "Twin b?"],
        "text_hash": ["a", "b"],
        "family": ["entity_rename", "math_irrelevant_context"],
        "inject_size": [None, 3],
    },
    schema_overrides={"inject_size": pl.Int64},
)


def reply(text: str, status: str = "ok", cost: float | None = 0.5) -> Reply:
    """One sample."""
    return Reply(key=text, status=status, text=text, prompt_tokens=10, completion_tokens=2, cost_usd=cost)


def numbers(*values: int | None) -> tuple[Reply, ...]:
    """Samples that end in these numbers; None says nothing that can be read."""
    return tuple(reply("No idea." if value is None else f"So it is\n#### {value}") for value in values)


def test_a_base_is_asked_under_the_draw_of_its_dose_run() -> None:
    """Two dose runs of one base are two draws, so their samples are kept apart."""
    first, _ = base_questions(PROBLEMS, 1, 5)
    third, _ = base_questions(PROBLEMS, 3, 5)

    assert (first.draw, third.draw) == ("base/m1", "base/m3") == (base_draw(1), base_draw(3))
    assert first.text == third.text == "Base 0?"
    assert (first.facts.gold, first.facts.family, first.samples) == ("18", None, 5)


def test_a_twin_is_asked_once_whatever_its_dose() -> None:
    """All doses share one draw; the question carries the base's gold."""
    questions = twin_questions(PROBLEMS, TWINS, 5)

    assert [question.item_id for question in questions] == ["p-0-a", "p-0-b"]
    assert {question.draw for question in questions} == {TWIN_DRAW}
    assert {question.facts.gold for question in questions} == {"18"}
    assert questions[1].facts.inject_size == 3


def test_labels_vote_count_and_sum() -> None:
    """Five samples 18, 20, 18, none, 18: modal 18, right, three correct, costs summed."""
    replies = {("p-0", "base/m9"): numbers(18, 20, 18, None, 18)}
    (row,) = base_labels_frame(PROBLEMS, replies, dose=9, solver="s").iter_rows(named=True)

    assert (row["modal_answer"], row["y_base"], row["n_samples"], row["n_correct"]) == ("18", 1, 5, 3)
    assert row["answers"] == ["18", "20", "18", None, "18"]
    assert row["statuses"] == ["ok", "ok", "ok", "unparsed", "ok"]
    assert (row["run_id"], row["cost_usd"], row["completion_tokens"]) == ("base/m9", 2.5, 10)


@pytest.mark.parametrize("status", ["timeout", "rate_limited", "error", "reset", "malformed"])
def test_an_endpoint_failure_is_never_a_break(status: str) -> None:
    """One sample without an answer leaves the twin without a label: it is asked again, not counted wrong."""
    replies = {
        ("p-0-a", TWIN_DRAW): (*numbers(18, 18, 18, 18), reply("", status)),
        ("p-0-b", TWIN_DRAW): numbers(20, 20, 20, 20, 18),
    }
    labels = twin_labels_frame(PROBLEMS, TWINS, replies, dose=3, solver="s")

    assert labels["twin_id"].to_list() == ["p-0-b"]
    assert labels["y_twin"].to_list() == [0]


def test_a_cut_off_answer_counts_as_incorrect() -> None:
    """A terminal status votes for nothing and is one of the samples."""
    replies = {("p-0-a", TWIN_DRAW): (reply("#### 18", "length"), *numbers(20, 20, 18, 18))}
    (row,) = twin_labels_frame(PROBLEMS, TWINS, replies, dose=3, solver="s").iter_rows(named=True)

    assert (row["answers"][0], row["statuses"][0]) == (None, "length")
    assert (row["n_samples"], row["n_correct"], row["modal_answer"], row["y_twin"]) == (5, 2, "20", 0)


def test_an_unknown_price_stays_unknown() -> None:
    """One sample of unknown cost makes the item's cost null, never a smaller sum."""
    replies = {("p-0", "base/m1"): (*numbers(18), reply("#### 18", cost=None))}

    assert base_labels_frame(PROBLEMS, replies, dose=1, solver="s")["cost_usd"].to_list() == [None]


def test_a_second_opinion_is_asked_once_for_all_open_pairs() -> None:
    """MATH answers that the own comparison leaves open are settled together, each accept tagged."""
    asked: list[list[MathPair]] = []

    def opinion(pairs: object) -> list[MathVerdict]:
        asked.append(list(pairs))  # type: ignore[call-overload]
        return [MathVerdict(accepted=True, how="math_verify") for _ in asked[-1]]

    answer = reply(r"\boxed{x^2+2x+1}")
    replies = {("p-1", "base/m1"): (answer,) * 5}
    alone = base_labels_frame(PROBLEMS, replies, dose=1, solver="s")
    settled = base_labels_frame(PROBLEMS, replies, dose=1, solver="s", second_opinion=opinion)

    assert len(asked) == 1
    assert len(asked[0]) == 1
    assert (alone["y_base"].to_list(), alone["how"].to_list()) == ([0], ["different"])
    assert (settled["y_base"].to_list(), settled["how"].to_list()) == ([1], ["math_verify"])


def test_a_wider_scope_adds_the_kept_twins_of_the_dose() -> None:
    """`label_scope = "all"` solves the mix and every kept twin, each once; a dropped twin stays unsolved."""
    mix = TWINS.head(1)
    audit = pl.DataFrame({"twin_id": ["p-0-a", "p-0-b", "p-0-c"], "keep": [True, True, False]})
    pool = pl.concat([TWINS, TWINS.head(1).with_columns(twin_id=pl.lit("p-0-c"))])

    def solved(**scope: pl.DataFrame) -> list[str]:
        return to_solve(base_problems=PROBLEMS, multiop_mix=mix, **scope)["twin_id"].to_list()

    assert solved() == ["p-0-a"]
    assert solved(twins=pool, noop_audit=audit) == ["p-0-a", "p-0-b"]


@pytest.mark.parametrize(("correct", "solved"), [((2, 3), True), ((2, 2), False)])
def test_the_stratum_counts_every_run_held(correct: tuple[int, int], solved: bool) -> None:
    """Five of ten base samples right over two runs is in the stratum, four of ten is not."""
    runs = pl.DataFrame({"base_id": ["p-0", "p-0"], "n_correct": correct, "n_samples": [5, 5]})
    chosen = to_solve(base_problems=PROBLEMS, multiop_mix=TWINS, base_labels=runs)

    assert (chosen.height == 2) is solved
    spared = outside_stratum(base_problems=PROBLEMS, multiop_mix=TWINS, base_labels=runs)
    assert spared == (0 if solved else 2)
