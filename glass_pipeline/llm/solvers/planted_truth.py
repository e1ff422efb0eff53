"""Holds the truth that the simulated solver answers from: break probabilities as functions of text, family and dose.

Pattern of methods §8.2, with C and E read off the base's text, so that a predictor of text has something to learn and
something (u_J) it cannot. Never draws from anything but names, and never words an answer.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import ItemFacts
from glass_pipeline.domain.seeding import unit_interval

NUMERAL = re.compile(r"\d+")
OPENERS = (
    "A|After|All|An|And|At|Before|But|By|During|Each|Every|Find|First|For|From|He|Her|His|How|However|If|In|It|Its|"
    "Later|No|Of|On|One|She|So|Some|Suppose|That|The|Their|Then|There|These|They|This|To|What|When|Which|While|With|You"
)
"""Words that open sentences and name nobody."""
NAME = re.compile(rf"\b(?!(?:{OPENERS})\b)[A-Z][a-z]+")
STANDARD_NORMAL = NormalDist()
CENTRE_DOSE = 5
"""Injected sentences at which the dose term is 0 (methods §1.6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedWorld:
    """The planted truth; logits unless said otherwise."""

    intercept: float = -2.4
    """Break logit of an average item, before family and dose."""
    tiers: tuple[tuple[str, float], ...] = (
        ("sentence_reorder", 0.0),
        ("entity_rename", -2.6),
        ("math_irrelevant_context", 0.2),
        ("gsm_ic", -1.5),
    )
    """What a family adds; published are 13.8 % of reorderings, 1.5 % of renamings, 13.0 % of injections (§1.10)."""
    complexity: float = 1.0
    """Times (C - 0.5)."""
    entities: float = 4.0
    """Times (E - 0.5)."""
    item_sd: float = 0.7
    """Standard deviation of u_J."""
    shared: float = 0.8
    """Correlation of u_J between planted solvers with different ``model``."""
    slope: float = 0.12
    """b_J where E = 0.5: logits for each injected sentence beyond five."""
    slope_entities: float = 0.20
    """Times (E - 0.5), added to b_J."""
    solvable: tuple[float, float, float] = (3.0, -2.5, -1.5)
    """Logit that a base is solvable: constant, times (C - 0.5), times (E - 0.5)."""
    repaired: float = 0.3
    """Probability that a twin of an unsolvable base is solved."""
    unsteadiness: float = 0.45
    """Largest probability that one sample of a solvable text is wrong."""
    unsteady_power: float = 6.0
    """A text's probability is ``unsteadiness`` · v^power, v uniform: most texts are steady."""
    lucky: float = 0.06
    """Probability that one sample of a broken or unsolvable text is right."""
    unparsable: float = 0.004
    """Probability that a sample ends without an answer."""


DEFAULT_WORLD = PlantedWorld()


class Features(NamedTuple):
    """What of a base's text enters the truth, each in [0, 1)."""

    complexity: float
    """C = k / (k + 4), k numerals."""
    entities: float
    """E = k / (k + 4), k capitalised words that are no openers of sentences."""


class Simulation(NamedTuple):
    """Which truth: the world, and whose."""

    study_seed: int
    model: str
    """Name of the simulated model."""
    world: PlantedWorld = DEFAULT_WORLD


class Truth(NamedTuple):
    """What is planted for one text."""

    solved: bool
    """The modal answer is right but for sampling noise."""
    p_right: float
    """Probability that one sample is right."""


def features(text: str) -> Features:
    """Return C and E of a base's text."""
    numerals, names = len(NUMERAL.findall(text)), len(NAME.findall(text))
    return Features(complexity=numerals / (numerals + 4), entities=names / (names + 4))


def true_break_probability(facts: ItemFacts, simulation: Simulation) -> float:
    """Return the planted probability that a twin of a solvable base is broken.

    p = σ(intercept + tier + complexity·(C - ½) + entities·(E - ½) + item_sd·u_J [+ b_J·(size - 5) if injected]), with
    b_J = slope + slope_entities·(E - ½).

    Args:
        facts: Base text, family and injected sentences; gold is not used.
        simulation: Whose truth.

    Returns:
        A probability; 0 for a base (no family): asking again breaks nothing but by sampling noise.

    Source: methods §8.2, Bernoulli variant, with features read off the text.
    """
    if facts.family is None:
        return 0.0
    world = simulation.world
    of_text = features(facts.base_text)
    logit = (
        world.intercept
        + dict(world.tiers).get(facts.family, 0.0)
        + world.complexity * (of_text.complexity - 0.5)
        + world.entities * (of_text.entities - 0.5)
        + world.item_sd * item_effect(facts.base_text, simulation)
    )
    if facts.inject_size is not None:
        slope = world.slope + world.slope_entities * (of_text.entities - 0.5)
        logit += slope * (facts.inject_size - CENTRE_DOSE)
    return _sigmoid(logit)


def item_effect(base_text: str, simulation: Simulation) -> float:
    """Return u_J: standard normal, shared in part with every planted solver of the study."""
    base = text_hash(base_text)
    common = _normal(unit_interval(simulation.study_seed, "planted", "item", base))
    own = _normal(unit_interval(simulation.study_seed, "planted", "item", base, simulation.model))
    shared = simulation.world.shared
    return shared * common + math.sqrt(1 - shared**2) * own


def truth(text: str, facts: ItemFacts, simulation: Simulation) -> Truth:
    """Return what is planted for one text: drawn once for the base, once for the twin, then the same in every run."""
    world = simulation.world
    path = (simulation.study_seed, "planted", simulation.model)
    base = text_hash(facts.base_text)
    of_text = features(facts.base_text)
    constant, per_complexity, per_entities = world.solvable
    p_solvable = _sigmoid(
        constant + per_complexity * (of_text.complexity - 0.5) + per_entities * (of_text.entities - 0.5)
    )
    solved = unit_interval(*path, "solvable", base) < p_solvable
    if facts.family is not None:
        drawn = unit_interval(*path, "twin", base, text_hash(text))
        p_fails = true_break_probability(facts, simulation) if solved else 1 - world.repaired
        solved = drawn >= p_fails
    unsteady = world.unsteadiness * unit_interval(*path, "unsteady", base) ** world.unsteady_power
    return Truth(solved, 1 - unsteady if solved else world.lucky)


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _normal(uniform: float) -> float:
    return STANDARD_NORMAL.inv_cdf(max(uniform, 2.0**-54))
