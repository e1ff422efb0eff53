"""Holds the way from drawn Bernoulli jobs to the jobs that predictors learn from.

Never draws anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from glass_pipeline.domain.predictors.jobs import PROBLEM_SCHEMA, JobSet
from glass_pipeline.domain.synth_cd.bernoulli import BernoulliJobs
from glass_pipeline.domain.synth_cd.operators import TIER_OF, TIERS


def bernoulli_job_set(drawn: BernoulliJobs, texts: Sequence[str] | None = None) -> JobSet:
    """Return drawn jobs with twins of the solved ones as observations; a twin's family is its operator's tier.

    Args:
        drawn: Of ``draw_bernoulli``.
        texts: Text of each job; None takes its id. A twin's text is its place in its job.
    """
    ids = [job_id(row) for row in range(drawn.complexity.size)]
    problems = pl.DataFrame(
        {
            "base_id": ids,
            "text": ids if texts is None else list(texts),
            "category": [""] * len(ids),
            "declared_complexity": drawn.complexity,
            "base_pass_rate": drawn.solved.astype(float),
        },
        schema=PROBLEM_SCHEMA,
    )
    twins = [
        {
            "base_id": ids[row],
            "text": f"{ids[row]} twin {twin}",
            "family": TIERS[TIER_OF[drawn.operator[row, twin]]],
            "dose": int(dose),
            "is_break": float(drawn.breaks[row, twin]),
        }
        for row in drawn.solved.nonzero()[0]
        for twin, dose in enumerate(drawn.dose)
    ]
    return JobSet(
        problems=problems.sort("base_id"), twins=pl.DataFrame(twins).sort("base_id", "dose", "family", "text")
    )


def job_id(row: int) -> str:
    """Return the id of a drawn job."""
    return f"synth-{row:05d}"
