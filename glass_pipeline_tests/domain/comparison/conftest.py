"""Builders of small results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from glass_pipeline.domain.comparison.alignment import Paired
from glass_pipeline.domain.comparison.results import Results


@pytest.fixture
def make_results() -> Callable[..., Results]:
    """Build results of items i0, i1, … or of the ids given."""

    def make(values: Sequence[float], *, ids: Sequence[str] | None = None, name: str = "a", **columns: Any) -> Results:
        return Results(
            name=name,
            measure="correct",
            ids=tuple(ids or (f"i{number}" for number in range(len(values)))),
            values=np.asarray(values, dtype=float),
            **{key: tuple(column) for key, column in columns.items()},
        )

    return make


@pytest.fixture
def make_paired() -> Callable[..., Paired]:
    """Build paired scores from arrays of shape [S, I, D]."""

    def make(a: Any, b: Any, clusters: Sequence[str] | None = None) -> Paired:
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        return Paired(
            name_a="a",
            name_b="b",
            measure="correct",
            ids=tuple(f"i{number}" for number in range(a.shape[1])),
            a=a,
            b=b,
            seeds=tuple(str(number) for number in range(max(a.shape[0], b.shape[0]))),
            clusters=None if clusters is None else tuple(clusters),
            strata=None,
        )

    return make
