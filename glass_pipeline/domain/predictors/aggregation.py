"""Holds how predicted break probabilities of cells become one job's pi, dose line and worst case.

Never predicts (see ``frail_pi``); the formulas over doses are those of ``estimands.dose_targets``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.estimands.dose_targets import dose_line, worst_case
from glass_pipeline.domain.predictors.dose_features import Cells
from glass_pipeline.domain.records import DOSES

Floats = NDArray[np.float64]


class Design(NamedTuple):
    """Share of twins in each cell."""

    suite: Floats
    """Over all training twins, shape ``[C]``, sums to 1."""
    jobs: Floats | None = None
    """Planned twins of each job, shape ``[J, C]``; None: as the suite. A job without any takes the suite's."""


def aggregate(
    base_ids: Sequence[str], rates: Floats, cells: Cells, design: Design, twins: Sequence[int]
) -> pl.DataFrame:
    """Return ``base_id, pi_hat, a_hat, b_hat, wc_hat`` of each job.

    pi = sum_c w_c p_c; (a, b) and the worst case are taken on the curve over doses, families weighed in each dose
    as in the suite.

    Args:
        base_ids: Jobs.
        rates: p, shape ``[J, C]``.
        cells: What the columns are.
        design: How they are weighed.
        twins: K_m, twins at each dose for the worst case.

    Source: methods §5.4.
    """
    curve = dose_curve(rates, cells, design.suite)
    a, b = dose_line(curve, DOSES)
    weights = _job_weights(design, rates.shape[0])
    return pl.DataFrame(
        {
            "base_id": list(base_ids),
            "pi_hat": (rates * weights).sum(axis=1),
            "a_hat": a,
            "b_hat": b,
            "wc_hat": worst_case(curve, twins),
        },
        schema_overrides={"base_id": pl.String()},
    )


def dose_curve(rates: Floats, cells: Cells, suite: Floats) -> Floats:
    """Return p at each dose, shape ``[J, 5]``; a dose without training twins weighs families as the suite does."""
    by_dose = suite.reshape(len(DOSES), len(cells.families))
    known = by_dose.sum(axis=1, keepdims=True) > 0
    weights = np.where(known, by_dose, by_dose.sum(axis=0))
    weights = weights / weights.sum(axis=1, keepdims=True)
    grid = rates.reshape(-1, len(DOSES), len(cells.families))
    return np.asarray((grid * weights).sum(axis=2))


def _job_weights(design: Design, jobs: int) -> Floats:
    if design.jobs is None:
        return np.broadcast_to(design.suite, (jobs, design.suite.size))
    planned = design.jobs.sum(axis=1, keepdims=True)
    return np.where(planned > 0, design.jobs / np.maximum(planned, 1.0), design.suite)
