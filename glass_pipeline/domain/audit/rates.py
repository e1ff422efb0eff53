"""Holds how often each rule of the audit speaks, among all twins and by family.

Never judges a twin.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.audit.rules import DROP_RULES, FLAG_RULES
from glass_pipeline.domain.audit.verdicts import DROPPING

RULES = (*DROP_RULES, *DROPPING, *FLAG_RULES)
"""What can drop a twin, in the order of the audit's reasons, then what only flags it."""


def rule_rates(audit: pl.DataFrame) -> pl.DataFrame:
    """Return one row a rule: ``rule, drops, n, rate``.

    Args:
        audit: ``NOOP_AUDIT``, one row a twin.

    Returns:
        ``drops`` tells a reason to drop from a flag; ``n`` counts twins, several rules may count the same one;
        ``rate`` is n over all twins, null without twins.
    """
    rows = [(rule, rule not in FLAG_RULES, int(audit.select(_spoke(rule).sum()).item() or 0)) for rule in RULES]
    return pl.DataFrame(
        rows, schema={"rule": pl.String(), "drops": pl.Boolean(), "n": pl.Int64()}, orient="row"
    ).with_columns(rate=pl.col("n") / audit.height if audit.height else pl.lit(None, dtype=pl.Float64()))


def dropped_for_several_reasons(audit: pl.DataFrame) -> int:
    """Return how many twins are dropped for more than one reason, the overlap of Table 11."""
    return audit.filter(pl.col("reasons").list.len() > 1).height


def _spoke(rule: str) -> pl.Expr:
    return pl.col(rule) if rule in FLAG_RULES else pl.col("reasons").list.contains(rule)
