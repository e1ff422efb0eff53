"""Holds the survey of suites, Table 1: how many problems are fragile at all, and whether the three conditions hold.

Never decides what a break is (see ``ccd``), and never repairs a suite.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from glass_pipeline.domain.estimands.answer_drift import labelled_drift
from glass_pipeline.domain.estimands.ccd import FRAGILE_FROM, distinct_texts
from glass_pipeline.domain.estimands.conditions import (
    Condition,
    enough_fragile,
    no_inverse_confound,
)

ZERO_BELOW = 0.001
"""A problem shows no effect if the size of its d_obs is below this."""
SURVEY: dict[str, pl.DataType] = {
    "suite": pl.String(),
    "solver": pl.String(),
    "problems": pl.Int64(),
    "twins": pl.Int64(),
    "twins_per_problem": pl.Float64(),
    "fragile": pl.Int64(),
    "fragile_share": pl.Float64(),
    "zero": pl.Int64(),
    "zero_share": pl.Float64(),
    **{f"r{number}": pl.Boolean() for number in (1, 2, 3)},
    **{f"r{number}_value": pl.Float64() for number in (1, 2, 3)},
    **{f"r{number}_finding": pl.String() for number in (1, 2, 3)},
}
"""Columns of a survey; shares are fractions, null where nothing was solved."""


def survey(pairs: pl.DataFrame, *, suite: str) -> pl.DataFrame:
    """Survey one suite, one row a solver.

    d_obs(J) is the mean delta over the distinct twin texts of a problem; fragile: d_obs > 0.05 and zero:
    |d_obs| < 0.001, both over all problems with twins, in the solvable stratum or not.

    Args:
        pairs: ``schemas.LABELED_PAIRS`` of any doses and solvers, or any frame with its columns ``solver, base_id,
            twin_id, text_hash, file_dose, y_base_run, delta, declared_complexity, audit``; where twins were
            not solved, ``y_base_run`` and ``delta`` are null and all shares with them.
        suite: Name to print.

    Returns:
        Columns of ``SURVEY``: twins are distinct texts; R1 is judged on the verdicts that ``audit`` carries
        (``{"llm": {adjudicator: verdict}}``).

    Source: methods §0 C10, §0 C17, §11 Table 1.
    """
    rows = [
        _row(own, suite, str(solver)) for (solver,), own in pairs.sort("solver").group_by("solver", maintain_order=True)
    ]
    return pl.DataFrame(rows, schema=SURVEY, orient="row")


def _row(pairs: pl.DataFrame, suite: str, solver: str) -> dict[str, Any]:
    texts = distinct_texts(pairs)
    jobs = texts.group_by("base_id").agg(d_obs=pl.col("delta").mean(), c=pl.col("declared_complexity").first())
    solved = jobs.drop_nulls("d_obs")
    fragile = solved.filter(pl.col("d_obs") > FRAGILE_FROM).height
    zero = solved.filter(pl.col("d_obs").abs() < ZERO_BELOW).height
    has_complexity = solved.drop_nulls("c").sort("base_id")
    conditions = (
        labelled_drift(pairs),
        enough_fragile(fragile, solved.height),
        no_inverse_confound(has_complexity["d_obs"].to_numpy(), has_complexity["c"].to_numpy()),
    )
    return {
        "suite": suite,
        "solver": solver,
        "problems": jobs.height,
        "twins": texts.height,
        "twins_per_problem": texts.height / jobs.height,
        "fragile": fragile if solved.height else None,
        "fragile_share": fragile / solved.height if solved.height else None,
        "zero": zero if solved.height else None,
        "zero_share": zero / solved.height if solved.height else None,
        **dict(_named(conditions)),
    }


def _named(conditions: tuple[Condition, ...]) -> Iterator[tuple[str, Any]]:
    for condition in conditions:
        name = condition.name.lower()
        yield from (
            (name, condition.holds),
            (f"{name}_value", condition.value),
            (f"{name}_finding", condition.sentence),
        )
