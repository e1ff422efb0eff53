"""Holds what a solver's labels cost: completions by status, tokens, money.

Never counts a twin text twice: it is solved once, however many dose files list it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

from glass_pipeline.domain.records import TERMINAL_STATUSES, TRANSIENT_STATUSES
from glass_pipeline.domain.report.evidence import SolverEvidence
from glass_pipeline.domain.report.numerals import money

STATUSES = ("ok", *TERMINAL_STATUSES, *TRANSIENT_STATUSES)


class Spending(NamedTuple):
    """Completions of one solver and what they took; None where the endpoint or the price list does not say."""

    statuses: Mapping[str, int]
    """Completions by status, every known status present."""
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    is_simulated: bool

    @property
    def completions(self) -> int:
        """All completions."""
        return sum(self.statuses.values())

    @property
    def without_answer(self) -> int:
        """Completions that are not answers."""
        return self.completions - self.statuses["ok"]

    @property
    def cost(self) -> str:
        """The cost in words: a simulation is free, an unknown price is said to be unknown."""
        if self.cost_usd is not None:
            return money(self.cost_usd)
        return "none (simulated)" if self.is_simulated else "unknown (no price declared)"


def spent(one: SolverEvidence) -> Spending:
    """Add up one solver's base re-solves and distinct twins."""
    columns = ["statuses", "prompt_tokens", "completion_tokens", "cost_usd"]
    rows = pl.concat([one.base_labels.select(columns), one.twin_labels.select(columns)])
    samples = rows["statuses"].explode(empty_as_null=False, keep_nulls=False)
    seen = Counter(samples.fill_null("unknown").to_list())
    return Spending(
        statuses={status: seen.get(status, 0) for status in (*STATUSES, *sorted(set(seen) - set(STATUSES)))},
        prompt_tokens=_total(rows["prompt_tokens"]),
        completion_tokens=_total(rows["completion_tokens"]),
        cost_usd=_total(rows["cost_usd"]),
        is_simulated=one.is_simulated,
    )


def _total(values: pl.Series) -> Any:
    return None if values.is_empty() or values.null_count() else values.sum()
