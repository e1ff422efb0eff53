"""Holds the table of all items, each of which opens with its base, twins, answers and verdicts.

Never holds a row that is not a base problem of the suite.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.report.blocks import Aid, Block, Browser, Grid, Head, Missing, Section
from glass_pipeline.domain.report.display_text import visible
from glass_pipeline.domain.report.evidence import Evidence
from glass_pipeline.domain.report.item_details import item_details, to_json
from glass_pipeline.domain.report.item_index import item_index
from glass_pipeline.domain.report.numerals import NONE, count, counted, real, span
from glass_pipeline.domain.report.page_blobs import Blobs, pack
from glass_pipeline.domain.report.solver_column import SOLVER, named_if_several

LISTED = 20
REST_OF_PAGE = 300_000
"""Characters kept free of the budget for everything on the page that is not the index or an item's details."""


def section(evidence: Evidence) -> Section:
    """Return the browser of items, or say that there are none."""
    blocks: tuple[Block, ...]
    if not evidence.items:
        blocks = (Missing("No items.", f"glass run {evidence.given.suite}"),)
        return Section(slug="items", title="Items", blocks=blocks, summary={"n": 0})
    index = item_index(evidence)
    blobs = pack(item_details(evidence), evidence.given.page_budget_bytes - REST_OF_PAGE - len(to_json(index)))
    blocks = (
        Aid(
            "π is the share of an item's rewordings that broke it: 0.30 means three in ten. The bar is its 90 % "
            "interval, drawn towards the other items' rates, so that with few twins it can lie beside π. n counts "
            "twins whose own run solved the base, k those that broke. a and b: fragility at m = 5 and its change with "
            "dose, in logits. CRD is what is left of π after declared complexity C. Choose an item to read it."
        ),
        Browser(index=index, blobs=blobs.by_id, grid=named_if_several(_most_fragile(evidence), evidence)),
        *_left_out(blobs),
    )
    return Section(
        slug="items",
        title="Items",
        blocks=blocks,
        summary={"n": evidence.items, "outputs_held": blobs.held, "outputs_left_out": blobs.left_out},
    )


def _left_out(blobs: Blobs) -> tuple[Block, ...]:
    if not blobs.left_out:
        return ()
    text = (
        f"To stay readable from disk, this page holds the outputs of {counted(blobs.held, 'question')}, most "
        f"breaks first, and leaves out those of {count(blobs.left_out)}. Every text, answer and verdict is here; the "
        "tables base_labels and solver_labels hold every output."
    )
    return (Missing(text),)


def _most_fragile(evidence: Evidence) -> Grid:
    rows = []
    for one in evidence.solvers:
        top = one.scored.sort(["pi", "n", "base_id"], descending=[True, True, False]).head(LISTED)
        for row in top.filter(pl.col("k") > 0).iter_rows(named=True):
            ends = (row["pi_low"], row["pi_high"])
            interval = NONE if None in ends else span(*ends, 2)
            rows.append(
                (
                    visible(row["base_id"]),
                    one.solver,
                    real(row["pi"]),
                    interval,
                    count(row["n"]),
                    count(row["k"]),
                    real(row["declared_complexity"], 0),
                    real(row["crd"]),
                )
            )
    return Grid(
        caption=f"The most fragile items, at most {LISTED} a solver",
        heads=(
            Head("Item", is_number=False),
            SOLVER,
            Head("π"),
            Head("90 % interval"),
            Head("n"),
            Head("k"),
            Head("C"),
            Head("CRD"),
        ),
        rows=tuple(rows),
    )
