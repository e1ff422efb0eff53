"""Holds what the audit dropped, by rule and with examples, and what the operators declined to reword.

Never counts a flag as a reason: a flag alone keeps the twin.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from glass_pipeline.domain.audit.agreement import adjudicator_agreement
from glass_pipeline.domain.audit.rates import dropped_for_several_reasons, rule_rates
from glass_pipeline.domain.report.blocks import Aid, Block, Example, Folded, Grid, Head, Missing, Prose, Section
from glass_pipeline.domain.report.display_text import family_name, rule_name, visible
from glass_pipeline.domain.report.evidence import Evidence
from glass_pipeline.domain.report.numerals import NONE, count, counted, percent, real
from glass_pipeline.domain.report.word_diff import Run, shortened, word_diff

EXAMPLES = 2
"""Dropped twins shown for each rule."""
WORDS_AROUND = 14
LONGEST_REMARK = 400


def section(evidence: Evidence) -> Section:
    """Return the audit's counts and examples, and the declines."""
    audit, declines = evidence.given.noop_audit, evidence.given.declines
    dropped = audit.filter(~pl.col("keep"))
    blocks: list[Block] = []
    if audit.is_empty():
        blocks.append(Missing("No twin has been audited yet.", f"glass run {evidence.given.suite}"))
    else:
        blocks += [Prose(_kept(audit, dropped)), _by_family(audit, declines, evidence.families), _by_rule(audit)]
        blocks += _examples(dropped, evidence)
        blocks += _adjudicators(audit)
    blocks += _declined(declines)
    return Section(
        slug="audit",
        title="Audit of the rewordings",
        blocks=tuple(blocks),
        summary={
            "n_twins": audit.height,
            "n_dropped": dropped.height,
            "n_flagged_units": int(audit["unit_compatible"].sum()),
            "n_declined": declines.height,
            "by_rule": dict(rule_rates(audit).select("rule", "n").iter_rows()),
        },
    )


def _kept(audit: pl.DataFrame, dropped: pl.DataFrame) -> str:
    was = "was" if audit.height == 1 else "were"
    opening = f"Before any solver was asked, {counted(audit.height, 'twin')} {was} audited and"
    flagged = (
        f"{count(int(audit['unit_compatible'].sum()))} carry an added quantity in a unit of the question: flagged, not "
        "dropped for that."
    )
    if dropped.is_empty():
        return f"{opening} none dropped. {flagged}"
    twice = dropped_for_several_reasons(audit)
    share = percent(dropped.height / audit.height)
    return f"{opening} {count(dropped.height)} ({share}) dropped, {count(twice)} of them for several reasons. {flagged}"


def _by_family(audit: pl.DataFrame, declines: pl.DataFrame, families: tuple[str, ...]) -> Grid:
    rows = []
    for family in families:
        own = audit.filter(pl.col("family") == family)
        declined = declines.filter(pl.col("family") == family)["base_id"].n_unique()
        lost = own.filter(~pl.col("keep")).height
        share = percent(lost / own.height) if own.height else NONE
        bases = own["base_id"].n_unique()
        rows.append((family_name(family), *map(count, (bases, declined, own.height, lost)), share))
    return Grid(
        caption="By rewording: problems it applies to, problems it declined at some dose, twins audited and dropped",
        heads=(
            Head("Rewording", is_number=False),
            Head("Problems"),
            Head("Declined"),
            Head("Twins"),
            Head("Dropped"),
            Head("Dropped share"),
        ),
        rows=tuple(rows),
    )


def _by_rule(audit: pl.DataFrame) -> Grid:
    return Grid(
        caption="By rule; several may speak of one twin, and a flag alone keeps it",
        heads=(Head("Rule", is_number=False), Head("Effect", is_number=False), Head("Twins"), Head("Of all twins")),
        rows=tuple(
            (rule_name(rule), "drops" if drops else "flags", count(n), percent(rate))
            for rule, drops, n, rate in rule_rates(audit).iter_rows()
        ),
    )


def _reasons(dropped: pl.DataFrame) -> pl.DataFrame:
    return (
        dropped.select(reason=pl.col("reasons"))
        .explode("reason")
        .with_columns(pl.col("reason").fill_null("no reason recorded"))
        .group_by("reason")
        .agg(n=pl.len())
        .sort(["n", "reason"], descending=[True, False])
    )


def _examples(dropped: pl.DataFrame, evidence: Evidence) -> list[Block]:
    worded = dropped.join(evidence.given.twins.select("twin_id", twin_text="text"), on="twin_id", how="left").join(
        evidence.given.base_problems.select("base_id", base_text="text"), on="base_id", how="left"
    )
    blocks: list[Block] = []
    for reason in _reasons(dropped)["reason"]:
        rows = worded.filter(pl.col("reasons").list.contains(reason)).sort("twin_id")
        # Examples of different items say more than two twins of one.
        shown = rows.unique("base_id", keep="first", maintain_order=True).head(EXAMPLES)
        examples = tuple(_example(row) for row in shown.iter_rows(named=True))
        if examples:
            blocks.append(Folded(summary=f"Examples: {rule_name(reason)}", blocks=examples))
    return blocks


def _example(row: dict[str, Any]) -> Example:
    runs: tuple[Run, ...] = ()
    if row["twin_text"] is not None and row["base_text"] is not None:
        runs = shortened(word_diff(row["base_text"], row["twin_text"]), WORDS_AROUND)
    said = [f"{judge}: {verdict}. {rationale}" for judge, verdict, rationale in _verdicts(row)]
    remark = " ".join(said) if said else "Dropped by rule, without asking a model."
    return Example(
        label=f"{visible(row['twin_id'])}, {family_name(row['family'])}",
        runs=tuple(Run(run.kind, visible(run.text)) for run in runs),
        remark=visible(remark)[:LONGEST_REMARK],
    )


def _verdicts(row: dict[str, Any]) -> zip[tuple[str, str, str]]:
    return zip(row["adjudicators"] or [], row["verdicts"] or [], row["rationales"] or [], strict=False)


def _adjudicators(audit: pl.DataFrame) -> list[Block]:
    asked = audit.select("adjudicators", "verdicts").filter(
        (pl.col("adjudicators").list.len() > 0) & (pl.col("adjudicators").list.len() == pl.col("verdicts").list.len())
    )
    if asked.is_empty():
        return [Aid("No model adjudicated these twins: only the deterministic rules did.")]
    counts = asked.explode("adjudicators", "verdicts").group_by("adjudicators", "verdicts").agg(n=pl.len())
    rows = counts.sort(["adjudicators", "n", "verdicts"], descending=[False, True, False]).iter_rows()
    verdicts = Grid(
        caption="Verdicts of the adjudicators",
        heads=(Head("Model", is_number=False), Head("Verdict", is_number=False), Head("Twins")),
        rows=tuple((visible(judge or ""), visible(verdict or ""), count(n)) for judge, verdict, n in rows),
    )
    return [verdicts, *_agreement(asked)]


def _agreement(audit: pl.DataFrame) -> list[Block]:
    found = adjudicator_agreement(audit)
    if found.is_empty():
        return []
    return [
        Grid(
            caption=f"Agreement on dropping a twin; κ is agreement above chance, {NONE} where only one verdict fell",
            heads=(
                Head("Model", is_number=False),
                Head("Other", is_number=False),
                Head("Twins"),
                Head("Agree"),
                Head("Cohen's κ"),
            ),
            rows=tuple(
                (visible(one), visible(other), count(n), percent(agreed), NONE if kappa is None else real(kappa, 2))
                for one, other, n, agreed, kappa in found.iter_rows()
            ),
        )
    ]


def _declined(declines: pl.DataFrame) -> list[Block]:
    if declines.is_empty():
        return [Aid("No operator declined a problem.")]
    counts = (
        declines.group_by("family", "reason")
        .agg(bases=pl.col("base_id").n_unique(), n=pl.len())
        .sort(["family", "bases", "reason"], descending=[False, True, False])
    )
    return [
        Prose(
            f"Operators decline rather than guess: {counted(declines['base_id'].n_unique(), 'problem')} went "
            "without at least one kind of rewording."
        ),
        Grid(
            caption="Declined, by rewording and reason",
            heads=(
                Head("Rewording", is_number=False),
                Head("Reason", is_number=False),
                Head("Problems"),
                Head("Over all doses"),
            ),
            rows=tuple(
                (family_name(family), visible(reason), count(bases), count(n))
                for family, reason, bases, n in counts.iter_rows()
            ),
        ),
    ]
