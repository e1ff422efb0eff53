"""Tests of the truth that the simulated solver answers from."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import pytest
from scipy.stats import kstest, pearsonr

from glass_pipeline.domain.records import ItemFacts
from glass_pipeline.llm.solvers.planted_truth import (
    PlantedWorld,
    Simulation,
    features,
    item_effect,
    true_break_probability,
    truth,
)

BASE = "Mia has 3 boxes of 6 pens. She gives 4 pens to Leo. How many pens are left?"
STILL = Simulation(42, "planted", PlantedWorld(item_sd=0.0))
"""A world in which text, family and dose tell everything."""


def facts(family: str | None = None, inject_size: int | None = None, text: str = BASE) -> ItemFacts:
    """Return what a simulation may know."""
    return ItemFacts(gold="14", base_text=text, family=family, inject_size=inject_size)


def texts(n: int) -> list[str]:
    """Return n base texts that differ in a number only, so that C and E are the same."""
    return [f"Mia has {i} boxes of 6 pens. She gives 4 pens to Leo. How many pens are left?" for i in range(n)]


def test_features() -> None:
    """Three numerals give C = 3/7; two names (Mia, Leo; She and How name nobody) give E = 2/6."""
    assert features(BASE) == (3 / 7, 2 / 6)
    assert features("") == (0.0, 0.0)


def test_break_probability_by_hand() -> None:
    """With C = 3/7, E = 1/3 and no u_J, a reordering breaks with σ(-2.4 + 0 + 1·(-1/14) + 4·(-1/6)) = σ(-3.138)."""
    expected = 1 / (1 + math.exp(2.4 + 1 / 14 + 4 / 6))

    assert true_break_probability(facts("sentence_reorder"), STILL) == pytest.approx(expected)


def test_dose_by_hand() -> None:
    """With E = 1/3, b_J = 0.12 - 0.2/6; nine injected sentences add four times that to the logit at five."""
    logits = [
        math.log(p / (1 - p))
        for p in (true_break_probability(facts("math_irrelevant_context", m), STILL) for m in (5, 9))
    ]

    assert logits[1] - logits[0] == pytest.approx(4 * (0.12 - 0.2 / 6))


def test_base_breaks_never() -> None:
    """Asking the base again breaks nothing but by sampling noise."""
    assert true_break_probability(facts(None), Simulation(42, "planted")) == 0.0


def test_item_effects_are_standard_normal() -> None:
    """u_J over 2,000 items is standard normal."""
    effects = [item_effect(text, Simulation(42, "planted")) for text in texts(2000)]

    assert kstest(effects, "norm").pvalue > 0.01


def test_item_effects_are_shared_between_solvers() -> None:
    """Two planted solvers share 0.8² = 0.64 of the variance of u_J, so that rankings transfer in part."""
    pairs = [(item_effect(text, Simulation(42, "a")), item_effect(text, Simulation(42, "b"))) for text in texts(2000)]

    assert pearsonr(*zip(*pairs, strict=True)).statistic == pytest.approx(0.64, abs=0.04)


def test_twins_break_as_often_as_planted() -> None:
    """Of 3,000 twins of solvable bases, the share that is broken is the planted mean within three standard errors."""
    simulation = Simulation(42, "planted")
    planted, broken = [], []
    for text in texts(3000):
        known = facts("sentence_reorder", text=text)
        if truth(text, facts(text=text), simulation).solved:
            planted.append(true_break_probability(known, simulation))
            broken.append(not truth(f"{text} ", replace(known), simulation).solved)
    error = math.sqrt(sum(p * (1 - p) for p in planted)) / len(planted)

    assert len(planted) > 2700
    assert statistics.mean(broken) == pytest.approx(statistics.mean(planted), abs=3 * error)


def test_unsolvable_base_is_repaired_now_and_then() -> None:
    """A twin of an unsolvable base is solved with probability 0.3."""
    simulation = Simulation(42, "planted", PlantedWorld(solvable=(-50.0, 0.0, 0.0)))
    solved = [truth(f"twin of {text}", facts("entity_rename", text=text), simulation).solved for text in texts(2000)]

    assert statistics.mean(solved) == pytest.approx(0.3, abs=0.035)


def test_truth_is_of_the_text() -> None:
    """The same twin is broken or not in every dose file; white space is no other text."""
    simulation = Simulation(42, "planted")
    known = facts("sentence_reorder")

    assert truth("How many?  Mia.", known, simulation) == truth("How many? Mia.", known, simulation)
