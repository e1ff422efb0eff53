"""Holds how well fragility can be told before a twin is solved: every predictor beside the ceiling, and who beats whom.

Never says that one predictor beats another unless the test over all seeds says so.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from glass_pipeline.domain.report.blocks import Aid, Block, Folded, Grid, Head, Missing, Points, Prose, Section
from glass_pipeline.domain.report.evidence import Evidence, SolverEvidence
from glass_pipeline.domain.report.numerals import NONE, real
from glass_pipeline.domain.report.solver_column import SOLVER, named_if_several

AID = (
    "Each predictor is trained on other items than it is scored on; figures are means ± standard deviations over "
    "seeds. ρ is Spearman's rank correlation with the measured break rate. Standardised: as if every item had the "
    "same kinds of rewording. Residual: what is left of both sides without declared complexity C. Design means that a "
    "predictor is told how many twins of which kind are planned, twins that it reads their text."
)
CEILING = "knowing the true rates"
FRAIL = "frail"


def section(evidence: Evidence) -> Section:
    """Return the table of predictors and the sentences of the paired test."""
    scores = evidence.given.predictor_scores
    return Section(
        slug="predictors",
        title="Telling fragile items beforehand",
        blocks=_blocks(evidence) if not scores.is_empty() else _none(evidence),
        summary={
            "scores": scores.filter(pl.col("part") == "all").drop("part", "name").to_dicts(),
            "verdicts": evidence.given.predictor_verdicts.to_dicts(),
        }
        if not scores.is_empty()
        else {},
    )


def _none(evidence: Evidence) -> tuple[Block, ...]:
    if not evidence.given.has_predictors:
        return ()
    text = "No predictor is scored: none is trained yet, or the problems are too few to hold some out."
    return (Missing(text, f"glass run {evidence.given.suite} --select predictors"),)


def _blocks(evidence: Evidence) -> tuple[Block, ...]:
    sentences = tuple(said for one in evidence.solvers for said in _judgement(one, evidence))
    others = tuple(
        f"{one.prefix}{sentence}"
        for one in evidence.solvers
        for sentence in _of(evidence.given.predictor_verdicts, one)["sentence"]
    )
    folded = Folded(summary="Every comparison, both targets", blocks=(Points(others),))
    return (
        *(Prose(sentence) for sentence in sentences),
        named_if_several(_grid(evidence), evidence),
        Aid(AID),
        *_transfer(evidence),
        *((folded,) if others else ()),
    )


def _transfer(evidence: Evidence) -> tuple[Block, ...]:
    """Return what training on one solver says of another; nothing where there is only one."""
    table = evidence.given.solver_transfer
    if table["other"].n_unique() < 2:
        return ()
    cells = {
        (row["predictor"], row["slice"], row["solver"], row["other"], row["target"]): row for row in table.to_dicts()
    }
    rows = []
    for (predictor, part, solver, other, target), row in cells.items():
        if target == "pi":
            residual = with_spread(cells.get((predictor, part, solver, other, "crd")), 3)
            name = predictor if part == "pooled" else f"{predictor} ({part})"
            over = None if row["mean"] is None or not row["sqrt_r"] else row["mean"] / row["sqrt_r"]
            rows.append((name, solver, other, with_spread(row, 3), real(over), real(row["bound"], 3), residual))
    heads = (
        Head("Predictor", is_number=False),
        Head("Trained on", is_number=False),
        Head("Ranks items of", is_number=False),
        Head("ρ with π"),
        Head("ρ/√r"),
        Head("ρ of measured rates"),
        Head("ρ, residual"),
    )
    grid = Grid(caption="Trained on one solver, scored on another", heads=heads, rows=tuple(rows))
    aid = (
        "Only predictors that read the text alone. Measured rates: the first solver's own π ranking the other's items."
    )
    return (Folded(summary="From one solver to another", blocks=(grid, Aid(aid))),)


def _of(table: pl.DataFrame, one: SolverEvidence) -> pl.DataFrame:
    return table.filter(pl.col("solver") == one.solver)


def _judgement(one: SolverEvidence, evidence: Evidence) -> list[str]:
    """Say of the best-ranking Frail-π whether it beats the best-ranking baseline of the same slice."""
    scores = _of(evidence.given.predictor_scores, one)
    ranked = scores.filter(_whole("pi", "spearman")).drop_nulls("mean").sort("mean", descending=True)
    said = []
    for (name,), own in ranked.group_by("slice", maintain_order=True):
        frail = own.filter(pl.col("kind").str.starts_with(FRAIL))["predictor"]
        rivals = own.filter(~pl.col("kind").str.starts_with(FRAIL))["predictor"]
        if frail.is_empty() or rivals.is_empty():
            continue
        verdict = _of(evidence.given.predictor_verdicts, one).filter(
            pl.col("slice") == name,
            pl.col("target") == "pi",
            pl.col("candidate") == frail[0],
            pl.col("baseline") == rivals[0],
        )
        said += [f"{one.prefix}Best Frail-π against best baseline: {sentence}" for sentence in verdict["sentence"]]
    return said


def _whole(target: str, metric: str) -> pl.Expr:
    return (pl.col("part") == "all") & (pl.col("target") == target) & (pl.col("metric") == metric)


def _grid(evidence: Evidence) -> Grid:
    rows = [row for one in evidence.solvers for row in _rows(one, evidence)]
    return Grid(
        caption="Predictors, best ranking first",
        heads=(
            Head("Predictor", is_number=False),
            SOLVER,
            Head("Reads", is_number=False),
            Head("ρ with π"),
            Head("of the ceiling"),
            Head("ρ, standardised π"),
            Head("ρ, residual"),
            Head("Recall in top 20 %"),
            Head("Mean π of top 20 %", "of the best"),
            Head("|ρ| with C"),
            Head("Error of π̂"),
        ),
        rows=tuple(rows),
    )


def _rows(one: SolverEvidence, evidence: Evidence) -> list[tuple[str, ...]]:
    scores = _of(evidence.given.predictor_scores, one).filter(pl.col("part") == "all")
    named = scores.with_columns(
        shown=pl.when(pl.col("slice") == "pooled")
        .then(pl.col("predictor"))
        .otherwise(pl.format("{} ({})", "predictor", "slice"))
    )
    order = named.filter(_whole("pi", "spearman")).sort("mean", descending=True, nulls_last=True)
    cells = {(row["shown"], row["target"], row["metric"]): row for row in named.iter_rows(named=True)}
    rows = [_row(one, each, cells) for each in order.iter_rows(named=True)]
    if one.reliability is None:
        return rows
    recall = next((row["mean"] for key, row in cells.items() if key[1:] == ("pi", "best_recall_20")), None)
    ceiling = (real(one.reliability.oracle, 3), real(1.0, 2), NONE, NONE, real(recall, 2), real(1.0, 2), NONE, NONE)
    return [(CEILING, one.solver, NONE, *ceiling), *rows]


def _row(one: SolverEvidence, head: dict[str, Any], cells: dict[tuple[str, str, str], Any]) -> tuple[str, ...]:
    name = head["shown"]
    if head["mean"] is None:
        return (name, one.solver, head["reads"], f"{NONE}\n{head['note']}", *[NONE] * 7)

    def cell(target: str, metric: str, decimals: int = 2) -> str:
        return with_spread(cells.get((name, target, metric)), decimals)

    return (
        name,
        one.solver,
        head["reads"],
        cell("pi", "spearman", 3),
        cell("pi", "spearman_oracle"),
        cell("pi_std", "spearman", 3),
        cell("crd", "spearman", 3),
        cell("pi", "recall_20"),
        cell("pi", "mean_ratio_20"),
        cell("pi", "abs_rho_c"),
        cell("pi", "mae", 3),
    )


def with_spread(score: dict[str, Any] | None, decimals: int) -> str:
    """Write mean ± standard deviation of a row of ``schemas.PREDICTOR_SCORES``, e.g. ``0.311 ± 0.052``; or the dash."""
    if score is None or score["mean"] is None:
        return NONE
    mean = real(score["mean"], decimals)
    return mean if score["sd"] is None else f"{mean} ± {real(score['sd'], decimals)}"
