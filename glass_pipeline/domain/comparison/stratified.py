"""Holds the comparison by stratum: a bootstrap within strata, and the declared thresholds on each.

Never chooses strata or thresholds: both are declared before (see ``thresholds``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import scipy

from glass_pipeline.domain.comparison.clustered import Units, standard_error, units_of
from glass_pipeline.domain.comparison.results import ComparisonError, Floats
from glass_pipeline.domain.comparison.thresholds import Thresholds
from glass_pipeline.domain.stats.intervals import Interval
from glass_pipeline.domain.stats.multiplicity import holm

OTHER = "other"
RESAMPLES = 10_000
BATCH = 250
"""Resamples held in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """One stratum's difference and whether it is shown to lie above the floor."""

    name: str
    n_items: int
    n_units: int
    weight: float
    delta: float
    lower_bound: float | None
    """One-sided t bound; None where all its differences are equal."""
    p_holm: float | None
    """Holm-adjusted one-sided p-value of 'at or below the floor'."""
    above_floor: bool
    """p_holm < alpha; false means not shown, not that it lies below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratified:
    """The weighted difference over strata."""

    delta: float
    """Sum of weight times difference."""
    percentile: Interval
    thresholds: Thresholds
    strata: tuple[Stratum, ...]

    @property
    def gain_shown(self) -> bool:
        """Whether the interval starts at or above the minimum gain."""
        return self.percentile.low >= self.thresholds.minimum_gain

    @property
    def floor_shown(self) -> bool:
        """Whether every stratum is shown to lie above the floor."""
        return all(stratum.above_floor for stratum in self.strata)


def stratified(
    deltas: Floats,
    strata: tuple[str, ...],
    thresholds: Thresholds,
    *,
    rng: np.random.Generator,
    clusters: tuple[str, ...] | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
) -> Stratified:
    """Resample items, or their clusters, within strata, whose sizes stay fixed.

    delta = sum_c w_c delta_c, w_c the share of the items or 1 / C. Each stratum is tested one-sided against the
    floor by its t statistic, adjusted by Holm over strata.

    Args:
        deltas: B - A of each item, shape ``[I]``.
        strata: Stratum of each item.
        thresholds: What was declared.
        rng: Source of the resamples.
        clusters: Cluster of each item.
        level: Nominal coverage in (0, 1).
        resamples: Bootstrap replicates.

    Raises:
        ComparisonError: a cluster lies in two strata.

    Source: methods §10.3a.
    """
    merged = merge_small(strata, thresholds.smallest_stratum)
    if clusters is not None:
        _inside_strata(clusters, merged)
    parts = {name: _part(deltas, merged, clusters, name) for name in sorted(set(merged))}
    items = Counter(merged)
    share = {name: items[name] / len(merged) if thresholds.weights == "share" else 1 / len(parts) for name in parts}
    drawn = np.zeros(resamples)
    for name, units in parts.items():
        drawn += share[name] * _resampled_means(units, rng, resamples)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Stratified(
        delta=float(sum(share[name] * units.mean for name, units in parts.items())),
        percentile=Interval(float(low), float(high), level),
        thresholds=thresholds,
        strata=_against_floor(parts, items, share, thresholds.stratum_floor, 1 - level),
    )


def merge_small(strata: tuple[str, ...], smallest: int) -> tuple[str, ...]:
    """Rename strata with fewer items than ``smallest`` to 'other'."""
    sizes = Counter(strata)
    return tuple(name if sizes[name] >= smallest else OTHER for name in strata)


def _inside_strata(clusters: tuple[str, ...], strata: tuple[str, ...]) -> None:
    home: dict[str, str] = {}
    for cluster, stratum in zip(clusters, strata, strict=True):
        if home.setdefault(cluster, stratum) != stratum:
            raise ComparisonError(
                f"Cluster {cluster!r} lies in the strata {home[cluster]!r} and {stratum!r}; strata must hold whole "
                "clusters."
            )


def _part(deltas: Floats, strata: tuple[str, ...], clusters: tuple[str, ...] | None, name: str) -> Units:
    inside = np.array([each == name for each in strata])
    labels = None if clusters is None else tuple(np.asarray(clusters, dtype=object)[inside].tolist())
    return units_of(deltas[inside], labels)


def _resampled_means(units: Units, rng: np.random.Generator, resamples: int) -> Floats:
    means = []
    for start in range(0, resamples, BATCH):
        chosen = rng.integers(units.sums.size, size=(min(BATCH, resamples - start), units.sums.size))
        means.append(units.sums[chosen].sum(axis=1) / units.sizes[chosen].sum(axis=1))
    return np.concatenate(means)


def _against_floor(
    parts: dict[str, Units], items: Counter[str], share: dict[str, float], floor: float, alpha: float
) -> tuple[Stratum, ...]:
    tested = {name: units for name, units in parts.items() if units.sums.size > 1 and not units.identical}
    error = {name: standard_error(units) for name, units in tested.items()}
    raw = [
        float(scipy.stats.t.sf((tested[name].mean - floor) / error[name], tested[name].sums.size - 1))
        if name in tested
        else 1.0
        for name in parts
    ]
    found = []
    for name, adjusted in zip(parts, holm(raw), strict=True):
        units, known = parts[name], name in tested
        reach = float(scipy.stats.t.ppf(1 - alpha, units.sums.size - 1)) * error[name] if known else None
        found.append(
            Stratum(
                name=name,
                n_items=items[name],
                n_units=units.sums.size,
                weight=share[name],
                delta=units.mean,
                lower_bound=None if reach is None else units.mean - reach,
                p_holm=float(adjusted) if known else None,
                above_floor=known and bool(adjusted < alpha),
            )
        )
    return tuple(found)
