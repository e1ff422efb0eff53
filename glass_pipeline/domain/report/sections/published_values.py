"""Holds the comparison with the published values: ours, published, note.

Never judges: another solver's numbers are neither a target nor a failure.
"""

from __future__ import annotations

import math

import polars as pl

from glass_pipeline.domain.records import FAMILIES
from glass_pipeline.domain.report.blocks import Aid, Folded, Grid, Head, Section
from glass_pipeline.domain.report.evidence import Evidence, SolverEvidence
from glass_pipeline.domain.report.numerals import NONE, THIN, count, percent, real
from glass_pipeline.domain.report.published import PublishedValue, counterpart, published_values
from glass_pipeline.domain.report.sections.predictors import with_spread

PREDICTORS = {
    "frail_pi": "frozen",
    "vap3": "vap3",
    "bertpe": "bertpe",
    "surface_gbt": "surface_gbt",
    "complexity_ridge": "declared",
    "embedding_ridge": "tfidf_svd",
    "base_pass_rate": "base_accuracy",
}
"""Key of a published row of Tables 2 and 6 by kind; of several of a kind, the first that reads text stands."""
ZERO_BELOW = 0.001
"""|d_obs| below which a problem shows no effect (methods §11, Table 1)."""


def section(evidence: Evidence) -> Section:
    """Return what stands beside what."""
    suite = evidence.given.suite
    values = published_values(suite)
    ours = {one.solver: {**_of_suite(evidence), **_of_solver(one, evidence)} for one in evidence.solvers}
    if not ours:
        ours = {"ours": _of_suite(evidence)}
    have = {key for own in ours.values() for key, value in own.items() if value != NONE}
    beside = tuple(value for value in values if value.key in have)
    rest = tuple(value for value in values if value.key not in have)
    aid = (
        "Published values are for gpt-4o-mini on the paper's own twins: they show the order of magnitude, not a "
        f"mark to reach. {NONE} means that the source, or this page, has no value."
    )
    if counterpart(suite) is None:
        aid = f"{suite} has no counterpart in the paper, so only values of other suites are listed. {aid}"
    return Section(
        slug="published",
        title="Beside the published values",
        blocks=(
            Aid(aid),
            *((_grid("Ours and published", beside, ours),) if beside else ()),
            Folded(
                summary=f"{count(len(rest))} published values that this page has nothing to set beside",
                blocks=(_grid("Published only", rest, ours),),
            ),
        ),
        summary={solver: dict(own) for solver, own in ours.items()},
    )


def _grid(caption: str, values: tuple[PublishedValue, ...], ours: dict[str, dict[str, str]]) -> Grid:
    return Grid(
        caption=caption,
        heads=(
            Head("Quantity", is_number=False),
            *(Head(solver if len(ours) > 1 else "Ours") for solver in ours),
            Head("Published"),
            Head("In the paper", is_number=False),
            Head("Note", is_number=False),
        ),
        rows=tuple(
            (
                value.quantity,
                *(own.get(value.key, NONE) for own in ours.values()),
                value.published.replace(" %", f"{THIN}%"),
                value.table,
                value.note,
            )
            for value in values
        ),
    )


def _of_suite(evidence: Evidence) -> dict[str, str]:
    audit = evidence.given.noop_audit
    own = {"problems": count(evidence.items)}
    if not audit.is_empty():
        dropped = audit.filter(~pl.col("keep"))
        own |= {
            "audit_raw": count(audit.height),
            "audit_kept": count(audit.height - dropped.height),
            "audit_dropped": percent(dropped.height / audit.height),
            "audit_two_reasons": count(dropped.filter(pl.col("reasons").list.len() > 1).height),
        }
    return own


def _of_solver(one: SolverEvidence, evidence: Evidence) -> dict[str, str]:
    own: dict[str, str] = {}
    if not one.jobs.is_empty():
        own["solvable"] = count(one.stratum.height)
    measured = one.jobs["d_avg"].drop_nulls()
    if not measured.is_empty() and evidence.items:
        distinct = one.pairs.select("base_id", "text_hash").unique().height
        own |= {
            "twins_per_problem": real(distinct / evidence.items, 1),
            "fragile_uncond": percent(one.study.fragile_uncond.value),
            "zero_uncond": percent((measured.abs() < ZERO_BELOW).mean()),  # type: ignore[arg-type]
        }
    if not one.scored.is_empty():
        own["fragile_cond"] = percent(one.study.fragile.value)
        for family in FAMILIES:
            n, k = (int(one.scored[f"{letter}_{family}"].sum()) for letter in "nk")
            own[f"rate_{family}"] = percent(k / n) if n else NONE
    own |= _of_predictors(one, evidence)
    if one.floor is not None:
        own |= {"floor": percent(one.floor.rate), "floor_resolves": count(one.floor.resolves)}
    if one.reliability is not None:
        own |= {
            "reliability_r": real(one.reliability.r, 3),
            "reliability_sqrt_r": real(math.sqrt(max(one.reliability.r, 0.0)), 3),
        }
    return own


def _of_predictors(one: SolverEvidence, evidence: Evidence) -> dict[str, str]:
    """Return rho / sqrt(r) of Table 2 and, of Frail-π, recall and residual correlation of Tables 10 and 3."""
    scores = evidence.given.predictor_scores.filter(
        pl.col("solver") == one.solver, pl.col("part") == "all", pl.col("slice") == "pooled"
    ).sort("reads", "predictor", descending=[True, False])
    own: dict[str, str] = {}
    for row in scores.filter(pl.col("metric") == "spearman_sqrt_r").iter_rows(named=True):
        own.setdefault(PREDICTORS.get(row["kind"], row["kind"]), with_spread(row, 3))
    frail = scores.filter(pl.col("kind").str.starts_with("frail_pi"))
    for row in frail.filter(pl.col("metric") == "spearman_sqrt_r").iter_rows(named=True):
        own.setdefault("frail_pi", with_spread(row, 3))
    for row in frail.filter(pl.col("target") == "pi", pl.col("metric").str.starts_with("recall_")).iter_rows(
        named=True
    ):
        own.setdefault(row["metric"], with_spread(row, 3))
    for row in frail.filter(pl.col("target") == "crd", pl.col("metric") == "corr_target_c").iter_rows(named=True):
        own.setdefault("corr_target", real(abs(row["mean"]), 3) if row["mean"] is not None else NONE)
    return own
