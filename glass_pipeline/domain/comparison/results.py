"""Holds the per-item results of one system, and the one error of this stage.

Never reads a file (see ``reading``) and never compares (see ``compare``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.errors import BadInput

Floats = NDArray[np.float64]


class ComparisonError(BadInput):
    """What was given cannot be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One system's results, one entry an observation; optional fields are None where the source has none."""

    name: str
    """How messages call the system, e.g. its file name."""
    measure: str
    """What was measured: the column, metric or scorer."""
    ids: tuple[str, ...]
    """Item of each observation."""
    values: Floats
    """Its score, finite, shape ``[N]``."""
    seeds: tuple[str, ...] | None = None
    """Training or run seed."""
    decodings: tuple[str, ...] | None = None
    """Which of several samples of the same item and seed."""
    clusters: tuple[str, ...] | None = None
    """Items that belong together, e.g. the source problem."""
    strata: tuple[str, ...] | None = None
    """Category of the item."""
    digests: tuple[str, ...] | None = None
    """Hash of the item's text."""

    def __post_init__(self) -> None:
        """Refuse results that no comparison can use.

        Raises:
            ComparisonError: there is no observation, or one is not a finite number.
        """
        if not self.ids:
            raise ComparisonError(f"{self.name} holds no result; pass a file with at least two items.")
        wrong = np.flatnonzero(~np.isfinite(self.values))
        if wrong.size:
            first = int(wrong[0])
            raise ComparisonError(
                f"{self.name}, item {self.ids[first]!r}: {self.measure} is {self.values[first]}; give every item a "
                "finite number (a failed item is 0, not missing)."
            )
