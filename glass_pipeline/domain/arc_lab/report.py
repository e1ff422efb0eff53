"""Holds the lab's report: as fields for machines and as a page for people.

Never computes a figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from glass_pipeline.domain.arc_lab.analysis import ONE_POINT_PP, LabAnalysis
from glass_pipeline.domain.comparison.hierarchical import Hierarchical
from glass_pipeline.domain.comparison.stratified import Stratified
from glass_pipeline.domain.stats.intervals import Interval

NOT_SHOWN = (
    "`False` means that the threshold was not shown, not that the method failed. Item ids are for reading errors: "
    "whoever changes prompt, rank or epochs after reading them needs a test split that nobody has looked at."
)


def report_fields(found: LabAnalysis) -> dict[str, Any]:
    """Return the report as a JSON object: the lab's fields, then what goes beyond them.

    Source: methods §10.1.
    """
    paired, seeds = found.paired, found.seeds
    return {
        "baseline_accuracy_pct": found.baseline_accuracy_pct,
        "seed_accuracies_pct": {str(seed): value for seed, value in found.seed_accuracies_pct.items()},
        "seed_deltas_pp": {str(seed): value for seed, value in found.seed_deltas_pp.items()},
        "mean_delta_pp": seeds.mean_delta_pp,
        "bca_95_ci_pp": _pair(seeds.bca),
        "exact_sign_flip_pvalue": seeds.p_value if seeds.inference.sign_flip.exact else None,
        "sign_flip_pvalue": seeds.p_value,
        "evidence_any_gain": seeds.evidence_any_gain,
        "evidence_at_least_1pp": seeds.evidence_at_least(ONE_POINT_PP),
        "largest_gains_item_ids": [each.item for each in paired.largest_gains],
        "largest_losses_item_ids": [each.item for each in paired.largest_losses],
        "benchmark": found.benchmark,
        "model": found.model,
        "n_items": found.n_items,
        "t_95_ci_pp": _pair(seeds.t),
        "reading": found.verdict.reading,
        "verdict": found.verdict.sentence,
        "limits": list(found.verdict.limits),
        "declared_minimum_gain_pp": 100 * found.thresholds.minimum_gain,
        "evidence_declared_minimum_gain": seeds.evidence_at_least(100 * found.thresholds.minimum_gain),
        "smallest_detectable_pp": None if paired.smallest_detectable is None else 100 * paired.smallest_detectable,
        "hierarchical": _hierarchical(paired.hierarchical),
        "strata_rule": found.strata_rule,
        "by_stratum": _strata(paired.by_stratum),
    }


def report_page(found: LabAnalysis) -> str:
    """Return the report as Markdown."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: LabAnalysis) -> Iterator[str]:
    seeds = found.seeds
    count = len(found.seed_deltas_pp)
    mean_accuracy = sum(found.seed_accuracies_pct.values()) / count
    yield from (
        f"# {found.benchmark} paired evaluation",
        "",
        "| System | Accuracy (%) |",
        "|---|---:|",
        f"| {found.model} baseline | {found.baseline_accuracy_pct:.3f} |",
        f"| LoRA, mean of {count} seeds | {mean_accuracy:.3f} |",
        "",
        f"- Mean difference: {seeds.mean_delta_pp:.3f} pp",
        f"- BCa 95% CI: [{seeds.bca.low:.3f}, {seeds.bca.high:.3f}] pp",
        f"- t 95% CI: [{seeds.t.low:.3f}, {seeds.t.high:.3f}] pp",
        f"- {'Exact' if seeds.inference.sign_flip.exact else 'Sampled'} sign-flip p-value: {seeds.p_value:.6f}",
        f"- Evidence of any gain: {seeds.evidence_any_gain}",
        f"- Evidence of at least +1 pp: {seeds.evidence_at_least(ONE_POINT_PP)}",
        "",
        found.verdict.sentence,
        "",
        f"- Holds for {found.benchmark}, {found.model} and this environment only.",
        *(f"- {limit}" for limit in found.verdict.limits),
        "",
        NOT_SHOWN,
        "",
        "## Seeds",
        "",
        "| Seed | Accuracy (%) | Difference (pp) |",
        "|---:|---:|---:|",
        *(
            f"| {seed} | {found.seed_accuracies_pct[seed]:.3f} | {delta:+.3f} |"
            for seed, delta in found.seed_deltas_pp.items()
        ),
    )
    yield from _stratum_lines(found)
    yield from _item_lines(found)


def _stratum_lines(found: LabAnalysis) -> Iterator[str]:
    strata = found.paired.by_stratum
    if strata is None:
        return
    floor = 100 * strata.thresholds.stratum_floor
    low, high, _ = strata.percentile
    yield from (
        "",
        "## Strata",
        "",
        f"Rule: {found.strata_rule}. Items resampled within strata, seeds averaged: {100 * strata.delta:+.3f} pp "
        f"[{100 * low:.3f}, {100 * high:.3f}]. "
        f"Every stratum shown to lie above the declared {floor:g} pp: {strata.floor_shown}.",
        "",
        "| Stratum | Items | Difference (pp) | Holm p |",
        "|---|---:|---:|---:|",
        *(
            f"| {_cell(each.name)} | {each.n_items} | {100 * each.delta:+.3f} | "
            f"{'—' if each.p_holm is None else f'{each.p_holm:.4f}'} |"
            for each in strata.strata
        ),
    )


def _item_lines(found: LabAnalysis) -> Iterator[str]:
    yield from ("", "## Items that changed most", "")
    for name, movers in (("Gained", found.paired.largest_gains), ("Lost", found.paired.largest_losses)):
        shown = ", ".join(f"{_cell(each.item)} ({each.delta:+.3f})" for each in movers)
        yield f"- {name}: {shown or 'none'}"


def _cell(text: str) -> str:
    """Keep names that come from files from ending a cell or a line."""
    return "".join(each if each.isprintable() else " " for each in text).replace("|", "\\|")


def _pair(interval: Interval) -> list[float]:
    return [interval.low, interval.high]


def _hierarchical(found: Hierarchical | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "percentile_95_ci_pp": [100 * found.percentile.low, 100 * found.percentile.high],
        "standard_error_pp": 100 * found.standard_error,
        "variance_seed": found.components.seed,
        "variance_item_by_treatment": found.components.item_by_treatment,
        "variance_seed_by_item": found.components.seed_by_item,
    }


def _strata(found: Stratified | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "delta_pp": 100 * found.delta,
        "percentile_95_ci_pp": [100 * found.percentile.low, 100 * found.percentile.high],
        "floor_pp": 100 * found.thresholds.stratum_floor,
        "floor_shown": found.floor_shown,
        "strata": [
            {
                "name": each.name,
                "n_items": each.n_items,
                "weight": each.weight,
                "delta_pp": 100 * each.delta,
                "lower_bound_pp": None if each.lower_bound is None else 100 * each.lower_bound,
                "p_holm": each.p_holm,
                "above_floor": each.above_floor,
            }
            for each in found.strata
        ],
    }
