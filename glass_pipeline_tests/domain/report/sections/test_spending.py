"""Tests of the section on statuses and cost."""

from __future__ import annotations

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.savings import Spared
from glass_pipeline.domain.report.sections.spending import section


def test_a_status_that_did_not_occur_is_zero(toy: ReportInput) -> None:
    """All 30 completions are answers, and every other status says 0."""
    _, statuses, costs, _ = section(arrange(toy)).blocks
    cells = {row[0]: row[2] for row in statuses.rows}

    assert (cells["ok"], cells["timeout"], cells["all"]) == ("30", "0", "30")
    assert costs.rows[2] == ("Cost, US dollars", "$0.06")


def test_cost_is_told_by_stage_and_by_fragile_item(toy: ReportInput) -> None:
    """3 bases and 3 twins cost 3 cents each; the toy's figures say how many items are fragile."""
    evidence = arrange(toy)
    costs = dict(section(evidence).blocks[2].rows)
    fragile = evidence.solvers[0].study.n_fragile

    assert (costs["of bases"], costs["of twins"]) == ("$0.03", "$0.03")
    assert fragile > 0
    assert costs["Completions for one fragile item found"] == str(round(30 / fragile))
    assert costs["Cost of one fragile item found"] == f"${0.06 / fragile:.2f}"


def test_rules_are_shares_of_all_completions(rows, make_input) -> None:
    """Four of five answers stand after a mark, one is the last number."""
    given = make_input(base_labels=[rows.base_label(rules=["hashes"] * 4 + ["last_number"])])

    assert section(arrange(given)).blocks[3].rows == (("hashes", "80.0\u202f%"), ("last_number", "20.0\u202f%"))


def test_what_was_spared_is_listed_by_reason(rows, make_input) -> None:
    """Each solver has a column, each reason a row."""
    spared = {"alpha": Spared(curtailment=1234, distinct_text=5, stratum=0)}
    given = make_input(base_labels=[rows.base_label()], settings={"spared": spared})

    assert [row[1] for row in section(arrange(given)).blocks[4].rows] == ["1,234", "5", "0"]
    assert section(arrange(given)).summary["alpha"]["spared"]["curtailment"] == 1234


def test_nothing_asked_is_nothing_spent(make_input) -> None:
    """Without a solver the section says so."""
    assert section(arrange(make_input())).blocks[0].text == "No solver has been asked yet."
