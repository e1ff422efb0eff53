"""Holds the joining of one system's files, one a training seed.

Never reads a seed from inside a file that stands for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from glass_pipeline.domain.comparison.results import ComparisonError, Results


def join_seeds(name: str, by_seed: Mapping[str, Results]) -> Results:
    """Return the results of all seeds as those of one system.

    Args:
        name: How messages call the system.
        by_seed: Results by seed, at least one.

    Raises:
        ComparisonError: a file has seeds of its own, or one has a column that another lacks.
    """
    parts = list(by_seed.values())
    for part in parts:
        if part.seeds is not None:
            raise ComparisonError(f"{part.name} has seeds of its own; in {name} each file stands for one seed.")
    return replace(
        parts[0],
        name=name,
        ids=tuple(item for part in parts for item in part.ids),
        values=np.concatenate([part.values for part in parts]),
        seeds=tuple(seed for seed, part in by_seed.items() for _ in part.ids),
        decodings=_joined(name, parts, "decodings"),
        clusters=_joined(name, parts, "clusters"),
        strata=_joined(name, parts, "strata"),
        digests=_joined(name, parts, "digests"),
    )


def _joined(name: str, parts: list[Results], column: str) -> tuple[str, ...] | None:
    columns: list[tuple[str, ...] | None] = [getattr(part, column) for part in parts]
    present = [each for each in columns if each is not None]
    if len(present) not in (0, len(parts)):
        raise ComparisonError(f"{name}: some of its files have {column} and some do not; make them alike.")
    return tuple(label for each in present for label in each) if present else None
