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


class Part(NamedTuple):
    """What one stage took."""

    completions: int
    cost_usd: float | None


class Spending(NamedTuple):
    """Completions of one solver and what they took; None where the endpoint or the price list does not say."""

    statuses: Mapping[str, int]
    """Completions by status, every known status present."""
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    is_simulated: bool
    bases: Part
    twins: Part
    rules: Counter[str]
    """Completions by the extraction rule that found their answer."""
    fragile: int
    """Items found to be fragile."""

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
        """The cost of everything, in words."""
        return self.in_words(self.cost_usd)

    @property
    def cost_per_fragile(self) -> str:
        """The cost of one item found to be fragile, in words."""
        if not self.fragile:
            return "no fragile item found"
        return self.in_words(None if self.cost_usd is None else self.cost_usd / self.fragile)

    def in_words(self, cost_usd: float | None) -> str:
        """Return a cost of this solver; a simulation is free, an unknown price is said to be unknown."""
        if cost_usd is not None:
            return money(cost_usd)
        return "none (simulated)" if self.is_simulated else "unknown (no price declared)"


def spent(one: SolverEvidence) -> Spending:
    """Add up one solver's base re-solves and distinct twins."""
    columns = ["statuses", "rules", "prompt_tokens", "completion_tokens", "cost_usd"]
    rows = pl.concat([one.base_labels.select(columns), one.twin_labels.select(columns)])
    samples = rows["statuses"].explode(empty_as_null=False, keep_nulls=False)
    seen = Counter(samples.fill_null("unknown").to_list())
    return Spending(
        statuses={status: seen.get(status, 0) for status in (*STATUSES, *sorted(set(seen) - set(STATUSES)))},
        prompt_tokens=_total(rows["prompt_tokens"]),
        completion_tokens=_total(rows["completion_tokens"]),
        cost_usd=_total(rows["cost_usd"]),
        is_simulated=one.is_simulated,
        bases=_part(one.base_labels),
        twins=_part(one.twin_labels),
        rules=Counter(rows["rules"].explode(empty_as_null=False, keep_nulls=False).to_list()),
        fragile=one.study.n_fragile,
    )


def _part(labels: pl.DataFrame) -> Part:
    return Part(int(labels["statuses"].list.len().sum()), _total(labels["cost_usd"]))


def _total(values: pl.Series) -> Any:
    return None if values.is_empty() or values.null_count() else values.sum()
