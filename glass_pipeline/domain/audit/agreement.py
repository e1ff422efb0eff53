"""Holds how far adjudicators agree with each other on which twins to drop.

Never says who is right: that takes a person's review (see ``review``).
"""

from __future__ import annotations

import math
from itertools import combinations

import polars as pl

from glass_pipeline.domain.audit.review import cohen_kappa
from glass_pipeline.domain.audit.verdicts import NO_OP

COLUMNS = {"one": pl.String(), "other": pl.String(), "n": pl.Int64(), "agreed": pl.Float64(), "kappa": pl.Float64()}


def adjudicator_agreement(audit: pl.DataFrame) -> pl.DataFrame:
    """Return one row a pair of adjudicators: ``one, other, n, agreed, kappa``.

    Args:
        audit: ``NOOP_AUDIT``.

    Returns:
        ``n`` counts the twins that both judged, ``agreed`` is the share on which they agree whether to drop, ``kappa``
        Cohen's κ, null where one verdict is all that either gave.
    """
    said = [dict(zip(*row, strict=True)) for row in audit.select("adjudicators", "verdicts").iter_rows()]
    judges = sorted({judge for verdicts in said for judge in verdicts})
    rows = []
    for one, other in combinations(judges, 2):
        keeps = [(given[one] == NO_OP, given[other] == NO_OP) for given in said if one in given and other in given]
        tables = [keeps.count(seen) for seen in ((False, False), (False, True), (True, False), (True, True))]
        kappa = float(cohen_kappa(*tables))
        if keeps:
            agreed = (tables[0] + tables[3]) / len(keeps)
            rows.append((one, other, len(keeps), agreed, None if math.isnan(kappa) else kappa))
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")
