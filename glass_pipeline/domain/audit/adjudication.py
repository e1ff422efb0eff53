"""Holds which pairs adjudicators are shown, and how their verdicts enter the table of the audit.

Never asks an adjudicator, and never lets a twin pass that one of them has not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from glass_pipeline.domain.audit.rules import DROP_RULES
from glass_pipeline.domain.audit.verdicts import DROPPING, Verdict
from glass_pipeline.domain.records import Problem, Twin
from glass_pipeline.domain.schemas import NOOP_AUDIT

Scope = Literal["kept", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One base and twin as an adjudicator sees them."""

    twin_id: str
    base_text: str
    twin_text: str
    gold: str


def pairs_to_judge(
    problems: Iterable[Problem], twins: Iterable[Twin], audit: pl.DataFrame, *, scope: Scope = "kept"
) -> tuple[Pair, ...]:
    """Return the pairs that adjudicators are shown.

    Args:
        problems: The bases.
        twins: Their twins.
        audit: ``NOOP_AUDIT`` of these twins.
        scope: ``kept``: what the rules keep; ``all``: every pair, as the published audit did.

    Raises:
        ValueError: a twin's base is not among the problems, or a twin was not audited.
    """
    bases = {problem.base_id: problem for problem in problems}
    by_rules = {row["twin_id"]: not rule_reasons(row["reasons"]) for row in audit.iter_rows(named=True)}
    pairs = []
    for twin in twins:
        base = bases.get(twin.base_id)
        if base is None or twin.twin_id not in by_rules:
            lacks = "base" if base is None else "audit"
            raise ValueError(f"pairs_to_judge: the {lacks} of twin {twin.twin_id!r} was not given.")
        if scope == "all" or by_rules[twin.twin_id]:
            pairs.append(Pair(twin_id=twin.twin_id, base_text=base.text, twin_text=twin.text, gold=base.gold))
    return tuple(pairs)


def adjudicated(
    audit: pl.DataFrame, verdicts: Iterable[Verdict], adjudicators: Sequence[str] | None = None
) -> pl.DataFrame:
    """Return the audit with the verdicts in it: a twin is kept if the rules and every adjudicator keep it.

    Verdicts that the audit holds already are replaced, so doing this twice changes nothing.

    Args:
        audit: ``NOOP_AUDIT``.
        verdicts: At most one of each adjudicator on each twin; those on other twins are ignored.
        adjudicators: Whose verdicts are due, in the order of the columns; None: those who gave any.

    Raises:
        ValueError: somebody judged a twin twice, or a twin that the rules keep lacks a verdict that is due.

    Source: methods §3.4: a contradiction, or an answer that stays unparsable, drops the pair.
    """
    given: dict[str, dict[str, Verdict]] = {}
    for verdict in verdicts:
        if given.setdefault(verdict.twin_id, {}).setdefault(verdict.adjudicator, verdict) is not verdict:
            raise ValueError(f"adjudicated: {verdict.adjudicator!r} judged twin {verdict.twin_id!r} twice.")
    due = tuple(adjudicators) if adjudicators is not None else _everybody(given.values())
    rows = [_with_verdicts(row, given.get(row["twin_id"], {}), due) for row in audit.iter_rows(named=True)]
    return NOOP_AUDIT.frame(rows)


def rule_reasons(reasons: Iterable[str]) -> list[str]:
    """Return the reasons that the rules gave, without those of adjudicators."""
    return [reason for reason in reasons if reason in DROP_RULES]


def _everybody(given: Iterable[dict[str, Verdict]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for by_name in given for name in by_name))


def _with_verdicts(row: dict[str, Any], given: dict[str, Verdict], due: Sequence[str]) -> dict[str, Any]:
    by_rules = rule_reasons(row["reasons"])
    missing = [name for name in due if name not in given]
    if missing and not by_rules:
        raise ValueError(
            f"adjudicated: twin {row['twin_id']!r} has no verdict of {missing[0]!r}; have it judged first."
        )
    said = [given[name] for name in due if name in given]
    by_models = [finding for finding in DROPPING if any(verdict.finding == finding for verdict in said)]
    return {
        **row,
        "adjudicators": [verdict.adjudicator for verdict in said],
        "verdicts": [verdict.finding for verdict in said],
        "rationales": [verdict.rationale for verdict in said],
        "keep": not by_rules and not by_models,
        "reasons": [*by_rules, *by_models],
    }
