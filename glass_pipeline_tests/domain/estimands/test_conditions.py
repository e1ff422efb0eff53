"""The three conditions of a suite, on Table 1's own figures where there are any."""

from __future__ import annotations

import numpy as np
import pytest

from glass_pipeline.domain.estimands.conditions import enough_fragile, no_answer_drift, no_inverse_confound


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
