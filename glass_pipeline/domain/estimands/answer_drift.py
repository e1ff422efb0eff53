"""Holds the first condition read off tables: whether adjudicators found kept twins with another answer.

Never asks an adjudicator, and never takes an unparsable verdict for one.
"""

from __future__ import annotations

import json

import polars as pl

from glass_pipeline.domain.audit.verdicts import CONTRADICTION, UNPARSABLE
from glass_pipeline.domain.estimands.ccd import distinct_texts
from glass_pipeline.domain.estimands.conditions import Condition, no_answer_drift


def audited_drift(noop_audit: pl.DataFrame) -> Condition:
    """Judge R1 on the twins that an audit keeps.

    Args:
        noop_audit: ``schemas.NOOP_AUDIT``.
    """
    said = noop_audit.filter("keep").select(
        drifted=pl.col("verdicts").list.contains(CONTRADICTION),
        judged=pl.col("verdicts").list.set_difference(pl.lit([UNPARSABLE])).list.len() > 0,
    )
    judged = int(said["judged"].sum())
    return no_answer_drift(int(said["drifted"].sum()), judged, unaudited=said.height - judged)


def labelled_drift(pairs: pl.DataFrame) -> Condition:
    """Judge R1 on the verdicts that labelled pairs carry, each distinct text once.

    Args:
        pairs: ``schemas.LABELED_PAIRS`` of one solver, any doses; the column ``audit`` holds
            ``{"llm": {adjudicator: verdict}}`` where an adjudicator judged.
    """
    texts = distinct_texts(pairs)
    verdicts = [(_verdicts(audit), n) for audit, n in texts.group_by("audit").agg(n=pl.len()).iter_rows()]
    audited = sum(n for said, n in verdicts if said)
    return no_answer_drift(
        sum(n for said, n in verdicts if CONTRADICTION in said), audited, unaudited=texts.height - audited
    )


def _verdicts(audit: str) -> set[str]:
    judged = json.loads(audit).get("llm")
    said = judged.values() if isinstance(judged, dict) else ()
    return {str(verdict) for verdict in said} - {UNPARSABLE}
