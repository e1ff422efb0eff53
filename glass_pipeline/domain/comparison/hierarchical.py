"""Holds the comparison over seeds x items x decodings: a nested bootstrap and the variance each level adds.

Never treats a level that was not repeated as if it did not vary: such a component is None.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.comparison.alignment import Paired
from glass_pipeline.domain.comparison.clustered import Units, t_interval
from glass_pipeline.domain.comparison.results import Floats
from glass_pipeline.domain.stats.intervals import Interval

RESAMPLES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceComponents:
    """Variance that one seed, item or decoding adds to a difference; negative estimates read 0."""

    seed: float | None
    """sigma^2_seed; None for one seed."""
    item_by_treatment: float
    """sigma^2 of the items' own differences; with one seed it holds seed_by_item too."""
    seed_by_item: float | None
    """Interaction; where cells have one decoding it holds the decoding noise too. None for one seed."""
    decoding_a: float | None
    """Between decodings of one cell of A; None for one decoding."""
    decoding_b: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchical:
    """The mean difference over all levels at once."""

    delta: float
    standard_error: float
    """Standard deviation of the bootstrap means."""
    percentile: Interval
    t_over_seeds: Interval | None
    """From the seeds' mean differences, items held fixed; None for one seed."""
    components: VarianceComponents


def hierarchical(
    paired: Paired, *, rng: np.random.Generator, level: float = 0.95, resamples: int = RESAMPLES
) -> Hierarchical | None:
    """Resample seeds, items (or their clusters) and decodings, each within what was drawn above it.

    One draw of items serves every seed and both systems; one draw of seeds serves both systems where both have
    seeds; decodings are drawn anew in every drawn cell.

    Args:
        paired: Scores of both systems.
        rng: Source of the resamples.
        level: Nominal coverage in (0, 1).
        resamples: Bootstrap replicates.

    Returns:
        None where neither seeds nor decodings are repeated (the item bootstrap says it all), or where every cell has
        the same difference.

    Source: methods §10.3b. The crossed bootstrap counts the interaction more than once, so its interval is rather
    too long (Owen 2007); BCa has no standard form for two crossed levels.
    """
    repeated = len(paired.seeds) > 1 or paired.a.shape[2] > 1 or paired.b.shape[2] > 1
    if not repeated or (np.ptp(paired.deltas) == 0 and not _decodings_vary(paired)):
        return None
    members = _members(paired)
    drawn = np.array([_draw(paired, members, rng) for _ in range(resamples)])
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    over_seeds = Units(paired.deltas.mean(axis=1), np.ones(len(paired.seeds)))
    several = len(paired.seeds) > 1 and not over_seeds.identical
    return Hierarchical(
        delta=float(paired.deltas.mean()),
        standard_error=float(drawn.std(ddof=1)),
        percentile=Interval(float(low), float(high), level),
        t_over_seeds=t_interval(over_seeds, level=level) if several else None,
        components=variance_components(paired),
    )


def variance_components(paired: Paired) -> VarianceComponents:
    """Split the variance of the differences by the mean squares of the two-way layout.

    On cell means x_si: sigma^2_seed = (MS_seed - MS_rest) / I, sigma^2_item = (MS_item - MS_rest) / S and
    sigma^2_seed x item = MS_rest - sigma^2_decoding / D, where a single run of one system adds its decoding noise to
    the items instead of the rest.

    Source: methods §10.3b; Searle, Casella and McCulloch (1992).
    """
    noise_a, noise_b = _decoding_noise(paired.a), _decoding_noise(paired.b)
    x = paired.deltas
    seeds, items = x.shape
    shares = [
        (side.shape[0], (noise or 0.0) / side.shape[2]) for side, noise in ((paired.a, noise_a), (paired.b, noise_b))
    ]
    if seeds == 1:
        own = float(x[0].var(ddof=1)) - sum(share for _, share in shares)
        return VarianceComponents(
            seed=None, item_by_treatment=max(own, 0.0), seed_by_item=None, decoding_a=noise_a, decoding_b=noise_b
        )
    of_seed, of_item = x.mean(axis=1), x.mean(axis=0)
    rest = x - of_seed[:, None] - of_item[None, :] + x.mean()
    mean_square_rest = float((rest**2).sum()) / ((seeds - 1) * (items - 1))
    in_items = sum(share for runs, share in shares if runs == 1)
    in_rest = sum(share for runs, share in shares if runs > 1)
    item = float(of_item.var(ddof=1)) - mean_square_rest / seeds - in_items
    return VarianceComponents(
        seed=max(float(of_seed.var(ddof=1)) - mean_square_rest / items, 0.0),
        item_by_treatment=max(item, 0.0),
        seed_by_item=max(mean_square_rest - in_rest, 0.0),
        decoding_a=noise_a,
        decoding_b=noise_b,
    )


def _decoding_noise(side: Floats) -> float | None:
    return float(side.var(axis=2, ddof=1).mean()) if side.shape[2] > 1 else None


def _decodings_vary(paired: Paired) -> bool:
    return any(float(np.ptp(side, axis=2).max()) > 0 for side in (paired.a, paired.b))


def _members(paired: Paired) -> list[NDArray[np.intp]]:
    """Return the places of the items of each cluster."""
    if paired.clusters is None:
        return [np.array([place]) for place in range(len(paired.ids))]
    places: dict[str, list[int]] = {}
    for place, cluster in enumerate(paired.clusters):
        places.setdefault(cluster, []).append(place)
    return [np.array(each) for each in places.values()]


def _draw(paired: Paired, members: list[NDArray[np.intp]], rng: np.random.Generator) -> float:
    chosen = rng.integers(len(members), size=len(members))
    items = chosen if paired.clusters is None else np.concatenate([members[each] for each in chosen])
    seeds = rng.integers(len(paired.seeds), size=len(paired.seeds))
    return _mean_of(paired.b, seeds, items, rng) - _mean_of(paired.a, seeds, items, rng)


def _mean_of(side: Floats, seeds: NDArray[np.int64], items: NDArray[np.intp], rng: np.random.Generator) -> float:
    n_seeds, n_items, n_decodings = side.shape
    rows = seeds if n_seeds > 1 else np.zeros(1, dtype=np.int64)
    cells = rows[:, None] * n_items + items[None, :]
    if n_decodings == 1:
        return float(side.ravel()[cells].mean())
    decodings = rng.integers(n_decodings, size=(*cells.shape, n_decodings))
    return float(side.ravel()[cells[..., None] * n_decodings + decodings].mean())
