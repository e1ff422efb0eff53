"""How verdicts enter the audit: a twin passes only if the rules and every adjudicator let it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.audit.adjudication import adjudicated, pairs_to_judge
from glass_pipeline.domain.audit.verdicts import Finding, Verdict
from glass_pipeline.domain.records import Problem, Twin
from glass_pipeline.domain.schemas import NOOP_AUDIT

PROBLEM = Problem(
    base_id="toy",
    text="Mia has 3 pens. How many pens has Mia?",
    gold="3",
    answer_type="numeric",
    declared_complexity=1.0,
    complexity_score=0.1,
    revision="0",
    licence="MIT",
)


def row(twin_id: str, *reasons: str, **changes: Any) -> dict[str, Any]:
    """Return one audited twin, dropped by rules for these reasons."""
    rules = ("entity_collision", "gold_number", "multi_question", "altered_base", "unit_compatible")
    nobody: dict[str, Any] = {"adjudicators": [], "verdicts": [], "rationales": []}
    return {
        "base_id": "toy",
        "twin_id": twin_id,
        "dose": 1,
        "family": "entity_rename",
        **{rule: rule in reasons for rule in rules},
        **nobody,
        "keep": not reasons,
        "reasons": list(reasons),
        **changes,
    }


def audit(*rows: dict[str, Any]) -> pl.DataFrame:
    """Return an audit table; flags that a new schema asks for are false."""
    absent = {name: False for name, dtype in NOOP_AUDIT.schema.items() if dtype == pl.Boolean() and name not in rows[0]}
    return NOOP_AUDIT.frame({**each, **absent} for each in rows)


def says(adjudicator: str, twin_id: str, finding: Finding, rationale: str = "because") -> Verdict:
    """Return a verdict."""
    return Verdict(twin_id=twin_id, adjudicator=adjudicator, finding=finding, rationale=rationale)


def twin(twin_id: str) -> Twin:
    """Return a renamed twin."""
    return Twin(
        base_id="toy",
        twin_id=twin_id,
        dose=1,
        family="entity_rename",
        inject_size=None,
        operator="entity_rename",
        text="Nora has 3 pens. How many pens has Nora?",
        generator="rules",
        edit="{}",
    )


@pytest.mark.parametrize(
    ("findings", "keep", "reasons"),
    [
        (("no_op", "no_op"), True, []),
        (("no_op", "contradiction"), False, ["contradiction"]),
        (("unparsable", "no_op"), False, ["unparsable"]),
        (("unparsable", "contradiction"), False, ["contradiction", "unparsable"]),
    ],
)
def test_one_adjudicator_is_enough_to_drop(findings: tuple[Finding, ...], keep: bool, reasons: list[str]) -> None:
    """A contradiction or an unparsable answer drops; both verdicts are recorded, in the order asked for."""
    verdicts = [says(name, "t", finding) for name, finding in zip(("b", "a"), findings, strict=True)]

    found = adjudicated(audit(row("t")), verdicts, ("a", "b")).row(0, named=True)

    assert (found["keep"], found["reasons"]) == (keep, reasons)
    assert found["adjudicators"] == ["a", "b"]
    assert found["verdicts"] == list(reversed(findings))
    assert found["rationales"] == ["because", "because"]


def test_rules_and_adjudicators_add_up() -> None:
    """A twin that a rule drops stays dropped, whatever a model says, and both reasons are named."""
    table = audit(row("t", "gold_number"), row("u", "gold_number"))
    verdicts = [says("a", "t", "no_op"), says("a", "u", "contradiction")]

    found = adjudicated(table, verdicts)

    assert found["keep"].to_list() == [False, False]
    assert found["reasons"].to_list() == [["gold_number"], ["gold_number", "contradiction"]]


def test_nobody_asked_changes_nothing() -> None:
    """Without adjudicators the audit is what the rules say."""
    table = audit(row("t"), row("u", "altered_base"))

    assert adjudicated(table, []).equals(table)


def test_doing_it_twice_changes_nothing_more() -> None:
    """New verdicts take the place of old ones; the same ones give the same table."""
    table = audit(row("t"), row("u"))
    verdicts = [says("a", "t", "contradiction"), says("a", "u", "no_op")]
    once = adjudicated(table, verdicts)

    assert adjudicated(once, verdicts).equals(once)
    assert adjudicated(once, [says("a", "t", "no_op"), says("a", "u", "no_op")])["keep"].to_list() == [True, True]


def test_a_kept_twin_without_a_verdict_that_is_due_stops() -> None:
    """What nobody judged is not let through; what a rule dropped need not be judged."""
    table = audit(row("t"), row("u", "gold_number"))

    assert adjudicated(table, [says("a", "t", "no_op")], ("a",))["keep"].to_list() == [True, False]
    with pytest.raises(ValueError, match="twin 't' has no verdict of 'b'"):
        adjudicated(table, [says("a", "t", "no_op")], ("a", "b"))


def test_two_verdicts_of_one_adjudicator_stop() -> None:
    """Nobody has two opinions of one twin."""
    with pytest.raises(ValueError, match="'a' judged twin 't' twice"):
        adjudicated(audit(row("t")), [says("a", "t", "no_op"), says("a", "t", "contradiction")])


def test_pairs_to_judge() -> None:
    """Only what the rules keep is shown, or everything where that is wanted; a model's old verdict does not count."""
    table = audit(row("t"), row("u", "gold_number"), row("v", keep=False, reasons=["contradiction"]))
    twins = [twin(twin_id) for twin_id in ("t", "u", "v")]

    kept, everything = (pairs_to_judge([PROBLEM], twins, table, scope=scope) for scope in ("kept", "all"))

    assert [pair.twin_id for pair in kept] == ["t", "v"]
    assert [pair.twin_id for pair in everything] == ["t", "u", "v"]
    assert (kept[0].base_text, kept[0].twin_text, kept[0].gold) == (PROBLEM.text, twins[0].text, "3")


def test_a_stray_twin_is_refused() -> None:
    """A twin without base or audit is named."""
    with pytest.raises(ValueError, match="the base of twin 't'"):
        pairs_to_judge([], [twin("t")], audit(row("t")))
    with pytest.raises(ValueError, match="the audit of twin 't'"):
        pairs_to_judge([PROBLEM], [twin("t")], audit(row("u")))
