"""Holds the multi-operator-mix sampler: which audited twins make the m-twin mix of each base (methods §3.1).

Never looks at a label, and never depends on the order of its input.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from glass_pipeline.domain.records import FAMILIES
from glass_pipeline.domain.schemas import MULTIOP_MIX
from glass_pipeline.domain.seeding import child_rng

NEEDED = ("base_id", "twin_id", "family", "inject_size")


class Candidate(NamedTuple):
    """One twin that may be drawn: its id, and the dose file it would be drawn from."""

    twin_id: str
    source_dose: int


class Supply(NamedTuple):
    """The twins of one base and family, by sentences spliced in (None: a surface family)."""

    by_size: Mapping[int | None, Sequence[Candidate]]

    def nearest(self, quota: int) -> Sequence[Candidate]:
        """Return the twins of the injection size nearest to a quota; of two equally near, the smaller."""
        return self.by_size[min(self.by_size, key=lambda size: (abs((size or 0) - quota), size or 0))]


def draw_mix(pool: pl.DataFrame, *, dose: int, seed: int, size: int | None = None) -> pl.DataFrame:
    """Draw the mix of one dose from the kept twins of all doses.

    Args:
        pool: Kept twins of every dose, columns of ``schemas.TWINS``.
        dose: m of the corpus file.
        seed: Seed of the study.
        size: Twins a base; None: m, as published.

    Returns:
        ``schemas.MULTIOP_MIX``: at most ``size`` twins a base, the same for any row order of the pool.

    Source: methods §3.1.
    """
    rows = sample_mix(pool, dose=dose, size=size, seed=seed, dose_column="dose")
    return MULTIOP_MIX.check(
        rows.rename({"dose": "source_dose"})
        .with_columns(dose=pl.lit(dose, dtype=pl.Int64))
        .select(list(MULTIOP_MIX.schema))
    )


def sample_mix(pool: pl.DataFrame, *, dose: int, seed: int, dose_column: str, size: int | None = None) -> pl.DataFrame:
    """Return the rows of a pool that make the mix of one dose, every column kept, sorted by base and twin.

    Works on twins and on labelled pairs alike: it reads ``base_id``, ``twin_id``, ``family``,
    ``inject_size`` and the dose column only. Surface twins come from this dose's file; injections from the
    twins whose size is nearest to the quota, of the lowest dose file that has them.

    Args:
        pool: One row a twin and dose file.
        dose: m of the corpus file, at least 1.
        seed: Seed of the study.
        dose_column: Column that holds the dose file of each row.
        size: Twins a base; None: m.

    Raises:
        ValueError: m is below 1, a column is missing, or a twin stands twice in one dose file.
    """
    _check(pool, dose, dose_column)
    wanted = dose if size is None else size
    chosen: list[tuple[str, str, int]] = []
    for base_id, families in _supplies(pool, dose, dose_column):
        chosen.extend(
            (base_id, twin.twin_id, twin.source_dose) for twin in _draw(base_id, families, dose, wanted, seed)
        )
    keys = pl.DataFrame(
        chosen,
        schema={"base_id": pl.String(), "twin_id": pl.String(), dose_column: pool.schema[dose_column]},
        orient="row",
    )
    return pool.join(keys, on=keys.columns, how="semi").sort(keys.columns)


def quotas(order: Sequence[str], supplies: Mapping[str, int], total: int) -> dict[str, int]:
    """Deal twins to families one at a time in a fixed order, passing over families that have none left.

    With ample supplies this is m // |F| each and one more for the first m mod |F| families; a family's
    deficit goes round-robin to those with twins to spare.

    Args:
        order: Families, in the order they are served.
        supplies: Twins each family has.
        total: m, twins wanted.
    """
    dealt = dict.fromkeys(order, 0)
    wanted = min(total, sum(supplies[family] for family in order))
    while wanted:
        for family in order:
            if wanted and dealt[family] < supplies[family]:
                dealt[family] += 1
                wanted -= 1
    return dealt


def _draw(base_id: str, families: Mapping[str, Supply], dose: int, wanted: int, seed: int) -> list[Candidate]:
    # The remainder goes to families in a drawn order: a fixed one would always favour the same family.
    rng: random.Random = child_rng(f"{seed}|{dose}|{base_id}")
    present = [*(family for family in FAMILIES if family in families), *sorted(set(families) - set(FAMILIES))]
    order = rng.sample(present, len(present))
    share, remainder = divmod(wanted, len(order))
    twins = {family: families[family].nearest(share + (place < remainder)) for place, family in enumerate(order)}
    dealt = quotas(order, {family: len(found) for family, found in twins.items()}, wanted)
    return [twin for family in present for twin in rng.sample(list(twins[family]), dealt[family])]


def _supplies(pool: pl.DataFrame, dose: int, dose_column: str) -> Iterable[tuple[str, Mapping[str, Supply]]]:
    """Yield each base with the twins that may be drawn for it, in an order that no shuffle changes."""
    eligible = (
        pool.select(*NEEDED, source_dose=pl.col(dose_column))
        .filter(pl.col("inject_size").is_not_null() | (pl.col("source_dose") == dose))
        .sort("base_id", "family", "inject_size", "twin_id", "source_dose")
        .unique(["base_id", "twin_id"], keep="first", maintain_order=True)
    )
    bases: dict[str, dict[str, dict[int | None, list[Candidate]]]] = {}
    for base_id, twin_id, family, size, source_dose in eligible.iter_rows():
        sizes = bases.setdefault(base_id, {}).setdefault(family, {})
        sizes.setdefault(size, []).append(Candidate(twin_id, source_dose))
    for base_id, families in bases.items():
        yield base_id, {family: Supply(by_size) for family, by_size in families.items()}


def _check(pool: pl.DataFrame, dose: int, dose_column: str) -> None:
    if dose < 1:
        raise ValueError(f"multiop_mix: dose {dose} found; a mix has at least one twin a base.")
    missing = [name for name in (*NEEDED, dose_column) if name not in pool.columns]
    if missing:
        raise ValueError(f"multiop_mix: the pool lacks the columns {missing}; pass twins or labelled pairs.")
    keys = pool.select("base_id", "twin_id", dose_column)
    if keys.is_duplicated().any():
        row = keys.filter(keys.is_duplicated()).row(0)
        raise ValueError(f"multiop_mix: twin {row[1]!r} of base {row[0]!r} stands twice in dose file {row[2]}.")
