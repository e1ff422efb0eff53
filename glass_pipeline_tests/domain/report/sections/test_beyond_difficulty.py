"""Tests of what fragility shares with complexity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import ReportInput
from glass_pipeline.domain.report.blocks import Grid, Missing, Prose
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.beyond_difficulty import section

MakeInput = Callable[..., ReportInput]


def correlated(rows: Any, make_input: MakeInput, **settings: Any) -> Any:
    """Return the section of one solver whose pi follows C and whose CRD does not."""
    crd = {"removed": "declared", "kind": "levels", "is_crd": True, "corr": -0.02, "corr_p": 0.9, "is_orthogonal": True}
    return section(
        arrange(
            make_input(
                causal_difficulty=[rows.job()],
                orthogonality=[
                    rows.correlation(),
                    rows.correlation(**crd),
                    rows.correlation("words", corr=0.1, corr_p=0.3, is_orthogonal=True),
                    rows.correlation("words", **(crd | {"corr": 0.49, "corr_p": 0.001, "is_orthogonal": False})),
                    rows.correlation(slice="m9", corr=0.99),
                ],
                settings=settings,
            )
        )
    )


def test_pi_and_crd_stand_side_by_side(rows: Any, make_input: MakeInput) -> None:
    """One row a proxy: pi with its p, CRD with its p, the bound, whether CRD is within it; the dose is not shown."""
    prose, grid, _ = correlated(rows, make_input).blocks

    assert isinstance(grid, Grid)
    assert grid.rows == (
        ("declared complexity C", "0.60", "< 0.001", "−0.02", "0.900", "0.47", "yes", "40"),
        ("length in words", "0.10", "0.300", "0.49", "0.001", "0.47", "no", "40"),
    )
    assert isinstance(prose, Prose)
    assert prose.text == (
        "Items of higher declared complexity break more often, with a correlation of 0.60 (p < 0.001): more than "
        "chance gives."
    )


def test_a_simulation_is_called_one(rows: Any, make_input: MakeInput) -> None:
    """The sentence of a simulated solver says so."""
    prose, *_ = correlated(rows, make_input, simulated=frozenset({"alpha"})).blocks

    assert prose.text.startswith("Simulation: ")


def test_few_items_make_no_sentence(toy: ReportInput) -> None:
    """One item has no correlation: a row of dashes, and nothing claimed."""
    grid, _ = section(arrange(toy)).blocks

    assert grid.rows == (("declared complexity C", "—", "—", "—", "—", "0.47", "—", "1"),)


def test_what_is_not_measured_is_said(make_input: MakeInput) -> None:
    """Without the table the section says so."""
    (missing,) = section(arrange(make_input())).blocks

    assert isinstance(missing, Missing)
