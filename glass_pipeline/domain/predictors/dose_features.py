"""Holds how a dose and a family enter the network, and the grid of cells that break counts are held in.

Never looks at a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.jobs import PredictorError
from glass_pipeline.domain.records import DOSES

Floats = NDArray[np.float64]
ANY_FAMILY = ""
SHRINKAGE = 5.0
"""kappa: twins at the overall rate that each cell's rate is mixed with."""


class Cells(NamedTuple):
    """The grid of conditions a twin is made under: every dose by every family, doses outermost."""

    families: tuple[str, ...]
    """Families told apart, or one empty name where they are not."""

    @property
    def size(self) -> int:
        """Number C of cells."""
        return len(DOSES) * len(self.families)

    def features(self) -> Floats:
        """Return what the network is told of each cell, shape ``[C, 8]`` or ``[C, 8 + families]``."""
        doses = np.repeat(dose_features(np.array(DOSES)), len(self.families), axis=0)
        if self.families == (ANY_FAMILY,):
            return doses
        return np.concatenate([doses, np.tile(np.eye(len(self.families)), (len(DOSES), 1))], axis=1)


class CellCounts(NamedTuple):
    """Observations and breaks of each job in each cell, both of shape ``[J, C]``."""

    trials: Floats
    breaks: Floats


def dose_features(doses: NDArray[np.int64]) -> Floats:
    """Return z = (m - 5)/4, z^2, log m / log 9 and the one-hot dose, shape ``[M, 8]``.

    Source: methods §5.1.
    """
    z = (doses - 5) / 4
    return np.column_stack([z, z**2, np.log(doses) / np.log(9), doses[:, None] == np.array(DOSES)]).astype(np.float64)


def cells_of(twins: pl.DataFrame, *, family_heads: bool) -> Cells:
    """Return the cells of a design; families in name order."""
    return Cells(tuple(twins["family"].unique().sort()) if family_heads else (ANY_FAMILY,))


def cell_counts(twins: pl.DataFrame, base_ids: Sequence[str], cells: Cells) -> CellCounts:
    """Count twins of each job in each cell, and their breaks where outcomes are known.

    Args:
        twins: ``jobs.TWIN_SCHEMA`` with or without ``is_break``; families not among the cells' are left out.
        base_ids: Jobs, in the order of the rows to return.
        cells: The grid.

    Raises:
        PredictorError: a twin has a dose outside 1, 3, 5, 7, 9.
    """
    unknown = set(twins["dose"].unique()) - set(DOSES)
    if unknown:
        raise PredictorError(f"twins: dose {min(unknown)} found; doses are among {list(DOSES)}.")
    if cells.families == (ANY_FAMILY,):
        twins = twins.with_columns(family=pl.lit(ANY_FAMILY))
    place = pl.DataFrame(
        {
            "dose": np.repeat(np.array(DOSES), len(cells.families)),
            "family": list(cells.families) * len(DOSES),
            "cell": np.arange(cells.size),
        }
    )
    rows = pl.DataFrame(
        {"base_id": list(base_ids), "row": np.arange(len(base_ids))}, schema_overrides={"base_id": pl.String()}
    )
    broken = pl.col("is_break") if "is_break" in twins.columns else pl.lit(0.0)
    counted = (
        twins.join(rows, on="base_id")
        .join(place, on=["dose", "family"])
        .group_by("row", "cell")
        .agg(trials=pl.len(), breaks=broken.sum())
    )
    trials, breaks = np.zeros((len(base_ids), cells.size)), np.zeros((len(base_ids), cells.size))
    at = counted["row"].to_numpy(), counted["cell"].to_numpy()
    trials[at], breaks[at] = counted["trials"].to_numpy(), counted["breaks"].to_numpy()
    return CellCounts(trials, breaks)


def start_offsets(counts: CellCounts) -> Floats:
    """Return how far the logit break rate of each cell lies above the overall one, shape ``[C]``.

    logit((k_c + kappa p) / (n_c + kappa)) - logit(p). A network that starts there need not learn from few jobs
    that one family breaks more than another (ours; the source knows one overall bias).

    Args:
        counts: Of the training jobs; some twins broke, and some did not.
    """
    n, k = counts.trials.sum(axis=0), counts.breaks.sum(axis=0)
    rate = k.sum() / n.sum()
    return np.asarray(scipy.special.logit((k + SHRINKAGE * rate) / (n + SHRINKAGE)) - scipy.special.logit(rate))
