"""What a report lacks is said where it is read first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput, build_report
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.gaps import gaps


def test_a_dose_that_one_solver_lacks_is_named_with_the_solver(
    rows: Any, make_input: Callable[..., ReportInput]
) -> None:
    """Alpha holds m1 and m3, beta only m1, and the study also asks for m5."""
    pairs = [
        rows.pair(solver=solver, twin_id=f"item-1-{dose}", file_dose=dose)
        for solver, dose in (("alpha", 1), ("alpha", 3), ("beta", 1))
    ]
    given = make_input(
        base_problems=[rows.problem()],
        noop_audit=[rows.audit(pair["twin_id"]) for pair in pairs[:2]],
        labeled_pairs=pairs,
        causal_difficulty=[rows.job()],
        settings={"doses_held": (1, 3), "doses_missing": (5,)},
    )

    assert gaps(arrange(given)) == (
        "No labels of alpha for dose m5: pooled figures lack them.",
        "No labels of beta for doses m3 and m5: pooled figures lack them.",
    )


def test_missing_stages_are_on_the_first_screen_with_the_command(
    rows: Any, make_input: Callable[..., ReportInput]
) -> None:
    """Labels without audit and estimates make a page that opens by saying so."""
    page = build_report(make_input(base_problems=[rows.problem()], base_labels=[rows.base_label()]))
    opening = page.html[: page.html.index('id="items"')]

    assert "No audit is held: nothing here checked that the twins keep their meaning." in opening
    assert "Break rates are not estimated yet: no item has a π. <code>glass run toy</code>" in opening


def test_a_whole_report_lacks_nothing(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """No sentence where there is nothing to say."""
    given = make_input(
        base_problems=[rows.problem()],
        noop_audit=[rows.audit()],
        labeled_pairs=[rows.pair()],
        causal_difficulty=[rows.job()],
        settings={"doses_held": (1,)},
    )

    assert gaps(arrange(given)) == ()
