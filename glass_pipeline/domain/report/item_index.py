"""Holds the index of the items table: what is needed to list, sort and filter, column by column.

Never holds twins or outputs, which load when an item opens.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from glass_pipeline.domain.report.display_text import visible
from glass_pipeline.domain.report.evidence import Evidence, SolverEvidence

SEARCHED = 400
"""Characters of each problem that the search box looks through."""

COLUMNS: tuple[dict[str, Any], ...] = (
    {"key": "id", "name": "Item", "form": "item", "hint": "id and first words; opens the item"},
    {"key": "category", "name": "Category", "form": "text", "hint": "subject or topic"},
    {"key": "pi", "name": "π", "form": "interval", "hint": "break rate: breaks / twins, with its 90 % interval"},
    {"key": "n", "name": "n", "form": "count", "hint": "twins whose run solved the base"},
    {"key": "k", "name": "k", "form": "count", "hint": "of these, twins that broke"},
    {"key": "y", "name": "Ȳ", "form": "share", "hint": "share of base samples that are right, over all runs"},
    {"key": "a", "name": "a", "form": "signed", "unit": "logit", "hint": "fragility at m = 5"},
    {"key": "b", "name": "b", "form": "signed", "unit": "logit/dose", "hint": "change of fragility with dose"},
    {"key": "c", "name": "C", "form": "plain", "hint": "declared complexity"},
    {"key": "crd", "name": "CRD", "form": "signed", "hint": "π minus what C explains of it"},
)
"""How the table shows each column; a further one is a line here and its values in ``_of_solver``."""

DIGITS = 4


def item_index(evidence: Evidence) -> dict[str, Any]:
    """Return the JSON-able index of every base problem, in order of id."""
    problems = evidence.given.base_problems.sort("base_id")
    return {
        "suite": evidence.given.suite,
        "columns": list(COLUMNS),
        "rawId": problems["base_id"].to_list(),
        "id": [visible(base_id) for base_id in problems["base_id"]],
        "category": [visible(category) for category in problems["category"]],
        "c": problems["declared_complexity"].to_list(),
        "text": [visible(text[:SEARCHED]) for text in problems["text"]],
        "solvers": [_of_solver(one, problems["base_id"]) for one in evidence.solvers],
    }


def _of_solver(one: SolverEvidence, base_ids: pl.Series) -> dict[str, Any]:
    rows = base_ids.to_frame("base_id").join(one.jobs, on="base_id", how="left", maintain_order="left")

    def values(column: str) -> list[Any]:
        return rows[column].round(DIGITS).fill_nan(None).to_list()

    return {
        "name": one.solver,
        "isSimulated": one.is_simulated,
        "pi": values("pi"),
        "low": values("pi_low"),
        "high": values("pi_high"),
        "n": rows["n"].to_list(),
        "k": rows["k"].to_list(),
        "y": values("y_base_mean"),
        "a": values("a"),
        "b": values("b"),
        "crd": values("crd"),
        "solvable": rows["in_stratum"].to_list(),
        "lost": base_ids.to_frame("base_id")
        .join(_lost(one), on="base_id", how="left", maintain_order="left")["lost"]
        .fill_null(0)
        .to_list(),
    }


def _lost(one: SolverEvidence) -> pl.DataFrame:
    """Samples of each item, base and twins, that are not answers: a reader of them finds what extraction missed."""
    labels = pl.concat([frame.select("base_id", "statuses") for frame in (one.base_labels, one.twin_labels)])
    lost = pl.col("statuses").list.eval(pl.element() != "ok").list.sum().sum()
    return labels.group_by("base_id").agg(lost=lost)
