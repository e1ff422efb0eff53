"""Split-half reliability."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glass_pipeline.domain.reliability.split_half import split_half

DrawSample = Callable[..., Any]


def test_without_ties_it_agrees_with_theory(draw_sample: DrawSample) -> None:
    """Beta(2, 6) with 14 twins: 14 / 22 = 0.636 for Pearson, about 0.60 for ranks (methods §2.2)."""
    sample = draw_sample("Beta(2, 6)", seed=1)

    assert split_half(sample.breaks, sample.trials, rng=np.random.default_rng(0)) == pytest.approx(0.601, abs=0.05)


def test_with_many_ties_it_reads_too_high(draw_sample: DrawSample) -> None:
    """Zero-inflated rates: the truth is .780, split-half about .824 (methods §2.2)."""
    sample = draw_sample("45 % at the floor", seed=1)

    assert split_half(sample.breaks, sample.trials, rng=np.random.default_rng(0)) == pytest.approx(0.824, abs=0.035)


def test_halves_are_shuffled_outcomes(draw_sample: DrawSample) -> None:
    """A plain loop that shuffles each job's outcomes and cuts them in two gives the same value, to Monte Carlo."""
    sample = draw_sample("Beta(2, 6)", seed=2, jobs=300)
    rng = np.random.default_rng(3)
    plain = []
    for _ in range(30):
        halves = []
        for k, n in zip(sample.breaks, sample.trials, strict=True):
            if n < 2:
                continue
            outcomes = rng.permutation([1] * k + [0] * (n - k))
            cut = n // 2 + (n % 2) * rng.integers(2)
            halves.append((outcomes[:cut].mean(), outcomes[cut:].mean()))
        first, second = (np.argsort(np.argsort(side)) for side in np.array(halves).T)
        r = np.corrcoef(first, second)[0, 1]
        plain.append(2 * r / (1 + r))

    found = split_half(sample.breaks, sample.trials, rng=np.random.default_rng(4))

    # The loop breaks ties by order instead of averaging ranks, which lowers it a little.
    assert found == pytest.approx(np.mean(plain), abs=0.04)


@pytest.mark.parametrize(
    ("k", "n"),
    [([], []), ([1], [4]), ([1, 0, 1], [1, 1, 1]), ([0, 0, 0], [4, 4, 4])],
    ids=["none", "one", "n=1", "tied"],
)
def test_what_cannot_be_split_is_none(k: list[int], n: list[int]) -> None:
    """Fewer than two jobs with two twins, or no spread, leave nothing to correlate."""
    assert split_half(k, n, rng=np.random.default_rng(0)) is None
