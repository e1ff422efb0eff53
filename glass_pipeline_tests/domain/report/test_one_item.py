"""Everything about one item, as plain values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.one_item import one_item

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202e</script>"


@pytest.fixture
def single(rows: Any, make_input: Callable[..., ReportInput]) -> ReportInput:
    """One item, one twin that broke and one that held."""
    broke = rows.pair(twin_id="item-1-a")
    kept = rows.pair(twin_id="item-1-b", y_twin=1, delta=0, twin_samples_correct=5)
    return make_input(
        base_problems=[rows.problem()],
        noop_audit=[rows.audit(pair["twin_id"], unit_compatible=True) for pair in (broke, kept)],
        base_labels=[rows.base_label()],
        solver_labels=[rows.twin_label(pair) for pair in (broke, kept)],
        labeled_pairs=[broke, kept],
        causal_difficulty=[rows.job(n=2, k=1)],
        settings={"simulated": frozenset({"alpha"})},
    )


def test_an_item_holds_diffs_outcomes_and_reasons(single: ReportInput) -> None:
    """The changed name is the diff, and only what was marked wrong has a reason."""
    item = one_item(single)
    by_id = {twin["id"]: twin for twin in item["twins"]}
    broke, kept = by_id["item-1-a"]["by"]["alpha"], by_id["item-1-b"]["by"]["alpha"]

    assert (item["gold"], item["category"], item["declared_complexity"]) == ("14", "prices", 2.0)
    assert by_id["item-1-a"]["diff"][:2] == [["gone", "Mia "], ["new", "Nora item-1-a "]]
    assert (broke["outcome"], broke["why"]) == ("broke", "5 of 5 answered 9, gold is 14; found by hash_marks")
    assert (kept["outcome"], "why" in kept) == ("kept", False)
    assert broke["outputs"] == ["So it is 9."] * 5
    assert item["runs"][0]["outputs"] == ["So it is 14."] * 5
    (solver,) = item["solvers"]
    assert (solver["is_simulated"], solver["pi"], solver["pi_low"], solver["k"], solver["n"]) == (True, 0.5, 0.1, 1, 2)


def test_an_item_that_nobody_answered_is_its_text(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Problems alone are enough."""
    item = one_item(make_input(base_problems=[rows.problem()]))

    assert (item["text"][:3], item["solvers"], item["runs"], item["twins"]) == ("Mia", [], [], [])


def test_no_text_keeps_a_control_sequence(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Whatever field it comes in by, what could steer a terminal or turn a line round is replaced by its name."""
    pair = rows.pair(HOSTILE, HOSTILE, twin_text=f"{HOSTILE} twin", base_text=HOSTILE, generator=HOSTILE)
    samples = rows.samples((HOSTILE,) * 5, outputs=[HOSTILE] * 5, rules=[HOSTILE] * 5, statuses=[HOSTILE] * 5)
    judged = {"adjudicators": [HOSTILE], "verdicts": [HOSTILE], "rationales": [HOSTILE]}
    given = make_input(
        base_problems=[rows.problem(HOSTILE, text=HOSTILE, gold=HOSTILE, category=HOSTILE, gold_solution=HOSTILE)],
        noop_audit=[rows.audit(HOSTILE, HOSTILE, reasons=[HOSTILE], **judged)],
        base_labels=[rows.base_label(HOSTILE, **samples)],
        solver_labels=[rows.twin_label(pair, **samples)],
        labeled_pairs=[pair],
        causal_difficulty=[rows.job(HOSTILE, category=HOSTILE)],
    )
    written = json.dumps(one_item(given), ensure_ascii=False)

    assert "⟦U+001B⟧" in written
    assert not any(steering in written for steering in ("\\u001b", "\\u0007", "\u202e"))


def test_two_items_are_refused(toy: ReportInput) -> None:
    """The caller filters; a second problem is a mistake, not a choice."""
    with pytest.raises(ValueError, match="2 base problems of toy; filter the tables to one"):
        one_item(toy)
