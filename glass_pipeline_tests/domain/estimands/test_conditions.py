"""The three conditions of a suite, on Table 1's own figures where there are any."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.estimands.conditions import (
    confound_condition,
    enough_fragile,
    fragile_condition,
    no_answer_drift,
    no_inverse_confound,
)


def test_one_drifted_twin_fails_r1() -> None:
    """The bar is 0, not a small share."""
    assert no_answer_drift(0, 1000).holds
    assert no_answer_drift(1, 1000).holds is False
    assert no_answer_drift(0, 0).holds is None


@pytest.mark.parametrize(
    ("share", "holds"), [(0.037, False), (0.105, False), (0.164, True), (0.25, True), (0.15, True)]
)
def test_r2_judges_published_suites_as_published(share: float, holds: bool) -> None:
    """GSM-IC and GSM-Plus fail, GSM-DC and GSM-Symbolic pass; exactly 15 % passes."""
    assert enough_fragile(round(share * 1000), 1000).holds is holds


def test_r2_without_twins_is_not_judged() -> None:
    """No twins, no share."""
    assert enough_fragile(0, 0).holds is None


def test_r3_fails_only_where_fragility_clearly_falls() -> None:
    """Rising and flat fragility pass; a clear fall fails."""
    rng = np.random.default_rng(0)
    c = rng.integers(1, 8, 400).astype(float)
    noise = rng.normal(size=400)

    assert no_inverse_confound(c + noise, c).holds
    assert no_inverse_confound(noise, c).holds
    assert no_inverse_confound(noise - c, c).holds is False


def test_r3_bound_by_hand() -> None:
    """The bound is tanh(artanh(rho) + 1.645 SE) with SE = sqrt((1 + rho^2 / 2) / 25) at 28 problems."""
    rng = np.random.default_rng(1)
    x, c = rng.permutation(28).astype(float), np.arange(28.0)

    found = no_inverse_confound(x, c)

    assert found.value is not None
    bound = np.tanh(np.arctanh(found.value) + 1.6449 * np.sqrt((1 + found.value**2 / 2) / 25))
    assert f"at most {bound:.3f}" in found.sentence
    assert found.holds is bool(bound >= 0)


@pytest.mark.parametrize(("fragility", "complexity"), [([0.1] * 5, [1.0] * 5), ([0.1] * 20, list(range(20))), ([], [])])
def test_r3_is_not_judged_on_too_little(fragility: list[float], complexity: list[float]) -> None:
    """Few problems, or constant fragility, leave the condition open."""
    assert no_inverse_confound(fragility, complexity).holds is None


def test_conditions_read_the_pooled_slice_of_problems_with_twins() -> None:
    """Two of four problems with twins exceed .05; the dose slice and the problem without twins do not count."""
    jobs = pl.DataFrame(
        {
            "slice": ["pooled"] * 5 + ["m1"],
            "d_avg": [0.5, 0.06, 0.05, 0.0, None, 1.0],
            "declared_complexity": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        }
    )
    found = fragile_condition(jobs)

    assert (found.holds, found.value) == (True, 0.5)
    assert confound_condition(jobs).holds is None
