"""Holds the dose response of a job, (a_J, b_J), by hierarchical empirical Bayes.

Never fits a job alone: a quarter to a third of jobs break never or always, where maximum likelihood diverges.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

MIDDLE_DOSE = 5.0
"""m-bar: mean of the five levels; a_J is the logit break rate there."""
EM_STEPS = 60
EM_TOLERANCE = 1e-4
NEWTON_STEPS = 30
LONGEST_STEP = 2.0
START_COVARIANCE = (2.0, 0.05)
SMALLEST_VARIANCE = 1e-8

Floats = NDArray[np.float64]


class DosePrior(NamedTuple):
    """Normal distribution of (a, b) over jobs."""

    mean: Floats
    """mu, shape ``[2]``: logits, and logits per dose unit."""
    covariance: Floats
    """S, shape ``[2, 2]``."""


class DoseFit(NamedTuple):
    """Posterior modes of (a_J, b_J) and their curvature."""

    a: Floats
    """Logits at the middle dose, shape ``[J]``."""
    b: Floats
    """Logits per dose unit, shape ``[J]``."""
    covariance: Floats
    """Inverse Hessian at the mode, shape ``[J, 2, 2]``."""


def mean_dose(trials: ArrayLike, doses: ArrayLike) -> float:
    """Return the observation-weighted mean dose, sum n m / sum n: the other choice of m-bar.

    Args:
        trials: n, shape ``[J, M]``, not all 0.
        doses: m of each column, shape ``[M]``.

    Source: methods §1.6.
    """
    weights = np.asarray(trials, dtype=np.float64).sum(axis=0)
    return float(weights @ np.asarray(doses, dtype=np.float64) / weights.sum())


def fit_dose_prior(breaks: ArrayLike, trials: ArrayLike, doses: ArrayLike, *, middle: float = MIDDLE_DOSE) -> DosePrior:
    """Fit mu and S by Laplace-EM.

    k_jm ~ Bin(n_jm, sigmoid(a_j + b_j (m - 5))), (a_j, b_j) ~ N(mu, S). E: posterior mode and inverse
    Hessian of each job; M: mu = mean of the modes, S = mean inverse Hessian + covariance of the modes. Modes stand in
    for means, so mu is drawn towards 0 (-2.3 for a true -2.6) and the spread of a is under-estimated (1.3 to 1.4 for
    a true 1.6, at 25 observations a job).

    Args:
        breaks: k, shape ``[J, M]``.
        trials: n, shape ``[J, M]``, 0 where a job has no twin of a dose; jobs without any are left out.
        doses: m of each column, shape ``[M]``.
        middle: m-bar, the dose that a is about; modes must be fitted with the same.

    Raises:
        ValueError: no trial at all, or fewer than two doses with trials: b has no meaning then.

    Source: methods §1.6.
    """
    k, n, x = _checked(breaks, trials, doses, middle)
    used = n.sum(axis=1) > 0
    k, n = k[used], n[used]
    if np.count_nonzero(n.sum(axis=0)) < 2:
        raise ValueError("dose_response: fewer than two doses have observations; a slope needs two.")
    # Half a break and half a solve keep the logit finite in a slice that never or always breaks.
    start = scipy.special.logit((k.sum() + 0.5) / (n.sum() + 1))
    prior = DosePrior(np.array([start, 0.0]), np.diag(START_COVARIANCE))
    modes = np.tile(prior.mean, (len(k), 1))
    for _ in range(EM_STEPS):
        fit = _modes(k, n, x, prior, start=modes)
        modes = np.stack([fit.a, fit.b], axis=1)
        mean = modes.mean(axis=0)
        spread = (modes - mean).T @ (modes - mean) / len(modes)
        covariance = fit.covariance.mean(axis=0) + spread + SMALLEST_VARIANCE * np.eye(2)
        moved = float(np.abs(mean - prior.mean).max())
        prior = DosePrior(mean, covariance)
        if moved < EM_TOLERANCE:
            break
    return prior


def fit_dose_response(
    breaks: ArrayLike, trials: ArrayLike, doses: ArrayLike, *, prior: DosePrior, middle: float = MIDDLE_DOSE
) -> DoseFit:
    """Return the posterior mode of (a_J, b_J) of each job.

    A job without observations sits at the prior's mean. Where (a, b) are targets of an evaluation, fit the
    prior on training jobs only.

    Args:
        breaks: k, shape ``[J, M]``.
        trials: n, shape ``[J, M]``.
        doses: m of each column, shape ``[M]``.
        prior: Of ``fit_dose_prior``.
        middle: m-bar that the prior was fitted with.

    Source: methods §1.6.
    """
    k, n, x = _checked(breaks, trials, doses, middle)
    return _modes(k, n, x, prior, start=np.tile(prior.mean, (len(k), 1)))


def _checked(breaks: ArrayLike, trials: ArrayLike, doses: ArrayLike, middle: float) -> tuple[Floats, Floats, Floats]:
    k, n = np.asarray(breaks, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    x = np.asarray(doses, dtype=np.float64) - middle
    if k.shape != n.shape or k.ndim != 2 or k.shape[1] != x.size:
        raise ValueError(f"dose_response: shapes {k.shape}, {n.shape} and {x.shape} found; pass [J, M], [J, M], [M].")
    if not bool(np.all((k >= 0) & (k <= n))):
        raise ValueError("dose_response: a cell has k < 0 or k > n; pass breaks and trials in that order.")
    return k, n, x


def _modes(k: Floats, n: Floats, x: Floats, prior: DosePrior, *, start: Floats) -> DoseFit:
    """Maximise each job's log posterior by Newton steps of bounded length, all jobs at once."""
    design = np.stack([np.ones_like(x), x], axis=1)
    precision: Floats = np.linalg.inv(prior.covariance).astype(np.float64)
    theta = start
    for _ in range(NEWTON_STEPS):
        p = scipy.special.expit(theta @ design.T)
        gradient = (k - n * p) @ design - (theta - prior.mean) @ precision
        full = np.linalg.solve(_hessian(n, p, design, precision), gradient[..., None])[..., 0]
        step = np.clip(full, -LONGEST_STEP, LONGEST_STEP)
        theta = theta + step
        if step.size == 0 or np.abs(step).max() < 1e-10:
            break
    hessian = _hessian(n, scipy.special.expit(theta @ design.T), design, precision)
    return DoseFit(theta[:, 0], theta[:, 1], np.linalg.inv(hessian).astype(np.float64))


def _hessian(n: Floats, p: Floats, design: Floats, precision: Floats) -> Floats:
    """Return minus the second derivative of the log posterior, shape ``[J, 2, 2]``."""
    outer = (design[:, :, None] * design[:, None, :]).reshape(len(design), 4)
    return np.asarray(((n * p * (1 - p)) @ outer).reshape(-1, 2, 2) + precision)
