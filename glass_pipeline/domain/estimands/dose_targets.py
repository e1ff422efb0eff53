"""Holds what break rates imply at a budget of twins: mean rate, line, worst case and quantile targets.

Never estimates a rate or a curve (see ``ccd``, ``dose_response`` and ``predictors``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from glass_pipeline.domain.estimands.dose_response import MIDDLE_DOSE

Floats = NDArray[np.float64]
SMALLEST_RATE = 1e-6
"""Rates are clipped to [1e-6, 1 - 1e-6] before a logit is taken."""


class DoseLine(NamedTuple):
    """Least-squares line of the logit break rate over doses."""

    a: Floats
    """Logits at the middle dose, shape ``[J]``."""
    b: Floats
    """Logits per dose unit, shape ``[J]``."""


def mean_rate(rates: ArrayLike, weights: ArrayLike) -> Floats:
    """Return pi = sum_m w_m p_m with weights scaled to sum 1.

    Args:
        rates: p, shape ``[J, M]``.
        weights: Share of each dose in the evaluation design, shape ``[M]``.

    Source: methods §5.4.
    """
    w = np.asarray(weights, dtype=np.float64)
    return np.asarray(np.asarray(rates, dtype=np.float64) @ (w / w.sum()))


def dose_line(rates: ArrayLike, doses: ArrayLike) -> DoseLine:
    """Return the ordinary least-squares line of logit p on m - 5.

    Args:
        rates: p, shape ``[J, M]``.
        doses: m, shape ``[M]``, at least two distinct ones.

    Source: methods §5.4.
    """
    z = scipy.special.logit(np.clip(np.asarray(rates, dtype=np.float64), SMALLEST_RATE, 1 - SMALLEST_RATE))
    x = np.asarray(doses, dtype=np.float64) - MIDDLE_DOSE
    centred = x - x.mean()
    b = z @ centred / (centred @ centred)
    return DoseLine(z.mean(axis=1) - b * x.mean(), b)


def worst_case(rates: ArrayLike, twins: ArrayLike) -> Floats:
    """Return the probability of at least one break, 1 - prod_m (1 - p_m)^K_m.

    Args:
        rates: p, shape ``[J, M]``.
        twins: K_m, budget of twins at each dose, shape ``[M]``, whole numbers.

    Source: methods §5.4.
    """
    p, k = np.asarray(rates, dtype=np.float64), np.asarray(twins, dtype=np.float64)
    return np.asarray(-np.expm1(scipy.special.xlog1py(k, -p).sum(axis=1)))


def at_least(rates: ArrayLike, twins: ArrayLike, breaks: int) -> Floats:
    """Return the probability of at least q breaks among all K twins, by convolution over twins.

    For one dose it is the upper tail of the binomial, across doses of the Poisson-binomial.

    Args:
        rates: p, shape ``[J, M]``.
        twins: K_m, budget of twins at each dose, shape ``[M]``, whole numbers.
        breaks: q, 0 or more.

    Source: methods §5.4.
    """
    p = np.repeat(np.asarray(rates, dtype=np.float64), np.asarray(twins, dtype=np.int64), axis=1)
    if breaks > p.shape[1]:
        return np.zeros(p.shape[0])
    fewer = np.zeros((p.shape[0], breaks + 1))
    fewer[:, 0] = 1.0
    # The last state collects q and more, so it is never left again.
    for twin in p.T:
        moved = fewer[:, :-1] * twin[:, None]
        fewer[:, :-1] -= moved
        fewer[:, 1:] += moved
    return np.asarray(fewer[:, -1])


def predicted_at_least(alpha: ArrayLike, beta: ArrayLike, twins: int, breaks: int) -> Floats:
    """Return the probability of at least q breaks among K new twins where the rate itself is Beta(alpha, beta).

    sum over i >= q of C(K, i) B(alpha + i, beta + K - i) / B(alpha, beta): the binomial tail of ``at_least`` averaged
    over what is not known of the rate, which a single value of it would leave out.

    Args:
        alpha: First parameter of each job's posterior, shape ``[J]``.
        beta: Second parameter, shape ``[J]``.
        twins: K, budget of twins.
        breaks: q, 0 or more.

    Source: methods §5.4, §12.2.
    """
    a, b = np.asarray(alpha, dtype=np.float64)[:, None], np.asarray(beta, dtype=np.float64)[:, None]
    i = np.arange(min(breaks, twins + 1), twins + 1, dtype=np.float64)
    ways = scipy.special.gammaln(twins + 1) - scipy.special.gammaln(i + 1) - scipy.special.gammaln(twins - i + 1)
    tail = np.exp(ways + scipy.special.betaln(a + i, b + twins - i) - scipy.special.betaln(a, b)).sum(axis=1)
    return np.asarray(np.minimum(tail, 1.0))
