"""Holds the table of what pi and its residuals still share with each proxy of complexity, side by side.

Never judges a prediction (see ``orthogonality``), and never chooses the proxy that a suite declares.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from glass_pipeline.domain.estimands.causal_difficulty import POOLED
from glass_pipeline.domain.estimands.complexity_proxies import DECLARED, PROXIES, complexity_proxies
from glass_pipeline.domain.estimands.crd import (
    RegressionKind,
    chosen_kind,
    cross_fitted_residual,
    descriptive_folds,
)
from glass_pipeline.domain.estimands.orthogonality import NULL_DEVIATIONS
from glass_pipeline.domain.schemas import ORTHOGONALITY
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.stats.permutation import Orders, correlation_p_values, random_orders
from glass_pipeline.domain.stats.rank import row_pearson, row_spearman

Floats = NDArray[np.float64]

FEWEST_JOBS = 10
"""Below this many jobs nothing is correlated."""
NOTHING = "nothing"
"""What is taken away from pi itself."""
KINDS: tuple[RegressionKind, ...] = ("levels", "spline", "cubic", "linear")
RESIDUAL_DIGITS = 12
TOO_FEW = "fewer than 10 jobs"
CONSTANT = "all jobs have one value"
ONE_FOLD = "all jobs are in one fold, so no regression can be crossed"


class Target(NamedTuple):
    """Pi of one slice, or what a regression on a proxy leaves of it."""

    removed: str
    kind: str
    values: Floats
    """Shape ``[J]``; NaN for jobs without the proxy, or everywhere where it cannot be had."""
    note: str


class Measured(NamedTuple):
    """Correlations of targets with one proxy on the same jobs, each of shape ``[T]``; NaN where undefined."""

    corr: Floats
    corr_p: Floats
    rho: Floats
    rho_p: Floats
    rank_kept: Floats


def orthogonality_table(problems: pl.DataFrame, causal_difficulty: pl.DataFrame, *, seed: int) -> pl.DataFrame:
    """Correlate pi, and what is left of it without each proxy, with every proxy.

    The pooled slice has every kind of regression; a dose has the one that ``auto`` takes. Residuals are cross-fitted
    on the folds of ``crd`` with weights n, so the row of C and its chosen kind is the column ``crd`` itself. Jobs
    that do not state a proxy are left out where it takes part.

    Args:
        problems: ``schemas.BASE_PROBLEMS`` of the suite.
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of one solver.
        seed: Seed of the study; it keys folds and permutations.

    Returns:
        ``schemas.ORTHOGONALITY``. A proxy that no problem states has no row.

    Source: methods §1.7, §1.8.
    """
    proxies = complexity_proxies(problems)
    stated = [name for name in PROXIES if proxies[name].drop_nulls().len()]
    rows: list[dict[str, Any]] = []
    for (name,), jobs in causal_difficulty.drop_nulls("pi").sort("slice").group_by("slice", maintain_order=True):
        joined = jobs.join(proxies, on="base_id").sort("base_id")
        rows += _slice_rows(str(name), joined, stated, seed)
    solver = str(causal_difficulty["solver"][0]) if causal_difficulty.height else ""
    return ORTHOGONALITY.frame({"solver": solver, **row} for row in rows)


def _slice_rows(name: str, jobs: pl.DataFrame, stated: list[str], seed: int) -> Iterator[dict[str, Any]]:
    pi = jobs["pi"].to_numpy()
    targets = list(_targets(jobs, stated, every_kind=name == POOLED, seed=seed))
    orders: dict[int, Orders] = {}
    for against in stated:
        proxy = jobs[against].to_numpy()
        for group in _of_same_jobs(targets, proxy):
            present = np.isfinite(group[0].values) & np.isfinite(proxy)
            size = int(present.sum())
            if size not in orders:
                orders[size] = random_orders(size, rng=child_generator("orthogonality", seed, name, size))
            values = np.stack([target.values[present] for target in group])
            found = _measure(values, pi[present], proxy[present], orders[size])
            for place, target in enumerate(group):
                yield {"slice": name, **_row(target, against, size, found, place, chosen_kind(jobs[DECLARED]))}


def _targets(jobs: pl.DataFrame, stated: list[str], *, every_kind: bool, seed: int) -> Iterator[Target]:
    pi, n = jobs["pi"].to_numpy(), jobs["n"].to_numpy()
    folds = descriptive_folds(jobs["base_id"].to_list(), seed=seed)
    yield Target(NOTHING, NOTHING, pi, "")
    for name in stated:
        c = jobs[name].to_numpy()
        has = np.isfinite(c)
        for kind in KINDS if every_kind else (chosen_kind(c[has]),):
            values = np.full(pi.size, np.nan)
            if np.unique(folds[has]).size < 2:
                yield Target(name, kind, values, ONE_FOLD)
                continue
            fit = cross_fitted_residual(pi[has], c[has], folds[has], weights=n[has], kind=kind)
            # What is left of a pi that never varies is rounding error, and must not be correlated.
            values[has] = np.round(fit.residual, RESIDUAL_DIGITS)
            yield Target(name, kind, values, "")


def _of_same_jobs(targets: list[Target], proxy: Floats) -> list[list[Target]]:
    """Group targets that are known for the same jobs, so that they share permutations."""
    groups: dict[bytes, list[Target]] = {}
    for target in targets:
        present = np.isfinite(target.values) & np.isfinite(proxy)
        groups.setdefault(present.tobytes(), []).append(target)
    return list(groups.values())


def _measure(values: Floats, pi: Floats, proxy: Floats, orders: Orders) -> Measured:
    if pi.size < FEWEST_JOBS:
        unknown = np.full(len(values), np.nan)
        return Measured(unknown, unknown, unknown, unknown, unknown)
    ranks, proxy_ranks = scipy.stats.rankdata(values, axis=1), scipy.stats.rankdata(proxy)
    return Measured(
        corr=row_pearson(values, proxy[None]),
        corr_p=correlation_p_values(values, proxy, orders),
        rho=row_pearson(ranks, proxy_ranks[None]),
        rho_p=correlation_p_values(ranks, proxy_ranks, orders),
        rank_kept=row_spearman(values, pi[None]),
    )


def _row(target: Target, against: str, size: int, found: Measured, place: int, default: str) -> dict[str, Any]:
    numbers = {name: _defined(column[place]) for name, column in found._asdict().items()}
    corr, bound = numbers["corr"], NULL_DEVIATIONS / np.sqrt(size) if size >= FEWEST_JOBS else None
    note = target.note or (TOO_FEW if size < FEWEST_JOBS else CONSTANT if corr is None else "")
    return {
        "removed": target.removed,
        "kind": target.kind,
        "against": against,
        "is_crd": target.removed == DECLARED and target.kind == default,
        "n_jobs": size,
        **numbers,
        "bound": bound,
        "is_orthogonal": None if corr is None or bound is None else abs(corr) < bound,
        "note": note,
    }


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
