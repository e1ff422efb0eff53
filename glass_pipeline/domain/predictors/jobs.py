"""Holds what a predictor is shown: base problems, the twins of their design, and outcomes where there are any.

Never holds a feature of a text (see ``features``) or decides which jobs are held out (see ``splits``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.estimands.ccd import FRAGILE_FROM, BreakRule, break_counts, observations
from glass_pipeline.domain.estimands.strata import STRATUM_FROM

Floats = NDArray[np.float64]

PROBLEM_SCHEMA = {
    "base_id": pl.String(),
    "text": pl.String(),
    "category": pl.String(),
    "declared_complexity": pl.Float64(),
    "base_pass_rate": pl.Float64(),
}
"""``base_pass_rate`` is null where the base was never solved; declared complexity where none is declared."""
TWIN_SCHEMA = {"base_id": pl.String(), "text": pl.String(), "family": pl.String(), "dose": pl.Int64()}
DISTINCT_TEXTS = BreakRule()
FEWEST_JOBS = 10
"""Below this many training jobs with a break rate no network is fitted."""
FRAGILE, STEADY, UNSOLVED = "fragile", "not fragile", "unsolved"


class PredictorError(BadInput):
    """A predictor was given jobs that it cannot learn from or predict."""


class MissingPart(PredictorError):
    """A package or weights that a predictor needs are not on this machine: other jobs would not help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSet:
    """Jobs with the twins that are observations of their break rate."""

    problems: pl.DataFrame
    """``PROBLEM_SCHEMA``, one row a job, sorted by base_id; solved or not."""
    twins: pl.DataFrame
    """``TWIN_SCHEMA``, and ``is_break`` in [0, 1] unless outcomes are held back; one row an observation."""

    def __len__(self) -> int:
        return self.problems.height

    @property
    def base_ids(self) -> list[str]:
        """Ids of all jobs, sorted."""
        return self.problems["base_id"].to_list()

    @property
    def texts(self) -> list[str]:
        """Base texts in the order of ``base_ids``."""
        return self.problems["text"].to_list()

    def only(self, base_ids: Collection[str]) -> JobSet:
        """Return some of the jobs."""
        wanted = pl.DataFrame({"base_id": sorted(base_ids)}, schema={"base_id": pl.String()})
        return JobSet(
            problems=self.problems.join(wanted, on="base_id", how="semi").sort("base_id"),
            twins=self.twins.join(wanted, on="base_id", how="semi").sort("base_id", "dose", "family", "text"),
        )

    def without_outcomes(self) -> JobSet:
        """Return the jobs as they are before anything is solved: no breaks; the base pass rate stays.

        Only the baseline that is the base pass rate reads it.
        """
        return JobSet(problems=self.problems, twins=self.twins.select(list(TWIN_SCHEMA)))

    def labelled(self) -> JobSet:
        """Return the jobs that have a break rate."""
        return self.only(self.twins["base_id"].unique().to_list())

    def counts(self) -> pl.DataFrame:
        """Return ``base_id, n, k, pi`` of the jobs that have a break rate, sorted by base_id.

        Raises:
            PredictorError: outcomes were held back.
        """
        if "is_break" not in self.twins.columns:
            raise PredictorError("jobs: outcomes were held back; pass jobs with the column is_break to learn from.")
        return break_counts(self.twins).with_columns(pi=pl.col("k") / pl.col("n"))


def job_set(bases: pl.DataFrame, pairs: pl.DataFrame, rule: BreakRule = DISTINCT_TEXTS) -> JobSet:
    """Make the jobs of one solver from its bases and labelled pairs.

    Args:
        bases: ``PROBLEM_SCHEMA``, every base that was asked, in or out of the stratum.
        pairs: ``schemas.LABELED_PAIRS``, any doses.
        rule: Which pairs are observations.
    """
    problems = bases.select([pl.col(name).cast(dtype) for name, dtype in PROBLEM_SCHEMA.items()]).sort("base_id")
    stratum = problems.filter(pl.col("base_pass_rate") >= STRATUM_FROM)
    observed = observations(pairs, rule).join(stratum, on="base_id", how="semi")
    twins = observed.select(
        "base_id", pl.col("twin_text").alias("text"), "family", dose="file_dose", is_break="is_break"
    )
    return JobSet(problems=problems, twins=twins.sort("base_id", "dose", "family", "text"))


def solver_jobs(
    problems: pl.DataFrame, causal_difficulty: pl.DataFrame, pairs: pl.DataFrame, slice_name: str = POOLED
) -> JobSet:
    """Make the jobs of one solver from the tables of its suite.

    Args:
        problems: Columns ``base_id, text, category, declared_complexity`` of ``schemas.BASE_PROBLEMS``.
        causal_difficulty: Columns ``slice, base_id, y_base_mean`` of ``schemas.CAUSAL_DIFFICULTY``.
        pairs: ``schemas.LABELED_PAIRS`` of every dose held.
        slice_name: ``pooled``, or the one dose whose twins are observations, e.g. ``m9``.
    """
    rates = causal_difficulty.filter(pl.col("slice") == POOLED).select("base_id", base_pass_rate="y_base_mean")
    own = pairs if slice_name == POOLED else pairs.filter(pl.col("file_dose") == int(slice_name[1:]))
    return job_set(problems.join(rates, on="base_id", how="left"), own)


def jobs_of_texts(items: Iterable[tuple[str, str]]) -> JobSet:
    """Return new items, about which nothing but id and text is known, as jobs to predict.

    Raises:
        PredictorError: two items share an id.
    """
    rows = [{"base_id": base_id, "text": text, "category": ""} for base_id, text in items]
    problems = pl.DataFrame(rows, schema=PROBLEM_SCHEMA).sort("base_id")
    if problems["base_id"].n_unique() != problems.height:
        repeated = problems.filter(pl.col("base_id").is_duplicated())["base_id"][0]
        raise PredictorError(f"items: two share the id {repeated!r}; give each its own.")
    return JobSet(problems=problems, twins=pl.DataFrame(schema=TWIN_SCHEMA))


def strata_of(jobs: JobSet) -> dict[str, str]:
    """Return the stratum of each job for ``splits.split_jobs``: fragile, not fragile, or without a break rate."""
    fragile = {base_id: pi > FRAGILE_FROM for base_id, pi in jobs.counts().select("base_id", "pi").iter_rows()}
    return {
        base_id: (FRAGILE if fragile[base_id] else STEADY) if base_id in fragile else UNSOLVED
        for base_id in jobs.base_ids
    }


def break_rates(jobs: JobSet, base_ids: Sequence[str]) -> Floats:
    """Return pi of the named jobs, shape ``[J]``; NaN for a job without one."""
    known = dict(jobs.counts().select("base_id", "pi").iter_rows())
    return np.array([known.get(base_id, np.nan) for base_id in base_ids], dtype=np.float64)


def require_learnable(train: JobSet) -> None:
    """Pass only if a network can learn from these jobs.

    Raises:
        PredictorError: fewer than ten jobs with a break rate, or no twin, or every twin, broke.
    """
    jobs = train.counts().height
    if jobs < FEWEST_JOBS:
        raise PredictorError(
            f"predictor: {jobs} training jobs have a break rate; label at least {FEWEST_JOBS} solved jobs."
        )
    breaks, twins = float(train.twins["is_break"].sum()), train.twins.height
    if not 0 < breaks < twins:
        raise PredictorError(
            f"predictor: {breaks:g} of {twins} training twins broke; it needs both outcomes to learn from."
        )
