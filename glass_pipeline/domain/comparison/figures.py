"""Holds the figures of a comparison that a gate may name.

Never computes one: each is read off the comparison.
"""

from __future__ import annotations

from glass_pipeline.domain.comparison.break_rates import MEASURE
from glass_pipeline.domain.comparison.compare import PairedComparison


def figures(comparison: PairedComparison) -> dict[str, float | None]:
    """Return the figures by name; None where one cannot be had. ``delta_low`` is of the interval the verdict reads."""
    interval, over_all = comparison.primary.bca, comparison.hierarchical
    equal, changed = comparison.equivalence, comparison.flips
    ends = {
        "delta": comparison.delta,
        "delta_low": None if interval is None else interval.low,
        "delta_high": None if interval is None else interval.high,
    }
    if comparison.measure == MEASURE:
        ends |= {name.replace("delta", "delta_pi"): value for name, value in ends.items()}
    return {
        **ends,
        "delta_low_all_levels": None if over_all is None else over_all.percentile.low,
        "delta_high_all_levels": None if over_all is None else over_all.percentile.high,
        "p_value": comparison.p_holm,
        "equivalence_p": None if equal is None else equal.p_value,
        "mean_a": comparison.mean_a,
        "mean_b": comparison.mean_b,
        "smallest_detectable": comparison.smallest_detectable,
        "won": None if changed is None else float(len(changed.won)),
        "lost": None if changed is None else float(len(changed.lost)),
    }
