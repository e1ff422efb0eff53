"""Holds the verdict: one of the lab's four readings of a difference, in plain words, with the limits of the claim.

Never claims more than the resampled units carry, and never calls a missing claim a failure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from glass_pipeline.domain.comparison.hierarchical import Hierarchical
from glass_pipeline.domain.comparison.inference import Inference
from glass_pipeline.domain.stats.intervals import Interval

Reading = Literal["no_direction", "below_threshold", "not_confirmed", "at_least"]

FEW_UNITS = 16
"""From here on BCa of a mean covers about what it says (methods §10.2)."""


class Scale(NamedTuple):
    """How differences are written."""

    factor: float
    unit: str

    def show(self, value: float, *, signed: bool = False) -> str:
        """Write a difference with its unit."""
        return f"{self.number(value, signed=signed)}{self.unit}"

    def number(self, value: float, *, signed: bool = False) -> str:
        """Write a difference without its unit."""
        return f"{self.factor * value:{'+' if signed else ''}.{2 if self.factor > 1 else 4}f}"

    def span(self, interval: Interval) -> str:
        """Write an interval."""
        return f"[{self.number(interval.low)}, {self.number(interval.high)}]{self.unit}"


POINTS, RAW = Scale(100.0, " pp"), Scale(1.0, "")
"""Percentage points for scores in [0, 1]; the scores' own unit for all others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a verdict is about."""

    name_a: str
    name_b: str
    n_items: int
    at_least: float
    """Difference that matters, 0 or more, in the unit of the scores."""
    alpha: float
    """Level of the test."""
    lower_is_better: bool = False
    """The score is a break rate or an error."""
    scale: Scale = POINTS
    n_comparisons: int = 1
    """Made together, so that p-values are Holm's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the comparison shows."""

    reading: Reading | None
    """None where no interval could be calculated."""
    sentence: str
    limits: tuple[str, ...]
    """What it does not show, one sentence each."""


def read(interval: Interval, p_value: float, at_least: float, alpha: float) -> Reading:
    """Return the lab's reading of a difference that points up; mirror the interval first if it points down.

    The interval contains 0: not even a direction. It lies above 0 but p >= alpha: not confirmed. It lies above 0
    with p < alpha: a difference, and one of at least ``at_least`` where the interval starts there.

    Source: methods §10.1 (its evidence of any gain also asks p < .05).
    """
    if interval.low <= 0:
        return "no_direction"
    if p_value >= alpha:
        return "not_confirmed"
    return "at_least" if interval.low >= at_least else "below_threshold"


def verdict(
    primary: Inference,
    p_value: float,
    claim: Claim,
    *,
    hierarchical: Hierarchical | None = None,
    smallest_detectable: float | None = None,
) -> Verdict:
    """Put a comparison into words.

    Args:
        primary: Inference over the unit that the claim is about.
        p_value: Of the sign-flip test, adjusted where several comparisons were made.
        claim: Names, bounds, unit.
        hierarchical: The same difference over all levels, for the limits.
        smallest_detectable: Difference that would be found four times in five, for the limits.
    """
    limits = _limits(primary, claim, hierarchical, smallest_detectable)
    if primary.bca is None:
        delta = claim.scale.show(primary.delta, signed=True)
        sentence = f"No claim: {claim.name_b} - {claim.name_a} is {delta}, without an interval. {primary.note}"
        return Verdict(reading=None, sentence=sentence, limits=limits)
    facing = primary.bca
    if primary.delta < 0:
        facing = Interval(-primary.bca.high, -primary.bca.low, primary.bca.level)
    reading = read(facing, p_value, claim.at_least, claim.alpha)
    return Verdict(reading=reading, sentence=_sentence(reading, primary, primary.bca, p_value, claim), limits=limits)


def _sentence(reading: Reading, primary: Inference, interval: Interval, p_value: float, claim: Claim) -> str:
    word = "higher" if primary.delta >= 0 else "lower"
    quality = "better" if (primary.delta >= 0) != claim.lower_is_better else "worse"
    bound = claim.scale.show(claim.at_least)
    evidence = (
        f"difference {claim.scale.show(primary.delta, signed=True)}, {100 * interval.level:g} % BCa interval over "
        f"{primary.n_units:,} {primary.unit}s {claim.scale.span(interval)}, sign-flip p = {p_value:.4g}"
    )
    if claim.n_comparisons > 1:
        evidence += f" by Holm over {claim.n_comparisons} comparisons"
    texts: dict[Reading, str] = {
        "no_direction": (
            f"Not even the direction is shown: the interval of {claim.name_b} - {claim.name_a} contains zero"
        ),
        "not_confirmed": (
            f"Not confirmed: the interval puts {claim.name_b} {word} than {claim.name_a}, but the sign-flip test does "
            "not reach its level"
        ),
        "below_threshold": (
            f"{claim.name_b} is {word} ({quality}) than {claim.name_a}, but not shown to be so by {bound} or more"
        ),
        "at_least": f"{claim.name_b} is {word} ({quality}) than {claim.name_a} by at least {bound}",
    }
    return f"{texts[reading]} ({evidence})."


def _limits(
    primary: Inference, claim: Claim, hierarchical: Hierarchical | None, smallest_detectable: float | None
) -> tuple[str, ...]:
    limits = [_scope(primary, claim)]
    if hierarchical is not None:
        limits.append(
            f"Over every level that was repeated, items among them, the interval is "
            f"{claim.scale.span(hierarchical.percentile)}."
        )
    if primary.sign_flip.smallest_p >= claim.alpha and primary.delta != 0:
        limits.append(
            f"So few {primary.unit}s differ that the sign-flip test cannot give p below "
            f"{primary.sign_flip.smallest_p:.4g}."
        )
    if primary.t is not None and primary.n_units < FEW_UNITS:
        limits.append(
            "BCa intervals from few units are too short (nominal 95 % covers about 84 % with 5 and 88 % with 8); the t "
            f"interval is {claim.scale.span(primary.t)}."
        )
    if smallest_detectable is not None:
        limits.append(
            f"Over new items, a true difference below {claim.scale.show(smallest_detectable)} would be missed more "
            "often than one time in five."
        )
    limits.append(
        "It says nothing of other benchmarks, languages or real traffic, and a contaminated benchmark stays so."
    )
    return tuple(limits)


def _scope(primary: Inference, claim: Claim) -> str:
    if primary.unit == "seed":
        return f"It holds for seeds like these {primary.n_units} on exactly these {claim.n_items:,} items."
    return f"It holds for items like these {claim.n_items:,} and for the runs at hand, not for other training seeds."
