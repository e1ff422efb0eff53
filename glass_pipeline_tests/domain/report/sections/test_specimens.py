"""Tests of the most surprising items as shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.specimens import section


def test_a_specimen_shows_both_answers_and_the_changed_words(toy: ReportInput) -> None:
    """14 on the original, 9 on the twin, both by all five samples."""
    specimen = section(arrange(toy)).blocks[0]

    assert (specimen.base_answer, specimen.base_score) == ("14", "5 of 5 right")
    assert (specimen.twin_answer, specimen.twin_score) == ("9", "0 of 5 right")
    assert [run.text for run in specimen.runs if run.kind == "gone"] == ["Mia "]
    assert specimen.anchor == "#item/item-1/alpha"
    assert (specimen.base_words, specimen.twin_words) == ("So it is 14.", "So it is 9.")


def test_the_words_shown_are_those_that_gave_the_modal_answer(
    rows: Any, make_input: Callable[..., ReportInput]
) -> None:
    """A first sample that was outvoted is not what the solver answered."""
    pair = rows.pair()
    label = rows.twin_label(pair, **rows.samples(("14", "9", "9", "9", "9")))
    given = make_input(
        base_problems=[rows.problem()],
        labeled_pairs=[pair],
        solver_labels=[label],
        causal_difficulty=[rows.job()],
    )

    assert section(arrange(given)).blocks[0].twin_words == "So it is 9."


def test_no_break_is_said(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Answered twins that all held are a result; no answered twin is none."""
    kept = rows.pair(y_twin=1, delta=0)
    given = make_input(base_problems=[rows.problem()], labeled_pairs=[kept], causal_difficulty=[rows.job(n=1, k=0)])

    assert section(arrange(given)).blocks[0].text == "No answered twin broke a solved problem."
    assert section(arrange(make_input())).blocks[0].text == "No twin is answered yet."
