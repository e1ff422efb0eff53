"""Holds what each solver's labels took: completions by status, tokens, cost.

Never hides a zero: a status that did not occur says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from glass_pipeline.domain.records import TRANSIENT_STATUSES
from glass_pipeline.domain.report.blocks import Aid, Block, Grid, Head, Missing, Section
from glass_pipeline.domain.report.evidence import Evidence
from glass_pipeline.domain.report.numerals import NONE, count, percent
from glass_pipeline.domain.report.savings import Spared
from glass_pipeline.domain.report.spending import Spending, spent


def section(evidence: Evidence) -> Section:
    """Return one column a solver."""
    totals = {one.solver: spent(one) for one in evidence.solvers}
    blocks: tuple[Block, ...]
    if any(total.completions for total in totals.values()):
        blocks = (
            Aid(
                "A completion that is cut off, refused, filtered or without a readable answer counts as wrong. One "
                "that failed on the way (error, timeout, limit) counts as nothing and is asked again."
            ),
            _statuses(totals),
            _costs(totals),
            _rules(totals),
            *([_spared(evidence.given.spared)] if evidence.given.spared else []),
        )
    else:
        blocks = (Missing("No solver has been asked yet."),)
    return Section(
        slug="spending",
        title="Statuses and cost",
        blocks=blocks,
        summary={
            solver: {
                "statuses": dict(total.statuses),
                "prompt_tokens": total.prompt_tokens,
                "completion_tokens": total.completion_tokens,
                "cost_usd": total.cost_usd,
                "cost_usd_bases": total.bases.cost_usd,
                "cost_usd_twins": total.twins.cost_usd,
                "fragile": total.fragile,
                "rules": dict(total.rules),
                "spared": evidence.given.spared[solver]._asdict() if solver in evidence.given.spared else None,
            }
            for solver, total in totals.items()
        },
    )


def _statuses(totals: dict[str, Spending]) -> Grid:
    names = list(dict.fromkeys(status for total in totals.values() for status in total.statuses))
    return Grid(
        caption="Completions by status",
        heads=(Head("Status", is_number=False), Head("Counts as", is_number=False), *_heads(totals)),
        rows=(
            *((name, _meaning(name), *(_status(total, name) for total in totals.values())) for name in names),
            ("all", "", *(count(total.completions) for total in totals.values())),
        ),
    )


def _heads(totals: dict[str, Spending]) -> list[Head]:
    return [Head(solver) for solver in totals]


def _meaning(status: str) -> str:
    if status == "ok":
        return "an answer"
    return "nothing, asked again" if status in TRANSIENT_STATUSES else "a wrong answer"


def _status(total: Spending, name: str) -> str:
    n = total.statuses.get(name, 0)
    return f"{count(n)} ({percent(n / total.completions)})" if n and name != "ok" else count(n)


def _costs(totals: dict[str, Spending]) -> Grid:
    return Grid(
        caption="Tokens and cost",
        heads=(Head("What", is_number=False), *_heads(totals)),
        rows=(
            ("Prompt tokens", *(_tokens(total.prompt_tokens) for total in totals.values())),
            ("Completion tokens", *(_tokens(total.completion_tokens) for total in totals.values())),
            ("Cost, US dollars", *(total.cost for total in totals.values())),
            ("of bases", *(total.in_words(total.bases.cost_usd) for total in totals.values())),
            ("of twins", *(total.in_words(total.twins.cost_usd) for total in totals.values())),
            ("Cost of one fragile item found", *(total.cost_per_fragile for total in totals.values())),
            ("Completions for one fragile item found", *(_per_fragile(total) for total in totals.values())),
        ),
    )


def _per_fragile(total: Spending) -> str:
    return count(round(total.completions / total.fragile)) if total.fragile else NONE


def _rules(totals: dict[str, Spending]) -> Grid:
    names = [rule for rule, _ in sum((total.rules for total in totals.values()), Counter[str]()).most_common()]
    return Grid(
        caption="How answers were found",
        heads=(Head("Rule", is_number=False), *_heads(totals)),
        rows=tuple(
            (name, *(percent(total.rules.get(name, 0) / max(total.rules.total(), 1)) for total in totals.values()))
            for name in names
        ),
    )


def _spared(spared: Mapping[str, Spared]) -> Grid:
    return Grid(
        caption="Completions not asked for",
        heads=(Head("Because", is_number=False), *(Head(solver) for solver in spared)),
        rows=(
            ("the modal answer was settled", *(count(each.curtailment) for each in spared.values())),
            ("the text was solved in another dose", *(count(each.distinct_text) for each in spared.values())),
            ("the solver fails the base", *(count(each.stratum) for each in spared.values())),
        ),
    )


def _tokens(n: int | None) -> str:
    return NONE if n is None else count(n)
