"""Holds how many completions of twins were not asked for because nothing would have been learnt from them.

Never counts money: what a completion that was never asked for would have cost, nobody knows.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from glass_pipeline.domain.estimands.strata import STRATUM_FROM, base_pass_rates

TEXT = ("base_id", "text_hash")
"""What tells one twin text of a base from another."""


class Spared(NamedTuple):
    """Completions that one solver was not asked for."""

    curtailment: int
    """Further samples of a twin whose modal answer they could not have changed."""
    distinct_text: int
    """Samples of a text that stands in several doses, beyond its first."""
    stratum: int
    """Samples of twins of the mix whose base the solver fails, where those are left out."""

    def __str__(self) -> str:
        """Return the three counts in words."""
        return (
            f"{self.curtailment} by curtailment, {self.distinct_text} by solving a text once, "
            f"{self.stratum} outside the stratum"
        )


def spared(
    solver_labels: pl.DataFrame,
    base_labels: pl.DataFrame,
    mix: pl.DataFrame,
    *,
    samples: int,
    stratum_only: bool,
) -> dict[str, Spared]:
    """Return what each solver was spared.

    Args:
        solver_labels: Columns ``solver, base_id, text_hash, n_samples``, one row a twin and dose.
        base_labels: Columns ``solver, base_id, n_samples, n_correct`` of every dose run.
        mix: Columns ``base_id, text_hash`` of the mixes of the doses that were solved.
        samples: Completions of a full draw.
        stratum_only: Whether twins of bases below a pass rate of 0.5 are left out.
    """
    found = {}
    for (solver,), rows in solver_labels.group_by("solver", maintain_order=True):
        texts = rows.unique(TEXT, keep="first", maintain_order=True)
        left_out = 0
        if stratum_only:
            runs = base_labels.filter(pl.col("solver") == solver)
            failed = base_pass_rates(runs).filter(pl.col("y_base_mean") < STRATUM_FROM)
            left_out = mix.unique(TEXT).join(failed, on="base_id", how="semi").join(texts, on=TEXT, how="anti").height
        found[str(solver)] = Spared(
            curtailment=max(samples * texts.height - _sum(texts), 0),
            distinct_text=_sum(rows) - _sum(texts),
            stratum=samples * left_out,
        )
    return found


def _sum(labels: pl.DataFrame) -> int:
    return int(labels["n_samples"].sum())
