"""Holds the three conditions that a suite must meet before its causal difficulty means anything.

Never repairs a suite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
import scipy
from numpy.typing import ArrayLike

from glass_pipeline.domain.audit.contamination import Stratum, stratified_rate
from glass_pipeline.domain.stats.rank import spearman

FRAGILE_ABOVE = 0.05
"""A problem is fragile when its D_avg exceeds this (methods C17)."""
FEWEST_FRAGILE = 0.15
"""R2: share of fragile problems from which a ranking has something to rank."""
FEWEST_JOBS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One condition, what was measured, and whether it holds."""

    name: str
    holds: bool | None
    """None where it cannot be judged."""
    value: float | None
    sentence: str
    """What was found, in words."""


def no_answer_drift(drifted: int, audited: int, *, unaudited: int = 0) -> Condition:
    """Judge R1, the No-Op: among kept twins whose answer was checked none has another answer than its base.

    The sentence says what is not excluded: the upper end of Clopper and Pearson's interval, and the twins that nobody
    checked.

    Args:
        drifted: Kept twins whose answer was found to differ.
        audited: Kept twins whose answer was checked.
        unaudited: Kept twins whose answer was not checked.

    Source: DESIGN §5; methods §3.4.
    """
    if not audited:
        return Condition(name="R1", holds=None, value=None, sentence="No twin's answer was audited yet.")
    found = stratified_rate([Stratum(size=audited, found=drifted, sampled=audited)])
    bound = 1.0 if found is None else found.clopper_pearson.high
    sentence = (
        f"{drifted} of {audited} audited twins have another answer than their base (at most {bound:.2%} with 95 %)"
    )
    return Condition(
        name="R1",
        holds=drifted == 0,
        value=drifted / audited,
        sentence=f"{sentence}; kept twins that nobody judged: {unaudited}." if unaudited else f"{sentence}.",
    )


def enough_fragile(fragile: int, problems: int) -> Condition:
    """Judge R2: at least 15 % of problems are fragile (D_avg > 0.05 over all problems, as in the paper's Table 1).

    Args:
        fragile: Problems with D_avg above 0.05.
        problems: Problems with twins.
    """
    if not problems:
        return Condition(name="R2", holds=None, value=None, sentence="No problem has a labelled twin yet.")
    share = fragile / problems
    return Condition(
        name="R2",
        holds=share >= FEWEST_FRAGILE,
        value=share,
        sentence=f"{fragile} of {problems} problems are fragile ({share:.1%}; at least 15 % are wanted).",
    )


def no_inverse_confound(fragility: ArrayLike, complexity: ArrayLike) -> Condition:
    """Judge R3: fragility does not fall as complexity rises.

    It holds unless the upper 95 % bound of Spearman(fragility, C) is below 0; the bound is Fisher's z with the
    standard error of Bonett and Wright, sqrt((1 + rho^2 / 2) / (J - 3)), one-sided.

    Args:
        fragility: D_avg of each problem, shape ``[J]``.
        complexity: C of each problem, shape ``[J]``.
    """
    x, c = np.asarray(fragility, dtype=np.float64), np.asarray(complexity, dtype=np.float64)
    rho = spearman(x, c) if x.size >= FEWEST_JOBS else float("nan")
    if np.isnan(rho):
        reason = f"{x.size} problems with varying fragility and complexity are too few to judge."
        return Condition(name="R3", holds=None, value=None, sentence=reason)
    error = np.sqrt((1 + rho**2 / 2) / (x.size - 3))
    bound = float(np.tanh(np.arctanh(np.clip(rho, -1 + 1e-12, 1 - 1e-12)) + scipy.stats.norm.ppf(0.95) * error))
    return Condition(
        name="R3",
        holds=bound >= 0,
        value=rho,
        sentence=f"Spearman of fragility and complexity is {rho:.3f}, at most {bound:.3f} (95 %).",
    )


def fragile_condition(causal_difficulty: pl.DataFrame) -> Condition:
    """Judge R2 on the pooled slice of one solver."""
    averages = _pooled_averages(causal_difficulty)["d_avg"]
    return enough_fragile(int((averages > FRAGILE_ABOVE).sum()), averages.len())


def confound_condition(causal_difficulty: pl.DataFrame) -> Condition:
    """Judge R3 on the pooled slice of one solver."""
    jobs = _pooled_averages(causal_difficulty)
    return no_inverse_confound(jobs["d_avg"].to_numpy(), jobs["declared_complexity"].to_numpy())


def _pooled_averages(causal_difficulty: pl.DataFrame) -> pl.DataFrame:
    return causal_difficulty.filter(pl.col("slice") == "pooled", pl.col("d_avg").is_not_null())
