"""Holds how far two solvers agree on which jobs are fragile, raw and freed of measurement noise.

Never trains or transfers a model.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.estimands.ccd import FRAGILE_FROM
from glass_pipeline.domain.estimands.slices import FEWEST_JOBS
from glass_pipeline.domain.reliability.ceiling import reliability_ceiling
from glass_pipeline.domain.schemas import SOLVER_AGREEMENT
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.stats.rank import pearson, spearman

Floats = NDArray[np.float64]
TOO_SMALL = "n too small"
NO_RANKS = "no rank agreement: all jobs of a solver look alike"
NO_KAPPA = "no kappa: every job is fragile for both, or for neither"
NO_RELIABILITY = "not disattenuated: a reliability is 0 or unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverAgreement:
    """Agreement of two solvers on the jobs that both can solve; None where it is undefined."""

    n_jobs: int
    spearman: float | None
    spearman_se: float | None
    """Standard error, jackknife over jobs."""
    kendall: float | None
    kappa: float | None
    """Cohen's kappa of fragile (pi > 0.05) against not."""
    reliabilities: tuple[float | None, float | None]
    """r of each solver on these jobs (npmle)."""
    disattenuated: float | None
    """spearman / sqrt(r_1 r_2): agreement of the underlying rates; may exceed 1."""


def solver_agreement_table(causal_difficulty: pl.DataFrame, *, seed: int) -> pl.DataFrame:
    """Return ``schemas.SOLVER_AGREEMENT``: every pair of solvers on the pooled slice, names in order.

    Args:
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of every solver held.
        seed: Seed of the study; each pair has its own generator.
    """
    pooled = causal_difficulty.filter(pl.col("slice") == POOLED)
    jobs = {str(solver): frame for (solver,), frame in pooled.group_by("solver", maintain_order=True)}
    rows = []
    for solver, other in combinations(sorted(jobs), 2):
        rng = child_generator(seed, "solver_agreement", solver, other)
        found = solver_agreement(jobs[solver], jobs[other], rng=rng)
        rows.append(
            {
                "solver": solver,
                "other": other,
                **{name: getattr(found, name) for name in ("n_jobs", "spearman", "spearman_se", "kendall", "kappa")},
                "r": found.reliabilities[0],
                "r_other": found.reliabilities[1],
                "disattenuated": found.disattenuated,
                "note": _note(found),
            }
        )
    return SOLVER_AGREEMENT.frame(rows)


def _note(found: SolverAgreement) -> str:
    if found.n_jobs < FEWEST_JOBS:
        return TOO_SMALL
    reasons = [
        NO_RANKS if found.spearman is None or found.spearman_se is None or found.kendall is None else "",
        NO_KAPPA if found.kappa is None else "",
        NO_RELIABILITY if found.disattenuated is None else "",
    ]
    return "; ".join(filter(None, reasons))


def solver_agreement(first: pl.DataFrame, second: pl.DataFrame, *, rng: np.random.Generator) -> SolverAgreement:
    """Compare the break rates of two solvers on jointly solvable jobs.

    Args:
        first: ``base_id, n, k, pi`` of one solver and slice (``schemas.CAUSAL_DIFFICULTY``); jobs without pi are
            left out.
        second: The same of the other solver.
        rng: Source of the reliability replicates.

    Source: methods §9.
    """
    columns = ["base_id", "n", "k", "pi"]
    joint = first.select(columns).drop_nulls("pi").join(second.select(columns).drop_nulls("pi"), on="base_id")
    joint = joint.sort("base_id")
    x, y = joint["pi"].to_numpy(), joint["pi_right"].to_numpy()
    rho = _defined(spearman(x, y))
    ceilings = [
        reliability_ceiling(joint[k].to_numpy(), joint[n].to_numpy(), rng=rng, prior="npmle")
        for k, n in (("k", "n"), ("k_right", "n_right"))
    ]
    r_first, r_second = (None if ceiling is None else ceiling.r for ceiling in ceilings)
    return SolverAgreement(
        n_jobs=joint.height,
        spearman=rho,
        spearman_se=None if rho is None else jackknife_spearman_se(x, y),
        kendall=_defined(float(scipy.stats.kendalltau(x, y).statistic)) if joint.height > 1 else None,
        kappa=cohen_kappa(x > FRAGILE_FROM, y > FRAGILE_FROM),
        reliabilities=(r_first, r_second),
        disattenuated=disattenuate(rho, r_first, r_second),
    )


def disattenuate(rho: float | None, r_first: float | None, r_second: float | None) -> float | None:
    """Return rho / sqrt(r_1 r_2), or None where a part is unknown or a reliability is 0.

    Source: Spearman (1904); methods §9.
    """
    if rho is None or not r_first or not r_second:
        return None
    return float(rho / np.sqrt(r_first * r_second))


def jackknife_spearman_se(x: Floats, y: Floats) -> float | None:
    """Return the jackknife standard error of Spearman's correlation, one job left out at a time.

    SE^2 = (J - 1) / J sum_j (rho_-j - mean rho_-)^2. Leaving job j out lowers the average rank of every larger value
    by 1 and of every equal one by 1/2, so nothing is sorted again.

    Args:
        x: Shape ``[J]``.
        y: Shape ``[J]``.

    Returns:
        The standard error, or None for fewer than three jobs or where a left-out correlation is undefined.
    """
    if x.size < 3:
        return None
    ranks = np.stack([scipy.stats.rankdata(x), scipy.stats.rankdata(y)])
    left_out = np.empty(x.size)
    for job in range(x.size):
        lowered = ranks - (ranks > ranks[:, [job]]) - 0.5 * (ranks == ranks[:, [job]])
        kept = np.delete(lowered, job, axis=1)
        left_out[job] = pearson(kept[0], kept[1])
    variance = (x.size - 1) / x.size * float(((left_out - left_out.mean()) ** 2).sum())
    return _defined(float(np.sqrt(variance)))


def cohen_kappa(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float | None:
    """Return Cohen's kappa, (agreement - chance) / (1 - chance), or None where chance agreement is certain."""
    if not first.size:
        return None
    agreement = float((first == second).mean())
    p, q = float(first.mean()), float(second.mean())
    chance = p * q + (1 - p) * (1 - q)
    return None if chance == 1 else (agreement - chance) / (1 - chance)


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value
