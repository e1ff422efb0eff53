"""Holds the comparison of two systems on the same items: every interval, test and table of one pair, and the verdict.

Never chooses what to compare, and never reads a file (see ``reading``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from glass_pipeline.domain.comparison.alignment import Paired, align
from glass_pipeline.domain.comparison.clustered import Units, units_of
from glass_pipeline.domain.comparison.equivalence import Equivalence, equivalence
from glass_pipeline.domain.comparison.flips import Flips, Movers, flips, is_right_or_wrong, largest_movers
from glass_pipeline.domain.comparison.hierarchical import Hierarchical, hierarchical
from glass_pipeline.domain.comparison.inference import Inference, infer
from glass_pipeline.domain.comparison.paired_bootstrap import RESAMPLES
from glass_pipeline.domain.comparison.power import smallest_detectable
from glass_pipeline.domain.comparison.results import ComparisonError, Results
from glass_pipeline.domain.comparison.stratified import Stratified, stratified
from glass_pipeline.domain.comparison.thresholds import Thresholds
from glass_pipeline.domain.comparison.verdict import POINTS, RAW, Claim, Verdict, verdict
from glass_pipeline.domain.seeding import child_generator

DEFAULT_THRESHOLDS = Thresholds()
SOLVED = 0.5
"""An item of several runs counts as solved from this share of right answers on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonConfig:
    """What is asked of a comparison; bounds are in the unit of the scores."""

    at_least: float = 0.01
    """Difference that matters, 0 or more."""
    margin: float = 0.01
    """Largest difference that counts as equal, above 0."""
    level: float = 0.95
    """Nominal coverage of intervals; tests use 1 - level."""
    resamples: int = RESAMPLES
    """Bootstrap replicates."""
    seed: int = 42
    """Seed of every draw."""
    lower_is_better: bool = False
    """The score is a break rate or an error."""
    thresholds: Thresholds = DEFAULT_THRESHOLDS
    """Declared bounds by stratum; used where results have strata."""

    @property
    def alpha(self) -> float:
        """Level of every test."""
        return round(1 - self.level, 12)

    def __post_init__(self) -> None:
        """Refuse values that mean nothing.

        Raises:
            ComparisonError: a value is out of its range.
        """
        ranges = {
            "at_least": 0 <= self.at_least < float("inf"),
            "margin": 0 < self.margin < float("inf"),
            "level": 0.5 <= self.level < 1,
            "resamples": 100 <= self.resamples <= 1_000_000,
        }
        for name, fits in ranges.items():
            if not fits:
                raise ComparisonError(f"compare: {name} is {getattr(self, name)!r}, which is out of range.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedComparison:
    """All that is known about B - A."""

    name_a: str
    name_b: str
    measure: str
    n_items: int
    n_clusters: int | None
    seeds: tuple[str, ...]
    """Empty for one run of each."""
    mean_a: float
    mean_b: float
    delta: float
    over_items: Inference
    """Seeds and decodings averaged, items (or their clusters) resampled."""
    over_seeds: Inference | None
    """Items held fixed, seeds resampled, as in the lab; None for one run of each."""
    seed_deltas: dict[str, float]
    """Mean difference of each seed."""
    hierarchical: Hierarchical | None
    by_stratum: Stratified | None
    flips: Flips | None
    """None where scores are not right or wrong."""
    largest_gains: tuple[Movers, ...]
    largest_losses: tuple[Movers, ...]
    equivalence: Equivalence | None
    smallest_detectable: float | None
    """Difference over new items that a test finds four times in five."""
    p_value: float
    """Sign-flip p of the unit that the verdict is about."""
    p_holm: float
    """The same, adjusted for all comparisons made together."""
    claim: Claim
    verdict: Verdict

    @property
    def primary(self) -> Inference:
        """The inference that the verdict reads: over seeds where there are several, else over items."""
        return self.over_items if self.over_seeds is None else self.over_seeds


def compare(a: Results, b: Results, config: ComparisonConfig | None = None) -> PairedComparison:
    """Compare two systems on the same items; a difference is always B - A.

    Args:
        a: Baseline.
        b: What is compared with it.
        config: Bounds, level, seed.

    Returns:
        The comparison. Where all differences are equal it has no interval and no reading, and says so.

    Raises:
        ComparisonError: the two do not hold the same items (see ``align``).

    Source: methods §10.
    """
    asked = config or ComparisonConfig()
    paired = align(a, b)
    units = units_of(paired.item_deltas, paired.clusters)
    over_items = infer(
        units,
        "item" if paired.clusters is None else "cluster",
        rng=_rng(asked, "items"),
        level=asked.level,
        resamples=asked.resamples,
    )
    error = over_items.standard_error
    over_seeds = _over_seeds(paired, asked)
    primary = over_seeds or over_items
    nested = hierarchical(paired, rng=_rng(asked, "hierarchical"), level=asked.level, resamples=asked.resamples)
    claim = _claim(paired, asked)
    detectable = None if error is None else smallest_detectable(error, level=asked.level)
    return PairedComparison(
        name_a=paired.name_a,
        name_b=paired.name_b,
        measure=paired.measure,
        n_items=len(paired.ids),
        n_clusters=None if paired.clusters is None else units.sums.size,
        seeds=paired.seeds if len(paired.seeds) > 1 else (),
        mean_a=float(paired.a.mean()),
        mean_b=float(paired.b.mean()),
        delta=float(paired.deltas.mean()),
        over_items=over_items,
        over_seeds=over_seeds,
        seed_deltas=_seed_deltas(paired),
        hierarchical=nested,
        by_stratum=_by_stratum(paired, asked),
        flips=_flips(paired),
        largest_gains=largest_movers(paired.ids, paired.item_deltas, up=True),
        largest_losses=largest_movers(paired.ids, paired.item_deltas, up=False),
        equivalence=equivalence(units, asked.margin, alpha=asked.alpha),
        smallest_detectable=detectable,
        p_value=primary.sign_flip.p_value,
        p_holm=primary.sign_flip.p_value,
        claim=claim,
        verdict=verdict(primary, primary.sign_flip.p_value, claim, hierarchical=nested, smallest_detectable=detectable),
    )


def _rng(config: ComparisonConfig, part: str) -> np.random.Generator:
    return child_generator(config.seed, "comparison", part)


def _claim(paired: Paired, config: ComparisonConfig) -> Claim:
    in_unit = all(side.min() >= 0 and side.max() <= 1 for side in (paired.a, paired.b))
    return Claim(
        name_a=paired.name_a,
        name_b=paired.name_b,
        n_items=len(paired.ids),
        at_least=config.at_least,
        alpha=config.alpha,
        lower_is_better=config.lower_is_better,
        scale=POINTS if in_unit else RAW,
    )


def _seed_deltas(paired: Paired) -> dict[str, float]:
    if len(paired.seeds) < 2:
        return {}
    return {seed: float(delta) for seed, delta in zip(paired.seeds, paired.deltas.mean(axis=1), strict=True)}


def _over_seeds(paired: Paired, config: ComparisonConfig) -> Inference | None:
    if len(paired.seeds) < 2:
        return None
    units = Units(paired.deltas.mean(axis=1), np.ones(len(paired.seeds)))
    return infer(units, "seed", rng=_rng(config, "seeds"), level=config.level, resamples=config.resamples)


def _by_stratum(paired: Paired, config: ComparisonConfig) -> Stratified | None:
    if paired.strata is None:
        return None
    return stratified(
        paired.item_deltas,
        paired.strata,
        config.thresholds,
        rng=_rng(config, "strata"),
        clusters=paired.clusters,
        level=config.level,
        resamples=config.resamples,
    )


def _flips(paired: Paired) -> Flips | None:
    if not is_right_or_wrong(paired.a, paired.b):
        return None
    solved_a, solved_b = (side.mean(axis=(0, 2)) >= SOLVED for side in (paired.a, paired.b))
    return flips(paired.ids, solved_a.tolist(), solved_b.tolist())
