"""Holds several comparisons with one baseline, their p-values adjusted together.

Never adjusts anything but the sign-flip test that the verdict reads: intervals stay those of each pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from glass_pipeline.domain.comparison.compare import ComparisonConfig, PairedComparison, compare
from glass_pipeline.domain.comparison.results import Results
from glass_pipeline.domain.comparison.verdict import verdict
from glass_pipeline.domain.stats.multiplicity import holm


def compare_many(
    baseline: Results, others: Sequence[Results], config: ComparisonConfig | None = None
) -> tuple[PairedComparison, ...]:
    """Compare each system with one baseline and adjust by Holm over all of them.

    Args:
        baseline: A of every pair.
        others: B of each pair, at least one.
        config: Bounds, level, seed.

    Raises:
        ComparisonError: a pair does not hold the same items.

    Source: Holm (1979); methods §10.4.
    """
    return adjust([compare(baseline, other, config) for other in others])


def adjust(comparisons: Sequence[PairedComparison]) -> tuple[PairedComparison, ...]:
    """Return comparisons that were made together, with Holm's p-values and the verdicts these allow."""
    claims = [replace(each.claim, n_comparisons=len(comparisons)) for each in comparisons]
    adjusted = holm([each.p_value for each in comparisons])
    return tuple(
        replace(
            each,
            p_holm=float(p_value),
            claim=claim,
            verdict=verdict(
                each.primary,
                float(p_value),
                claim,
                hierarchical=each.hierarchical,
                smallest_detectable=each.smallest_detectable,
            ),
        )
        for each, p_value, claim in zip(comparisons, adjusted, claims, strict=True)
    )
