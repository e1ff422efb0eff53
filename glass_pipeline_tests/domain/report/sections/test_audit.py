"""Tests of the audit section."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.blocks import Example, Folded, Grid, Prose
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.audit import section


def grid(given: ReportInput, caption: str) -> tuple[tuple[str, ...], ...]:
    """Rows of the grid whose caption starts so."""
    blocks = section(arrange(given)).blocks
    return next(block.rows for block in blocks if isinstance(block, Grid) and block.caption.startswith(caption))


def dropped(rows: Any, twin_id: str, *reasons: str, **changes: Any) -> dict[str, Any]:
    """One dropped twin."""
    return rows.audit(twin_id, keep=False, reasons=list(reasons), **changes)


def test_drops_are_counted_by_rule(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Of four twins three are dropped, one of them for two reasons, and one is flagged: shares are of all twins."""
    given = make_input(
        base_problems=[rows.problem()],
        noop_audit=[
            rows.audit("kept", unit_compatible=True),
            dropped(rows, "a", "gold_number"),
            dropped(rows, "b", "gold_number", "entity_collision"),
            dropped(rows, "c", "gold_number"),
        ],
    )

    by_rule = grid(given, "By rule")
    assert [row for row in by_rule if row[2] != "0"] == [
        ("re-uses a name of the problem (entity_collision)", "drops", "1", "25.0\u202f%"),
        ("contains the gold value (gold_number)", "drops", "3", "75.0\u202f%"),
        ("quantity in a unit of the question (unit_compatible)", "flags", "1", "25.0\u202f%"),
    ]
    assert len(by_rule) == 8
    assert grid(given, "By rewording") == (("entities renamed", "1", "0", "4", "3", "75.0\u202f%"),)
    prose = next(block for block in section(arrange(given)).blocks if isinstance(block, Prose))
    assert "3 (75.0\u202f%) dropped, 1 of them for several reasons. 1 carry" in prose.text


def test_a_dropped_twin_is_shown_with_its_changed_words(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """The example marks Nora, and says which judge said what."""
    row = dropped(rows, "a", "contradiction", adjudicators=["judge"], verdicts=["contradiction"], rationales=["Why."])
    given = make_input(base_problems=[rows.problem()], noop_audit=[row], twins=[rows.twin("a")])
    folded = next(block for block in section(arrange(given)).blocks if isinstance(block, Folded))
    (example,) = folded.blocks

    assert isinstance(example, Example)
    assert [run.text for run in example.runs if run.kind == "new"] == ["Nora "]
    assert example.remark == "judge: contradiction. Why."
    assert grid(given, "Verdicts") == (("judge", "contradiction", "1"),)


def test_without_the_twins_words_the_example_still_names_it(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """No twin table: no words, but id and reason."""
    given = make_input(base_problems=[rows.problem()], noop_audit=[dropped(rows, "a", "gold_number")])
    folded = next(block for block in section(arrange(given)).blocks if isinstance(block, Folded))

    assert folded.blocks[0].runs == ()
    assert folded.blocks[0].label == "a, entities renamed"


def test_two_judges_are_compared(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Of ten twins both drop 2, each alone 1, neither 6: 80 % agree, chance 0.3² + 0.7² = 0.58, κ = 0.22 / 0.42."""
    verdicts = (
        [("contradiction",) * 2] * 2 + [("contradiction", "no_op"), ("no_op", "contradiction")] + [("no_op",) * 2] * 6
    )
    given = make_input(
        base_problems=[rows.problem()],
        noop_audit=[
            rows.audit(f"t{number}", adjudicators=["a", "b"], verdicts=list(both), rationales=["", ""])
            for number, both in enumerate(verdicts)
        ],
    )

    assert grid(given, "Agreement") == (("a", "b", "10", "80.0\u202f%", "0.52"),)


def test_declines_count_problems_and_doses(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """One problem declined at two doses is one problem, two declines."""
    given = make_input(base_problems=[rows.problem()], declines=[rows.decline(dose=1), rows.decline(dose=3)])

    assert grid(given, "Declined") == (("sentences reordered", "too short", "1", "2"),)


def test_an_audit_that_drops_nothing_says_none(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """No share of nothing, no table of rules, and no model was asked."""
    blocks = section(arrange(make_input(base_problems=[rows.problem()], noop_audit=[rows.audit()]))).blocks

    assert blocks[0].text.startswith("Before any solver was asked, 1 twin was audited and none dropped.")
    assert not [block for block in blocks if isinstance(block, Grid) and block.caption.startswith("Twins dropped")]
