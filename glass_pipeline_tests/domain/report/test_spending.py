"""Tests of what labels cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.spending import spent


def test_a_repeated_text_is_paid_for_once(toy: ReportInput) -> None:
    """3 base solves and 3 distinct texts of 5 samples each are 30 completions and 6 cents."""
    total = spent(arrange(toy).solvers[0])

    assert total.completions == 30
    assert total.cost_usd == pytest.approx(0.06)
    assert total.prompt_tokens == 300


def test_one_unknown_price_makes_the_sum_unknown(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """A part of the cost is not the cost."""
    given = make_input(base_labels=[rows.base_label(), rows.base_label("item-2", cost_usd=None)])

    assert spent(arrange(given).solvers[0]).cost == "unknown (no price declared)"


def test_a_simulation_without_a_price_costs_nothing(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Nobody was paid."""
    given = make_input(base_labels=[rows.base_label(cost_usd=None)], settings={"simulated": frozenset({"alpha"})})

    assert spent(arrange(given).solvers[0]).cost == "none (simulated)"


def test_statuses_that_did_not_occur_are_zero(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Every known status is listed; one the page does not know is listed too."""
    statuses = ["ok", "ok", "length", "timeout", "melted"]
    total = spent(arrange(make_input(base_labels=[rows.base_label(statuses=statuses)])).solvers[0])

    assert total.statuses["refusal"] == 0
    assert (total.statuses["ok"], total.statuses["length"], total.statuses["melted"]) == (2, 1, 1)
    assert (total.completions, total.without_answer) == (5, 3)
