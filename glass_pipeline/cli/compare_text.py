"""Holds how a person reads a comparison in the terminal.

Never computes a figure.
"""

from __future__ import annotations

from collections.abc import Iterator

from glass_pipeline.domain.comparison import PairedComparison
from glass_pipeline.domain.comparison.break_rates import MEASURE
from glass_pipeline.domain.comparison.flips import Flips
from glass_pipeline.domain.comparison.hierarchical import Hierarchical
from glass_pipeline.domain.comparison.inference import Inference
from glass_pipeline.domain.comparison.stratified import Stratified
from glass_pipeline.domain.comparison.verdict import Scale

LISTED = 10
LABEL = 22


def comparison_text(found: PairedComparison) -> str:
    """Return a comparison as lines: the verdict, its limits, then every figure."""
    return "\n".join([found.verdict.sentence, *(f"- {each}" for each in found.verdict.limits), "", *_figures(found)])


def _figures(found: PairedComparison) -> Iterator[str]:
    scale = found.claim.scale
    yield _line("A", f"{found.name_a}: {found.measure} {found.mean_a:.4f}")
    yield _line("B", f"{found.name_b}: {found.measure} {found.mean_b:.4f}")
    clusters = f" in {found.n_clusters:,} clusters" if found.n_clusters is not None else ""
    yield _line("items", f"{found.n_items:,}{clusters}")
    yield from _inference(found.over_items, scale)
    if found.over_seeds is not None:
        yield from _inference(found.over_seeds, scale)
    if found.hierarchical is not None:
        yield from _hierarchical(found.hierarchical, scale)
    if found.claim.n_comparisons > 1:
        yield _line("several comparisons", f"{found.claim.n_comparisons}; Holm's p = {found.p_holm:.4g}")
    if found.equivalence is not None:
        shown = "shown" if found.equivalence.equivalent else "not shown"
        margin = scale.show(found.equivalence.margin)
        yield _line("equal within", f"±{margin}: {shown}, TOST p = {found.equivalence.p_value:.4g}")
    if found.smallest_detectable is not None:
        yield _line("smallest detectable", f"{scale.show(found.smallest_detectable)} over new items, power 80 %")
    if found.by_stratum is not None:
        yield from _strata(found.by_stratum, scale)
    yield from _changed(found)


def _inference(found: Inference, scale: Scale) -> Iterator[str]:
    name = f"over {found.n_units:,} {found.unit}{'s' if found.n_units > 1 else ''}"
    yield _line(name, scale.show(found.delta, signed=True))
    for label, interval in (("BCa", found.bca), ("percentile", found.percentile), ("t", found.t)):
        if interval is not None:
            yield _line("", f"{label} {100 * interval.level:g} % {scale.span(interval)}")
    how = "exact" if found.sign_flip.exact else f"{found.sign_flip.outcomes:,} sampled sign vectors"
    yield _line("", f"sign-flip p = {found.sign_flip.p_value:.4g} ({how})")
    if found.note:
        yield _line("", found.note)


def _hierarchical(found: Hierarchical, scale: Scale) -> Iterator[str]:
    yield _line("over all levels", f"percentile {100 * found.percentile.level:g} % {scale.span(found.percentile)}")
    parts = found.components
    named = {
        "seed": parts.seed,
        "item": parts.item_by_treatment,
        "seed x item": parts.seed_by_item,
        "decoding of A": parts.decoding_a,
        "decoding of B": parts.decoding_b,
    }
    shown = ", ".join(f"{name} {value:.3g}" for name, value in named.items() if value is not None)
    yield _line("", f"variance: {shown}")


def _strata(found: Stratified, scale: Scale) -> Iterator[str]:
    yield _line("over strata", f"{scale.show(found.delta, signed=True)} {scale.span(found.percentile)}")
    floor = scale.show(found.thresholds.stratum_floor)
    for stratum in found.strata:
        shown = "above" if stratum.above_floor else "not shown above"
        p_value = "" if stratum.p_holm is None else f", Holm p = {stratum.p_holm:.4g}"
        delta = scale.show(stratum.delta, signed=True)
        yield _line("", f"{stratum.name} ({stratum.n_items:,}): {delta}, {shown} {floor}{p_value}")


def _changed(found: PairedComparison) -> Iterator[str]:
    if found.flips is not None:
        yield from _flips(found.flips)
        if found.measure != MEASURE:
            return
    for name, movers in (("rose most", found.largest_gains), ("fell most", found.largest_losses)):
        if movers:
            shown = ", ".join(f"{each.item} ({found.claim.scale.number(each.delta, signed=True)})" for each in movers)
            yield _line(name, shown)


def _flips(found: Flips) -> Iterator[str]:
    for name, ids in (("won", found.won), ("lost", found.lost)):
        more = f" and {len(ids) - LISTED:,} more" if len(ids) > LISTED else ""
        listed = f": {', '.join(ids[:LISTED])}{more}" if ids else ""
        yield _line(name, f"{len(ids):,}{listed}")
    yield _line("both, neither", f"{len(found.both):,}, {len(found.neither):,}")


def _line(label: str, text: str) -> str:
    # Ids come from files: a terminal must not obey what they hold.
    printable = "".join(each if each.isprintable() else "�" for each in text)
    return f"{label:<{LABEL}}{printable}"
