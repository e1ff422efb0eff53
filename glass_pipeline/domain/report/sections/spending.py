"""Holds what each solver's labels took: completions by status, tokens, cost.

Never hides a zero: a status that did not occur says so.
"""

from __future__ import annotations

from glass_pipeline.domain.records import TRANSIENT_STATUSES
from glass_pipeline.domain.report.blocks import Aid, Block, Grid, Head, Missing, Section
from glass_pipeline.domain.report.evidence import Evidence
from glass_pipeline.domain.report.numerals import NONE, count, percent
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
        ),
    )


def _tokens(n: int | None) -> str:
    return NONE if n is None else count(n)
