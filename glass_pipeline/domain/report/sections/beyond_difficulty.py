"""Holds what fragility shares with complexity, and what is left of that once C is taken away.

Never calls a proxy the difficulty of a problem.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.estimands.complexity_proxies import DECLARED
from glass_pipeline.domain.estimands.orthogonality_table import NOTHING
from glass_pipeline.domain.report.blocks import Aid, Block, Grid, Head, Missing, Prose, Section
from glass_pipeline.domain.report.evidence import FEWEST_JOBS, Evidence
from glass_pipeline.domain.report.numerals import NONE, count, real
from glass_pipeline.domain.report.solver_column import SOLVER, named_if_several

PROXY_NAMES = {
    DECLARED: "declared complexity C",
    "gold_steps": "steps of the gold solution",
    "level": "level set by the author",
    "heuristic": "score of the text",
    "words": "length in words",
}
AID = (
    "CRD is π less what C explains of it, by five folds. p: how often shuffled items correlate as much. A correlation "
    "within the bound, three standard deviations of a null one, can be chance. CRD is free of C only, not of the other "
    "proxies, and a score read off the text is mostly length."
)


def section(evidence: Evidence) -> Section:
    """Return the correlations of pi and CRD with every proxy."""
    rows = evidence.given.orthogonality.filter(pl.col("slice") == POOLED)
    if rows.is_empty():
        blocks: tuple[Block, ...] = (
            Missing("Not measured yet: no reworded twin of a solved problem has been answered."),
        )
    else:
        grid = named_if_several(_grid(evidence, rows), evidence)
        blocks = (*(Prose(text) for text in _findings(evidence, rows)), grid, Aid(AID))
    return Section(
        slug="beyond-difficulty",
        title="Is fragility just difficulty?",
        blocks=blocks,
        summary={one.solver: _summary(rows.filter(pl.col("solver") == one.solver)) for one in evidence.solvers},
    )


def _before(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("removed") == NOTHING)


def _findings(evidence: Evidence, rows: pl.DataFrame) -> list[str]:
    """Return one sentence a solver on pi and C, where there are items enough to say one."""
    said = []
    for one in evidence.solvers:
        own = _before(rows.filter(pl.col("solver") == one.solver)).filter(pl.col("against") == DECLARED)
        for row in own.drop_nulls("corr").filter(pl.col("n_jobs") >= FEWEST_JOBS).iter_rows(named=True):
            far = "no more than chance could give" if row["is_orthogonal"] else "more than chance gives"
            who = f"{one.solver}: items" if len(evidence.solvers) > 1 else "Items"
            more = "more" if row["corr"] >= 0 else "less"
            said.append(
                f"{one.prefix}{who} of higher declared complexity break {more} often, with a correlation of "
                f"{real(row['corr'])} (p {_p(row['corr_p'])}): {far}."
            )
    return said


def _p(value: float | None) -> str:
    if value is None:
        return NONE
    return "< 0.001" if value < 0.001 else real(value, 3)


def _grid(evidence: Evidence, rows: pl.DataFrame) -> Grid:
    lines = []
    for one in evidence.solvers:
        own = rows.filter(pl.col("solver") == one.solver)
        after = own.filter("is_crd").select("against", crd="corr", crd_p="corr_p", crd_holds="is_orthogonal")
        for row in _before(own).join(after, on="against", how="left").iter_rows(named=True):
            lines.append(
                (
                    PROXY_NAMES.get(row["against"], row["against"]),
                    one.solver,
                    real(row["corr"]),
                    _p(row["corr_p"]),
                    real(row["crd"]),
                    _p(row["crd_p"]),
                    real(row["bound"]),
                    NONE if row["crd_holds"] is None else ("yes" if row["crd_holds"] else "no"),
                    count(row["n_jobs"]),
                )
            )
    return Grid(
        caption="Correlation of π and of CRD with what makes a problem complex",
        heads=(
            Head("Proxy", is_number=False),
            SOLVER,
            Head("π"),
            Head("p"),
            Head("CRD"),
            Head("p of CRD"),
            Head("Bound"),
            Head("CRD within", is_number=False),
            Head("Items"),
        ),
        rows=tuple(lines),
    )


def _summary(rows: pl.DataFrame) -> dict[str, dict[str, float | None]]:
    return {
        name: dict(kept.select("against", "corr").iter_rows())
        for name, kept in (("pi", _before(rows)), ("crd", rows.filter("is_crd")))
    }
