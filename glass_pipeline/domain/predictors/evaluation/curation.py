"""Holds how useful a ranking is for choosing fragile jobs: recall in the top k %, and the mean pi of the choice.

Never chooses for the user (see the command ``curate``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.estimands.ccd import FRAGILE_FROM

Floats = NDArray[np.float64]
DRAWS = 20
"""Random orders of tied scores that are averaged."""


class Curation(NamedTuple):
    """What the top k % of a ranking holds; NaN where nothing is fragile."""

    chosen: int
    """K = round(k n / 100)."""
    recall: float
    """Fragile jobs chosen / fragile jobs."""
    precision: float
    """Fragile jobs chosen / K."""
    oracle_recall: float
    """Recall of the best possible choice, min(K, fragile) / fragile."""
    mean_ratio: float
    """Mean pi of the chosen / mean pi of the K jobs of highest pi; does not saturate."""


def curate(scores: Floats, target: Floats, *, percent: float, rng: np.random.Generator) -> Curation:
    """Score the choice of the top k % of jobs.

    Args:
        scores: Higher is chosen first, shape ``[J]``.
        target: pi, shape ``[J]``.
        percent: k, in (0, 100].
        rng: Source of the order of ties.

    Source: methods §9.
    """
    chosen = top_count(scores.size, percent)
    fragile = target > FRAGILE_FROM
    draws = [np.lexsort((rng.random(scores.size), -scores))[:chosen] for _ in range(DRAWS)]
    hits = float(np.mean([fragile[top].sum() for top in draws]))
    gained = float(np.mean([target[top].sum() for top in draws]))
    best = float(np.sort(target)[::-1][:chosen].sum())
    n_fragile = int(fragile.sum())
    return Curation(
        chosen=chosen,
        recall=hits / n_fragile if n_fragile else float("nan"),
        precision=hits / chosen if chosen else float("nan"),
        oracle_recall=min(chosen, n_fragile) / n_fragile if n_fragile else float("nan"),
        mean_ratio=gained / best if best > 0 else float("nan"),
    )


def top_count(jobs: int, percent: float) -> int:
    """Return K = round(k n / 100), to the nearest whole number."""
    return round(percent * jobs / 100)
