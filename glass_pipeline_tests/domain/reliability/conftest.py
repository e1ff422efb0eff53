"""The five distributions of methods §2.2, from which jobs with a known truth are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special

Draw = Callable[[np.random.Generator, int], NDArray[np.float64]]

DISTRIBUTIONS: Mapping[str, Draw] = {
    "Beta(.3, 1.8)": lambda rng, jobs: rng.beta(0.3, 1.8, jobs),
    "Beta(.15, 1)": lambda rng, jobs: rng.beta(0.15, 1.0, jobs),
    "Beta(2, 6)": lambda rng, jobs: rng.beta(2.0, 6.0, jobs),
    "45 % at the floor": lambda rng, jobs: np.where(rng.random(jobs) < 0.45, 0.011, rng.beta(0.8, 2.5, jobs)),
    "logit-normal": lambda rng, jobs: special.expit(rng.normal(-2.5, 1.8, jobs)),
}


class Sample(NamedTuple):
    """Jobs with known rates and their counts."""

    rates: NDArray[np.float64]
    breaks: NDArray[np.int64]
    trials: NDArray[np.int64]


@pytest.fixture
def draw_sample() -> Callable[..., Sample]:
    """Draw jobs of one distribution with a Poisson number of twins, at least one."""

    def draw(name: str, *, seed: int, jobs: int = 1319, twins: int = 14) -> Sample:
        rng = np.random.default_rng(seed)
        rates = DISTRIBUTIONS[name](rng, jobs)
        trials = np.maximum(rng.poisson(twins, jobs), 1)
        return Sample(rates, rng.binomial(trials, rates), trials)

    return draw
