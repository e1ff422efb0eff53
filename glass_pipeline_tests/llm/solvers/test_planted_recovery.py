"""The estimators on labels of the simulated solver: what was planted comes out, to the precision of its twins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from scipy import special, stats

from glass_pipeline.domain.estimands import causal_difficulty
from glass_pipeline.domain.estimands.slices import job_slices
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import DOSES, ItemFacts
from glass_pipeline.domain.reliability import reliability_ceiling
from glass_pipeline.domain.schemas import LABELED_PAIRS
from glass_pipeline.llm.solvers.planted_truth import Simulation, features, true_break_probability, truth

JOBS = 500
SIMULATION = Simulation(42, "planted")
SURFACE = ("sentence_reorder", "entity_rename")


class Planted(NamedTuple):
    """What is true of each job, and the table estimated from its labels; rows in the order of ids."""

    rate: Any
    a: Any
    b: Any
    by_family: dict[str, float]
    table: pl.DataFrame


def base_text(number: int) -> str:
    """Return a base whose names and numerals, and so C and E, differ between numbers."""
    names = ["Mia", "Leo", "Nora", "Omar", "Tess"][: 1 + number % 5]
    return f"{' and '.join(names)} have {number} pens" + ". Two take 3 away" * (number % 4) + ". How many are left?"


def twins_of(number: int, series: str) -> Iterator[tuple[int, str, int | None, str]]:
    """Yield dose, family, injected sentences and text: m injections of size m and two of each surface family a dose."""
    for dose in DOSES:
        for copy in range(dose):
            yield dose, "math_irrelevant_context", dose, f"{series} {dose} {copy} {base_text(number)}"
        for family in SURFACE:
            for copy in range(2):
                yield dose, family, None, f"{series} {family} {dose} {copy} {base_text(number)}"


def labelled(series: str) -> Planted:
    """Ask the truth itself for base and twins, without the noise of single samples."""
    pairs: list[dict[str, Any]] = []
    runs, problems, rates, curves = [], [], {}, {}
    planted: dict[str, list[float]] = {}
    for number in range(JOBS):
        text = base_text(number)
        known = ItemFacts(gold="1", base_text=text, family=None, inject_size=None)
        solved = int(truth(text, known, SIMULATION).solved)
        base = {"base_id": f"job-{number:04}", "solver": "planted"}
        problems.append({**base, "category": "toys", "declared_complexity": features(text).complexity})
        runs += [{**base, "dose": dose, "y_base": solved, "n_samples": 5, "n_correct": 5 * solved} for dose in DOSES]
        chances = []
        for dose, family, size, twin in twins_of(number, series):
            facts = ItemFacts(gold="1", base_text=text, family=family, inject_size=size)
            chances.append(true_break_probability(facts, SIMULATION))
            if solved:
                planted.setdefault(family, []).append(chances[-1])
            y_twin = int(truth(twin, facts, SIMULATION).solved)
            pairs.append(
                {
                    **base,
                    "twin_id": f"{base['base_id']}-{len(chances)}",
                    "text_hash": text_hash(twin),
                    "family": family,
                    "file_dose": dose,
                    "inject_size": size,
                    "y_base_run": solved,
                    "y_twin": y_twin,
                    "delta": solved - y_twin,
                }
            )
        rates[base["base_id"]] = float(np.mean(chances))
        at_five = ItemFacts(gold="1", base_text=text, family="math_irrelevant_context", inject_size=5)
        world = SIMULATION.world
        slope = world.slope + world.slope_entities * (features(text).entities - 0.5)
        curves[base["base_id"]] = (special.logit(true_break_probability(at_five, SIMULATION)), slope)
    schema = {name: LABELED_PAIRS.schema[name] for name in pairs[0]}
    table = causal_difficulty(
        pl.DataFrame(problems), pl.DataFrame(runs), pl.DataFrame(pairs, schema=schema, orient="row"), seed=42
    )
    pooled = table.filter(slice="pooled").drop_nulls("pi").sort("base_id")
    ids = pooled["base_id"].to_list()
    a, b = np.array([curves[base] for base in ids]).T
    means = {family: float(np.mean(chances)) for family, chances in planted.items()}
    return Planted(np.array([rates[base] for base in ids]), a, b, means, pooled)


@pytest.fixture(scope="module")
def planted() -> Planted:
    """One labelling."""
    return labelled("first")


def test_pi_is_unbiased_and_its_interval_covers(planted: Planted) -> None:
    """The mean error is within three standard errors of 0, and 87 to 93 % of 90 % intervals hold the planted rate."""
    error = planted.table["pi"].to_numpy() - planted.rate
    low, high = (planted.table[name].to_numpy() for name in ("pi_low", "pi_high"))

    assert planted.table.height > 400
    assert abs(error.mean()) < 3 * error.std() / np.sqrt(error.size)
    assert np.sqrt((error**2).mean()) < 0.06
    assert 0.87 <= np.mean((low <= planted.rate) & (planted.rate <= high)) <= 0.93


def test_families_break_as_planted(planted: Planted) -> None:
    """Break rates of families, pooled over jobs, are the planted means to .01."""
    cells = {cell.name: cell.jobs for cell in job_slices(planted.table)}
    found = {name: cells[name]["k"].sum() / cells[name]["n"].sum() for name in planted.by_family}

    assert found == pytest.approx(planted.by_family, abs=0.01)


def test_dose_response_is_recovered_with_its_known_bias(planted: Planted) -> None:
    """On injection size: a is ranked and drawn towards 0 by less than .4, b has the planted mean."""
    a, b = planted.table["a_inject"].to_numpy(), planted.table["b_inject"].to_numpy()

    assert stats.spearmanr(a, planted.a).statistic > 0.7
    assert -0.05 < (a - planted.a).mean() < 0.4
    assert b.mean() == pytest.approx(planted.b.mean(), abs=0.03)
    assert np.sqrt(((b - planted.b) ** 2).mean()) < 0.1


def test_reliability_is_that_of_new_twins(planted: Planted) -> None:
    """R is within .05 of the correlation with the same jobs measured by other twins, the oracle of the planted one."""
    again = labelled("second").table
    k, n = planted.table["k"].to_numpy(), planted.table["n"].to_numpy()
    ceiling = reliability_ceiling(k, n, rng=np.random.default_rng(0))

    assert again["base_id"].equals(planted.table["base_id"])
    assert ceiling is not None
    assert ceiling.r == pytest.approx(stats.spearmanr(planted.table["pi"], again["pi"]).statistic, abs=0.05)
    assert ceiling.oracle == pytest.approx(stats.spearmanr(planted.rate, planted.table["pi"]).statistic, abs=0.05)
