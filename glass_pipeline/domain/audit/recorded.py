"""Holds the audit of twins that record their edit.

Never edits a twin: a bad one is dropped with its reasons.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import polars as pl

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.audit.faithful import INJECTIONS, is_faithful
from glass_pipeline.domain.audit.pairs import PairError, case_of_pair
from glass_pipeline.domain.audit.rules import rule
from glass_pipeline.domain.records import Problem, Twin
from glass_pipeline.domain.schemas import NOOP_AUDIT
from glass_pipeline.domain.twins import MisfitError
from glass_pipeline.domain.twins.registry import taken_back

RULES = "rules"
"""Generator of the deterministic operators, which always record an edit that can be taken back."""


def audit_twins(problems: Iterable[Problem], twins: Iterable[Twin]) -> pl.DataFrame:
    """Ask every rule about every twin.

    Args:
        problems: The bases, in any order; those without a twin are ignored.
        twins: Twins of these bases.

    Returns:
        A frame valid under ``NOOP_AUDIT``, one row a twin, without adjudicators.

    Raises:
        ValueError: a twin's base is not among the problems.

    Source: methods §3.4.
    """
    bases = {problem.base_id: problem for problem in problems}
    rows = []
    for twin in twins:
        base = bases.get(twin.base_id)
        if base is None:
            raise ValueError(
                f"audit_twins: twin {twin.twin_id!r} belongs to base {twin.base_id!r}, which was not given."
            )
        rows.append(_row(base, twin))
    return NOOP_AUDIT.frame(rows)


def _row(base: Problem, twin: Twin) -> dict[str, Any]:
    ruling = rule(_case(base, twin))
    return {
        "base_id": twin.base_id,
        "twin_id": twin.twin_id,
        "dose": twin.dose,
        "family": twin.family,
        **ruling.verdicts,
        "adjudicators": [],
        "verdicts": [],
        "rationales": [],
        "keep": ruling.keep,
        "reasons": list(ruling.reasons),
    }


def _case(base: Problem, twin: Twin) -> Case:
    """Return the case of a twin; one that records no edit we can take back is read like any other pair."""
    try:
        restored, record = taken_back(twin)
    except MisfitError:
        return _compared(base, twin)
    spans = record.get("spans", ())
    names = {old.lower(): new for _, old, new in spans} if twin.family == "entity_rename" else {}
    inserted = tuple(new.strip() for _, _, new in spans) if twin.family in INJECTIONS else ()
    return Case(
        base_text=base.text,
        twin_text=twin.text,
        gold=base.gold,
        inserted=inserted,
        new_names=tuple(names.values()),
        is_base_kept=restored == base.text and is_faithful(base, twin, record),
    )


def _compared(base: Problem, twin: Twin) -> Case:
    """Read a twin without a usable record by comparison; our own operators always record, so theirs is altered."""
    try:
        found = case_of_pair(base.text, twin.text, base.gold)
    except PairError:
        found = Case(
            base_text=base.text, twin_text=twin.text, gold=base.gold, inserted=(), new_names=(), is_base_kept=False
        )
    return replace(found, is_base_kept=found.is_base_kept and twin.generator != RULES)
