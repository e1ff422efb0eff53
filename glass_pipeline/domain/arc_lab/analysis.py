"""Holds the lab's analysis: adapters against baseline on the same items, over seeds, and what may be said.

Never stands in for an interval that does not exist, and never sees thresholds that were not declared before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.predicting import REDO_RESULTS, Prediction
from glass_pipeline.domain.arc_lab.strata import Strata
from glass_pipeline.domain.comparison.clustered import units_of
from glass_pipeline.domain.comparison.compare import ComparisonConfig, PairedComparison, compare
from glass_pipeline.domain.comparison.hierarchical import Hierarchical
from glass_pipeline.domain.comparison.inference import Inference, infer
from glass_pipeline.domain.comparison.results import Floats, Results
from glass_pipeline.domain.comparison.thresholds import Thresholds
from glass_pipeline.domain.comparison.verdict import Claim, Scale, Verdict, verdict
from glass_pipeline.domain.stats.intervals import Interval

BOOTSTRAP_SEED = 20260918
RESAMPLES = 10_000
LEVEL, ALPHA = 0.95, 0.05
ONE_POINT_PP = 1.0
POINTS = Scale(1.0, " pp")
"""Differences are already in percentage points."""


class IdenticalDeltas(LabError):
    """All seeds differ from the baseline by the same amount."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedInference:
    """What the seeds' differences say; in percentage points."""

    mean_delta_pp: float
    bca: Interval
    t: Interval
    """Printed beside BCa, which is too short for few seeds."""
    p_value: float
    """Of the sign-flip test, which lists every sign vector of up to 16 seeds."""
    inference: Inference

    @property
    def evidence_any_gain(self) -> bool:
        """Whether the interval lies above zero, confirmed by the sign-flip test."""
        return self.bca.low > 0 and self.p_value < ALPHA

    def evidence_at_least(self, points: float) -> bool:
        """Whether the interval starts at so many points or above, confirmed by the sign-flip test."""
        return self.bca.low >= points and self.p_value < ALPHA


@dataclass(frozen=True, slots=True, kw_only=True)
class LabAnalysis:
    """All that the lab reports."""

    benchmark: str
    model: str
    n_items: int
    baseline_accuracy_pct: float
    seed_accuracies_pct: Mapping[int, float]
    seed_deltas_pp: Mapping[int, float]
    seeds: SeedInference
    paired: PairedComparison
    """The same results over items, over all levels and by stratum; in fractions."""
    strata_rule: str
    thresholds: Thresholds
    verdict: Verdict


def infer_seeds(deltas_pp: Floats) -> SeedInference:
    """Infer the mean difference over training seeds: BCa, t, and the exact sign-flip test.

    Args:
        deltas_pp: Accuracy of each seed's adapter minus that of the baseline, percentage points, shape ``[S]``.

    Raises:
        IdenticalDeltas: all differences are equal.
        LabError: there are fewer than two, or BCa has no value for them.

    Source: methods §10.1: 10,000 resamples, seed 20260918, 95 %.
    """
    units = units_of(deltas_pp)
    if deltas_pp.size < 2:
        raise LabError(
            f"{deltas_pp.size} seed says nothing about other seeds; train at least two, eight for the lab's protocol."
        )
    if units.identical:
        raise IdenticalDeltas(
            f"BCa CI cannot be calculated from identical seed deltas: all {deltas_pp.size} are {units.mean:+g} pp. "
            "Report them as equal; an interval over items answers another question (`glass compare`)."
        )
    # Exact for so few seeds, so the generator's first draws are the bootstrap's.
    found = infer(units, "seed", rng=np.random.default_rng(BOOTSTRAP_SEED), level=LEVEL, resamples=RESAMPLES)
    if found.bca is None or found.t is None:
        raise LabError(f"The {deltas_pp.size} seeds have no interval: {found.note} Train more seeds.")
    return SeedInference(
        mean_delta_pp=float(np.mean(deltas_pp)),
        bca=found.bca,
        t=found.t,
        # A share of sign vectors; rounding takes off what summing binomial probabilities left behind.
        p_value=round(found.sign_flip.p_value, 12),
        inference=found,
    )


def analyze(
    baseline: Sequence[Prediction],
    by_seed: Mapping[int, Sequence[Prediction]],
    *,
    benchmark: str,
    model: str,
    strata: Strata,
    thresholds: Thresholds,
) -> LabAnalysis:
    """Compare the adapters of all seeds with the baseline.

    Args:
        baseline: Predictions of the model without an adapter, one an item.
        by_seed: Predictions of each seed's adapter, on the same items in the same order.
        benchmark: Name of the data, for the claim.
        model: Name of the model, for the claim.
        strata: Stratum of each item.
        thresholds: What was declared before.

    Raises:
        LabError: the items or their order differ, or the seeds have no interval (see ``infer_seeds``).

    Source: methods §10.1, §10.3.
    """
    for seed, predictions in by_seed.items():
        require_same_order(baseline, predictions, seed)
    before = _correct(baseline)
    after = {seed: _correct(predictions) for seed, predictions in by_seed.items()}
    deltas = {seed: float((values - before).mean() * 100) for seed, values in after.items()}
    seeds = infer_seeds(np.array(list(deltas.values())))
    paired = _paired(baseline, after, before, strata, thresholds)
    claim = Claim(
        name_a=f"{model} without an adapter",
        name_b="LoRA",
        n_items=len(baseline),
        at_least=100 * thresholds.minimum_gain,
        alpha=ALPHA,
        scale=POINTS,
    )
    return LabAnalysis(
        benchmark=benchmark,
        model=model,
        n_items=len(baseline),
        baseline_accuracy_pct=float(before.mean() * 100),
        seed_accuracies_pct={seed: float(values.mean() * 100) for seed, values in after.items()},
        seed_deltas_pp=deltas,
        seeds=seeds,
        paired=paired,
        strata_rule=strata.rule,
        thresholds=thresholds,
        verdict=verdict(
            seeds.inference,
            seeds.p_value,
            claim,
            hierarchical=_in_points(paired.hierarchical),
            smallest_detectable=None if paired.smallest_detectable is None else 100 * paired.smallest_detectable,
        ),
    )


def require_same_order(baseline: Sequence[Prediction], predictions: Sequence[Prediction], seed: int) -> None:
    """Refuse results of other items, or in another order.

    Raises:
        LabError: names the seed and the first item that differs.
    """
    if len(baseline) != len(predictions):
        raise LabError(
            f"seed={seed} has {len(predictions):,} results and the baseline {len(baseline):,}; {REDO_RESULTS}"
        )
    for number, (one, other) in enumerate(zip(baseline, predictions, strict=True), start=1):
        if (one.id, one.gold) != (other.id, other.gold):
            raise LabError(
                f"Item order differs for seed={seed}: number {number} is {other.id!r} (gold {other.gold}) and in the "
                f"baseline {one.id!r} (gold {one.gold}); {REDO_RESULTS}"
            )


def _correct(predictions: Sequence[Prediction]) -> Floats:
    return np.array([each.correct for each in predictions], dtype=np.float64)


def _paired(
    baseline: Sequence[Prediction],
    after: Mapping[int, Floats],
    before: Floats,
    strata: Strata,
    thresholds: Thresholds,
) -> PairedComparison:
    ids = tuple(each.id for each in baseline)
    first = Results(name="baseline", measure="correct", ids=ids, values=before, strata=strata.names)
    second = Results(
        name="LoRA",
        measure="correct",
        ids=ids * len(after),
        values=np.concatenate(list(after.values())),
        seeds=tuple(str(seed) for seed in after for _ in ids),
        strata=strata.names * len(after),
    )
    config = ComparisonConfig(
        at_least=abs(thresholds.minimum_gain),
        level=LEVEL,
        resamples=RESAMPLES,
        seed=BOOTSTRAP_SEED,
        thresholds=thresholds,
    )
    return compare(first, second, config)


def _in_points(found: Hierarchical | None) -> Hierarchical | None:
    if found is None:
        return None
    low, high, level = found.percentile
    return replace(found, delta=100 * found.delta, percentile=Interval(100 * low, 100 * high, level))
