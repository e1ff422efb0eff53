"""Tests of what opens with an item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.item_details import item_details


def test_one_text_is_one_twin_with_all_its_doses(toy: ReportInput) -> None:
    """item-1 has two distinct twins; the repeated one stands in doses 1 and 3."""
    item, _ = item_details(arrange(toy))

    assert [twin["doses"] for twin in item.core["twins"]] == [[1, 3], [1]]
    assert item.breaks == 1


@pytest.mark.parametrize(
    ("y_base_run", "y_twin", "outcome"), [(1, 0, "broke"), (1, 1, "kept"), (0, 1, "repaired"), (0, 0, "never")]
)
def test_outcomes_are_the_principal_strata(
    rows: Any, make_input: Callable[..., ReportInput], y_base_run: int, y_twin: int, outcome: str
) -> None:
    """Base and twin, solved or not, give four outcomes."""
    pair = rows.pair(y_base_run=y_base_run, y_twin=y_twin)
    given = make_input(base_problems=[rows.problem()], labeled_pairs=[pair], solver_labels=[rows.twin_label(pair)])
    (item,) = item_details(arrange(given))

    assert item.core["twins"][0]["by"]["alpha"]["outcome"] == outcome


def test_an_eligible_observation_goes_before_an_earlier_ineligible_one(
    rows: Any, make_input: Callable[..., ReportInput]
) -> None:
    """The run of dose 1 failed the base, that of dose 3 solved it: the text broke (methods §1.4)."""
    early = rows.pair(twin_id="a", file_dose=1, y_base_run=0)
    late = {**early, "twin_id": "b", "file_dose": 3, "y_base_run": 1}
    given = make_input(base_problems=[rows.problem()], labeled_pairs=[early, late])
    (item,) = item_details(arrange(given))

    assert item.core["twins"][0]["by"]["alpha"]["outcome"] == "broke"


def test_outputs_are_held_by_what_they_are_worth(toy: ReportInput) -> None:
    """Outputs on the base and on breaking twins are apart from all others."""
    item, _ = item_details(arrange(toy))

    assert sorted(item.broken_outputs) == ["0/alpha", "base/alpha/1", "base/alpha/3"]
    assert sorted(item.other_outputs) == ["1/alpha"]
    assert item.broken_outputs["0/alpha"] == ["So it is 9."] * 5


def test_a_twin_without_a_label_is_still_there(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Imported pairs have no samples; the wording and its outcome remain."""
    given = make_input(base_problems=[rows.problem()], labeled_pairs=[rows.pair()])
    (item,) = item_details(arrange(given))

    assert item.core["twins"][0]["by"]["alpha"] == {"outcome": "broke"}


def test_verdicts_of_the_audit_stand_beside_the_twin(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Flags by name, each judge with its verdict and reason."""
    audit = rows.audit(unit_compatible=True, adjudicators=["judge"], verdicts=["no_op"], rationales=["same question"])
    given = make_input(base_problems=[rows.problem()], labeled_pairs=[rows.pair()], noop_audit=[audit])
    (item,) = item_details(arrange(given))

    assert item.core["twins"][0]["audit"] == {
        "keep": True,
        "reasons": [],
        "flags": ["quantity in a unit of the question (unit_compatible)"],
        "verdicts": [["judge", "no_op", "same question"]],
    }
