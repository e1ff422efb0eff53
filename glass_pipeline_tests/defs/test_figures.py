"""What assets show of themselves: numbers picked from their tables, and one plot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from glass_pipeline.defs.figures import (
    agreement_figures,
    budget_figures,
    difficulty_figures,
    floor_figures,
    orthogonality_figures,
    probe_figures,
    reliability_figures,
    slice_figures,
)
from glass_pipeline.domain.schemas import TABLES

FIGURES = {
    "agreement": ("solver_agreement", agreement_figures),
    "budget": ("budget_targets", budget_figures),
    "difficulty": ("causal_difficulty", difficulty_figures),
    "floor": ("identity_floor", floor_figures),
    "orthogonality": ("orthogonality", orthogonality_figures),
    "probe": ("base_probes", probe_figures),
    "reliability": ("reliability", reliability_figures),
    "slice": ("slices", slice_figures),
}


def values_of(table: str, show: Callable[[pl.DataFrame], Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what is shown of a table of some rows, as plain values."""
    return {name: each.value for name, each in show(pl.DataFrame(rows, schema=TABLES[table].schema)).items()}


@pytest.mark.parametrize("name", FIGURES)
def test_an_empty_table_has_figures_and_an_empty_plot(name: str) -> None:
    """Nothing measured is shown as nothing, and never as an error."""
    table, show = FIGURES[name]
    shown = values_of(table, show, [])

    assert any(str(value).startswith("```") for value in shown.values())
    assert 0.5 not in shown.values()


def test_orthogonality_shows_pi_and_crd_beside_each_other() -> None:
    """The pooled correlations with C are the numbers; the plot has a bar of their size for every proxy."""
    pi = {"slice": "pooled", "removed": "nothing", "kind": "nothing", "is_crd": False}
    crd = {"slice": "pooled", "removed": "declared", "kind": "levels", "is_crd": True}
    shown = values_of(
        "orthogonality",
        orthogonality_figures,
        [
            {**pi, "against": "declared", "corr": -0.4, "corr_p": 0.001},
            {**pi, "against": "words", "corr": 0.2, "corr_p": 0.1},
            {**crd, "against": "declared", "corr": 0.02, "corr_p": 0.8},
            {**pi, "slice": "m9", "against": "declared", "corr": 0.9, "corr_p": 0.5},
        ],
    )

    assert (shown["corr_pi_c"], shown["p_pi_c"], shown["corr_crd_c"], shown["p_crd_c"]) == (-0.4, 0.001, 0.02, 0.8)
    assert [line.split()[:4] for line in shown["size_of_corr"].splitlines()[1:-1]] == [
        ["pi", "~", "declared", "0.400"],
        ["pi", "~", "words", "0.200"],
        ["crd", "~", "declared", "0.020"],
    ]


def test_budgets_show_the_largest_dose() -> None:
    """Worst cases .9 and .7 at nine twins have mean .8; the plot has a bar a budget, all doses together last."""
    shown = values_of(
        "budget_targets",
        budget_figures,
        [
            {"slice": "pooled", "twins": 12, "worst_case": 1.0, "at_least_half": 0.5},
            {"slice": "m9", "twins": 9, "worst_case": 0.9, "at_least_half": 0.4},
            {"slice": "m9", "twins": 9, "worst_case": 0.7, "at_least_half": 0.2},
            {"slice": "m3", "twins": 3, "worst_case": 0.4, "at_least_half": 0.1},
        ],
    )

    assert shown["largest_dose"] == "m9"
    assert (shown["worst_case"], shown["at_least_half"]) == pytest.approx((0.8, 0.3))
    assert [line.split(",")[0] for line in shown["worst_case_by_budget"].splitlines()[1:-1]] == ["m3", "m9", "pooled"]


def test_probes_show_the_mean_share() -> None:
    """9 of 10 and 5 of 10 right samples have mean share .7; a base without samples has none."""
    rows = [{"n_samples": 10, "n_correct": 9}, {"n_samples": 10, "n_correct": 5}, {"n_samples": 0, "n_correct": 0}]
    shown = values_of("base_probes", probe_figures, rows)

    assert (shown["bases"], shown["samples"]) == (3, 20)
    assert shown["mean_share_correct"] == pytest.approx(0.7)


def test_cells_that_are_too_small_are_counted() -> None:
    """Of three cells one says only that it is too small."""
    rows = [
        {"kind": "all", "name": "all", "mean_pi": 0.25},
        {"kind": "family", "name": "entity_rename", "mean_pi": 0.125},
        {"kind": "category", "name": "toys", "mean_pi": None},
    ]
    shown = values_of("slices", slice_figures, rows)

    assert (shown["mean_pi"], shown["cells"], shown["cells_too_small"]) == (0.25, 3, 1)
    assert "entity_rename" in shown["mean_pi_by_family"]


def test_agreement_is_averaged_over_pairs() -> None:
    """Two pairs of .5 and -.1 have mean .2; the negative one has no bar."""
    rows = [
        {"solver": "a", "other": "b", "spearman": 0.5, "disattenuated": 0.75},
        {"solver": "a", "other": "c", "spearman": -0.1, "disattenuated": None},
    ]
    shown = values_of("solver_agreement", agreement_figures, rows)

    assert (shown["pairs_of_solvers"], shown["mean_disattenuated"]) == (2, 0.75)
    assert shown["mean_spearman"] == pytest.approx(0.2)
