"""Holds the continuous variant of Synth-CD: scores that fall by a known amount, and the oracle that knows it.

Never renders a text (see ``texts``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from glass_pipeline.domain.synth_cd.operators import MU, NOISE, ZETA

Floats = NDArray[np.float64]
JOBS = 1000
HELD_OUT = 300
SHAPE = 2.0
"""C and E are Beta(2, 2), independent."""
LOWEST_SCORE = 0.05
QUADRATURE = 64


class ContinuousJobs(NamedTuple):
    """Drawn jobs, one entry a job, twelve twins each."""

    complexity: Floats
    """C, shape ``[J]``."""
    expertise: Floats
    """E, shape ``[J]``."""
    drops: Floats
    """delta = max(0, mu (1 + C) + zeta E + eps), shape ``[J, 12]``."""
    held_out: NDArray[np.int64]
    """Rows of the held-out jobs, sorted."""
    score: Floats
    """Y(J) = clip(.95 - .25 C - .20 E + N(0, .08), .05, 1), shape ``[J]``."""

    @property
    def d_avg(self) -> Floats:
        """Mean drop over the twins, shape ``[J]``."""
        return np.asarray(self.drops.mean(axis=1))

    @property
    def twin_scores(self) -> Floats:
        """Y(T) = max(0, Y(J) - delta), shape ``[J, 12]``."""
        return np.maximum(0.0, self.score[:, None] - self.drops)


def draw_continuous(rng: np.random.Generator, *, jobs: int = JOBS, held_out: int = HELD_OUT) -> ContinuousJobs:
    """Draw jobs in a fixed order: C, E, the noise of every job and operator, who is held out, base scores.

    Args:
        rng: Source of every draw.
        jobs: J.
        held_out: Jobs that no model is trained on.

    Source: methods §8.1.
    """
    complexity, expertise = rng.beta(SHAPE, SHAPE, jobs), rng.beta(SHAPE, SHAPE, jobs)
    noise = rng.normal(0.0, NOISE, (jobs, MU.size))
    drops = np.maximum(0.0, expected_before_floor(complexity, expertise) + noise)
    chosen = np.sort(rng.permutation(jobs)[:held_out])
    score = np.clip(0.95 - 0.25 * complexity - 0.20 * expertise + rng.normal(0.0, 0.08, jobs), LOWEST_SCORE, 1.0)
    return ContinuousJobs(complexity, expertise, drops, chosen, score)


def expected_before_floor(complexity: ArrayLike, expertise: ArrayLike) -> Floats:
    """Return m = mu (1 + C) + zeta E of each job and operator, shape ``[J, 12]``."""
    c, e = np.asarray(complexity, dtype=np.float64), np.asarray(expertise, dtype=np.float64)
    return MU * (1 + c)[:, None] + ZETA * e[:, None]


def expected_drop(complexity: ArrayLike, expertise: ArrayLike) -> Floats:
    """Return E[D_avg | C, E], the mean over operators of m Phi(m / sigma) + sigma phi(m / sigma), shape ``[J]``.

    Source: methods §8.1.
    """
    m = expected_before_floor(complexity, expertise)
    return np.asarray((m * special.ndtr(m / NOISE) + NOISE * stats.norm.pdf(m / NOISE)).mean(axis=1))


def expected_by_complexity(complexity: ArrayLike) -> Floats:
    """Return gamma(C) = E[D_avg | C]: ``expected_drop`` averaged over E ~ Beta(2, 2), shape ``[J]``.

    Source: methods §8.1.
    """
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE)
    e, density = (nodes + 1) / 2, weights / 2 * stats.beta.pdf((nodes + 1) / 2, SHAPE, SHAPE)
    c = np.asarray(complexity, dtype=np.float64)
    grid = expected_drop(np.repeat(c, QUADRATURE), np.tile(e, c.size)).reshape(c.size, QUADRATURE)
    return np.asarray(grid @ density)


def oracle_residual(jobs: ContinuousJobs) -> Floats:
    """Return D_avg - gamma(C), shape ``[J]``."""
    return jobs.d_avg - expected_by_complexity(jobs.complexity)
