"""Holds the comparison of two solvers by how often the items that both solve break.

Never compares break rates of different items: what one solver alone solves is counted, not compared.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from glass_pipeline.domain.comparison.compare import ComparisonConfig, PairedComparison, compare
from glass_pipeline.domain.comparison.flips import flips
from glass_pipeline.domain.comparison.results import ComparisonError, Results

MEASURE = "pi"


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakRates:
    """One solver's jobs in one slice."""

    name: str
    ids: tuple[str, ...]
    """The J base problems."""
    solved: tuple[bool, ...]
    """Whether the base is in the solver's stratum."""
    rates: tuple[float | None, ...]
    """pi of each base; None outside the stratum or without an observed twin."""


def compare_break_rates(a: BreakRates, b: BreakRates, config: ComparisonConfig | None = None) -> PairedComparison:
    """Compare break rates on the jointly solved items: delta_pi = mean over these of pi_B - pi_A.

    Args:
        a: Baseline solver or version.
        b: What is compared with it.
        config: Bounds, level, seed; lower is always better here.

    Returns:
        The comparison; its flips say which bases only B solves (won), only A, both, neither.

    Raises:
        ComparisonError: the two hold different bases, or fewer than two are solved by both.

    Source: methods §12.2.
    """
    if sorted(a.ids) != sorted(b.ids):
        lonely = sorted(set(a.ids) ^ set(b.ids)) or sorted(a.ids)
        holder = a.name if lonely[0] in set(a.ids) else b.name
        raise ComparisonError(
            f"Base {lonely[0]!r} is only in {holder}; compare two solvers on the same suite and slice."
        )
    of_a, of_b = (dict(zip(side.ids, zip(side.solved, side.rates, strict=True), strict=True)) for side in (a, b))
    joint = tuple(base for base in a.ids if of_a[base][1] is not None and of_b[base][1] is not None)
    if len(joint) < 2:
        raise ComparisonError(
            f"{len(joint)} bases are solved by both {a.name} and {b.name} and have twins; at least two are needed."
        )
    results = [
        Results(
            name=side.name, measure=MEASURE, ids=joint, values=np.array([rate[base][1] for base in joint], dtype=float)
        )
        for side, rate in ((a, of_a), (b, of_b))
    ]
    found = compare(results[0], results[1], replace(config or ComparisonConfig(), lower_is_better=True))
    return replace(found, flips=flips(a.ids, [of_a[base][0] for base in a.ids], [of_b[base][0] for base in a.ids]))
