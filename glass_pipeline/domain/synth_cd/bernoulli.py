"""Holds the Bernoulli variant of Synth-CD: twins that break or not, at five doses, with known probabilities.

Never renders a text (see ``texts``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from glass_pipeline.domain.records import DOSES
from glass_pipeline.domain.synth_cd.operators import TIER_OF

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

JOBS = 500
TWINS_PER_DOSE = 5
INTERCEPT, COMPLEXITY, EXPERTISE, SPREAD = -2.6, 4.0, 6.0, 0.7
COMPLEXITY_BY_TIER = np.array([0.2, 1.0, 0.2, 1.0])
EXPERTISE_BY_TIER = np.array([0.2, 0.2, 1.0, 1.0])
LEVEL_BY_TIER = np.array([-1.5, 0.0, 0.0, 0.4])
REPAIRED = 0.3
"""Chance that a twin of an unsolved base is solved."""
MIDDLE_DOSE = 5


class BernoulliJobs(NamedTuple):
    """Drawn jobs with N twins each; twins of a dose together, doses rising."""

    complexity: Floats
    """C, shape ``[J]``."""
    expertise: Floats
    """E, shape ``[J]``."""
    solved: NDArray[np.bool_]
    """Y(J), shape ``[J]``."""
    dose: Integers
    """m of each twin, shape ``[N]``, alike for all jobs."""
    operator: Integers
    """Operator of each twin, 0 to 11, shape ``[J, N]``."""
    probability: Floats
    """p of a break of a solved base, shape ``[J, N]``."""
    twin_solved: NDArray[np.bool_]
    """Y(T), shape ``[J, N]``."""

    @property
    def breaks(self) -> NDArray[np.bool_]:
        """B, shape ``[J, N]``: the base is solved, the twin is not."""
        return self.solved[:, None] & ~self.twin_solved

    @property
    def pi(self) -> Floats:
        """Break rate of each job, shape ``[J]``; NaN where the base is unsolved."""
        return np.where(self.solved, self.breaks.mean(axis=1), np.nan)


def draw_bernoulli(rng: np.random.Generator, *, jobs: int = JOBS, per_dose: int = TWINS_PER_DOSE) -> BernoulliJobs:
    """Draw jobs; p(J, m, op) = sigmoid(a0 + u + aC (C - .5) wC + aE (E - .5) wE + t + b (m - 5)).

    b_J = .12 + .20 (E - .5), u_J ~ N(0, .7^2); the base is solved with sigmoid(3 - 2.5 (C - .5) - 1.5 (E - .5)).

    Args:
        rng: Source of every draw.
        jobs: J.
        per_dose: Twins at each of five doses.

    Source: methods §8.2.
    """
    c, e = rng.beta(2.0, 2.0, jobs), rng.beta(2.0, 2.0, jobs)
    level = rng.normal(0.0, SPREAD, jobs)
    dose = np.repeat(np.array(DOSES, dtype=np.int64), per_dose)
    operator = rng.integers(TIER_OF.size, size=(jobs, dose.size))
    tier = TIER_OF[operator]
    logit = (
        INTERCEPT
        + level[:, None]
        + COMPLEXITY * (c - 0.5)[:, None] * COMPLEXITY_BY_TIER[tier]
        + EXPERTISE * (e - 0.5)[:, None] * EXPERTISE_BY_TIER[tier]
        + LEVEL_BY_TIER[tier]
        + (0.12 + 0.20 * (e - 0.5))[:, None] * (dose - MIDDLE_DOSE)
    )
    probability = special.expit(logit)
    solved = rng.random(jobs) < special.expit(3 - 2.5 * (c - 0.5) - 1.5 * (e - 0.5))
    chance = np.where(solved[:, None], 1 - probability, REPAIRED)
    return BernoulliJobs(c, e, solved, dose, operator, probability, rng.random(probability.shape) < chance)
