"""Holds the pairing of two systems' results by item, seed and decoding.

Never guesses: a difference of items, order, seeds, clusters or texts is an error that names the first offender.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from glass_pipeline.domain.comparison.results import ComparisonError, Floats, Results

FEWEST_ITEMS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two systems' scores on the same items, in the same order."""

    name_a: str
    name_b: str
    measure: str
    ids: tuple[str, ...]
    """The I items."""
    a: Floats
    """Shape ``[S, I, D]``; S is 1 where the system has no seeds, D the decodings of a cell."""
    b: Floats
    """Shape ``[S, I, D]``; its S and D may differ from those of a."""
    seeds: tuple[str, ...]
    """Seeds that the differences are over; a single one where neither system has several."""
    clusters: tuple[str, ...] | None
    """Cluster of each item."""
    strata: tuple[str, ...] | None
    """Stratum of each item."""

    @property
    def deltas(self) -> Floats:
        """B minus A for each seed and item, decodings averaged, shape ``[S, I]``."""
        return np.asarray(self.b.mean(axis=2) - self.a.mean(axis=2))

    @property
    def item_deltas(self) -> Floats:
        """B minus A for each item, seeds and decodings averaged, shape ``[I]``."""
        return np.asarray(self.deltas.mean(axis=0))


def align(a: Results, b: Results) -> Paired:
    """Pair two systems' results.

    Args:
        a: Baseline.
        b: What is compared with it.

    Raises:
        ComparisonError: an item is repeated or missing, the order differs, seeds, clusters, strata or texts do not
            match, cells differ in their number of decodings, or there are fewer than two items.
    """
    grid_a, grid_b = _Grid(a), _Grid(b)
    _same_items(grid_a.ids, grid_b.ids, a.name, b.name)
    if len(grid_a.ids) < FEWEST_ITEMS:
        raise ComparisonError(f"{a.name} and {b.name} share one item only; a comparison needs at least two.")
    if len(grid_a.seeds) > 1 and len(grid_b.seeds) > 1 and set(grid_a.seeds) != set(grid_b.seeds):
        lonely = sorted(set(grid_a.seeds) ^ set(grid_b.seeds))[0]
        holder = a.name if lonely in grid_a.seeds else b.name
        raise ComparisonError(
            f"Seed {lonely!r} occurs only in {holder}; both need the same seeds, or one of them a single run."
        )
    _same_labels(grid_a.label(a.digests), grid_b.label(b.digests), grid_a.ids, "text hash", (a, b))
    longer = grid_a if len(grid_a.seeds) > len(grid_b.seeds) else grid_b
    return Paired(
        name_a=a.name,
        name_b=b.name,
        measure=b.measure if a.measure == b.measure else f"{a.measure} | {b.measure}",
        ids=grid_a.ids,
        a=grid_a.values(longer.seeds if len(grid_a.seeds) > 1 else grid_a.seeds),
        b=grid_b.values(longer.seeds if len(grid_b.seeds) > 1 else grid_b.seeds),
        seeds=longer.seeds,
        clusters=_same_labels(grid_a.label(a.clusters), grid_b.label(b.clusters), grid_a.ids, "cluster", (a, b)),
        strata=_same_labels(grid_a.label(a.strata), grid_b.label(b.strata), grid_a.ids, "stratum", (a, b)),
    )


class _Grid:
    """The observations of one system by seed and item."""

    def __init__(self, results: Results) -> None:
        self._results = results
        cells: dict[str, dict[str, list[int]]] = {}
        seen: set[tuple[str, str, str]] = set()
        seeds = results.seeds or ("",) * len(results.ids)
        decodings = results.decodings or ("",) * len(results.ids)
        for row, key in enumerate(zip(seeds, results.ids, decodings, strict=True)):
            if key in seen:
                raise ComparisonError(_repeated(results, *key))
            seen.add(key)
            cells.setdefault(key[0], {}).setdefault(key[1], []).append(row)
        self._cells = cells
        self.seeds = tuple(cells)
        self.ids = tuple(cells[self.seeds[0]])
        for seed in self.seeds[1:]:
            first, other = (f"{results.name} (seed {each})" for each in (self.seeds[0], seed))
            _same_items(self.ids, tuple(cells[seed]), first, other)

    def values(self, seeds: Sequence[str]) -> Floats:
        """Return scores, shape ``[S, I, D]``, seeds in the order asked for."""
        expected = len(self._cells[self.seeds[0]][self.ids[0]])
        for seed in seeds:
            for item, rows in self._cells[seed].items():
                if len(rows) != expected:
                    raise ComparisonError(
                        f"{self._results.name}, item {item!r}{_of_seed(seed)}: {len(rows)} decodings where the first "
                        f"item has {expected}; every item needs the same number."
                    )
        index = np.array([[self._cells[seed][item] for item in self.ids] for seed in seeds])
        return np.asarray(self._results.values[index])

    def label(self, labels: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """Return the one label of each item."""
        if labels is None:
            return None
        of_item: dict[str, str] = {}
        for item, label in zip(self._results.ids, labels, strict=True):
            if of_item.setdefault(item, label) != label:
                raise ComparisonError(
                    f"{self._results.name}, item {item!r}: it is both in {of_item[item]!r} and in {label!r}; an item "
                    "has one cluster, one stratum and one text."
                )
        return tuple(of_item[item] for item in self.ids)


def _repeated(results: Results, seed: str, item: str, decoding: str) -> str:
    if decoding:
        return f"{results.name}: item {item!r}{_of_seed(seed)} has decoding {decoding!r} twice; remove one of them."
    return (
        f"{results.name}: item {item!r} occurs twice{_of_seed(seed)}; remove one, or name the column that tells the "
        "two apart (--seed, --decoding)."
    )


def _of_seed(seed: str) -> str:
    return f" of seed {seed}" if seed else ""


def _same_items(first: tuple[str, ...], second: tuple[str, ...], name_first: str, name_second: str) -> None:
    if first == second:
        return
    known, others = set(first), set(second)
    for item in second:
        if item not in known:
            raise ComparisonError(f"Item {item!r} of {name_second} is not in {name_first}; compare the same items.")
    for item in first:
        if item not in others:
            raise ComparisonError(f"Item {item!r} of {name_first} is not in {name_second}; compare the same items.")
    place = next(number for number, (left, right) in enumerate(zip(first, second, strict=True)) if left != right)
    raise ComparisonError(
        f"The order of the items differs: number {place + 1} is {first[place]!r} in {name_first} and "
        f"{second[place]!r} in {name_second}; sort both alike."
    )


def _same_labels(
    first: tuple[str, ...] | None,
    second: tuple[str, ...] | None,
    ids: tuple[str, ...],
    word: str,
    sides: tuple[Results, Results],
) -> tuple[str, ...] | None:
    if first is None or second is None:
        return first or second
    for item, left, right in zip(ids, first, second, strict=True):
        if left != right:
            raise ComparisonError(
                f"Item {item!r}: its {word} is {left!r} in {sides[0].name} and {right!r} in {sides[1].name}; both "
                "must describe the same item."
            )
    return first
