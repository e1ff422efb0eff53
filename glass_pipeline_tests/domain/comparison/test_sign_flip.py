"""The sign-flip test: worked numbers, the plain enumeration, scipy, McNemar, laws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from glass_pipeline.domain.comparison.sign_flip import sign_flip

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("deltas", "expected"),
    [
        ([1.2, 0.4, 0.9, -0.2, 1.5, 0.7, 1.1, 0.3], 0.015625),
        ([1, 1.5, 2, 2.5, 1.2, 1.8, 1.6, 2.2], 0.0078125),
        ([0.3, 0.3, 0.3, 0.3], 0.125),
        ([1, 2, 3, 4, 5], 0.0625),
        ([1, 2, 3, 4, 5, 6], 0.03125),
    ],
    ids=["gain", "gain of a point", "4 seeds", "5 seeds", "6 seeds"],
)
def test_worked_numbers(deltas: list[float], expected: float) -> None:
    """The lab's two examples and the smallest p of 4, 5 and 6 seeds (methods §10.1, §10.2)."""
    found = sign_flip(deltas, rng=RNG)

    assert found.exact
    assert found.p_value == pytest.approx(expected, rel=1e-12)
    assert found.smallest_p == 2.0 ** (1 - len(deltas))


def plain(deltas: list[float]) -> float:
    """Enumerate every sign vector, as the lab's listing does."""
    observed = abs(np.mean(deltas))
    means = [abs(np.mean(np.array(s) * deltas)) for s in itertools.product((-1.0, 1.0), repeat=len(deltas))]
    return float(np.mean([mean >= observed - 1e-12 for mean in means]))


@given(st.lists(st.sampled_from([-2.5, -1.0, -0.1, 0.0, 0.1, 0.2, 1.0]), min_size=1, max_size=9))
@settings(max_examples=40, deadline=None)
def test_grouping_by_magnitude_is_the_plain_enumeration(deltas: list[float]) -> None:
    """Ties and zeros, which the grouping uses, change no p-value."""
    assert sign_flip(deltas, rng=RNG).p_value == pytest.approx(plain(deltas), rel=1e-9)


def test_it_is_scipys_permutation_test() -> None:
    """Samples permutation of one sample flips signs: same exact p."""
    deltas = np.array([0.5, -0.2, 0.9, 0.4, 0.1, -0.6, 0.8, 0.3, 0.35, 0.11])
    expected = stats.permutation_test((deltas,), np.mean, permutation_type="samples", n_resamples=np.inf)

    assert sign_flip(deltas, rng=RNG).p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_right_or_wrong_items_give_mcnemars_exact_test_at_any_size() -> None:
    """101 won and 81 lost of 1,319 items are counted exactly, not sampled."""
    deltas = np.repeat([1.0, -1.0, 0.0], [101, 81, 1137])

    found = sign_flip(deltas, rng=RNG)

    assert found.exact
    assert found.p_value == pytest.approx(mcnemar([[900, 81], [101, 237]], exact=True).pvalue, rel=1e-9)


def test_sixteen_magnitudes_are_listed_and_seventeen_sampled() -> None:
    """2^16 outcomes are the most that are listed; above, it says that it sampled."""
    sixteen, seventeen = (sign_flip(np.arange(1.0, n + 1), rng=np.random.default_rng(0)) for n in (16, 17))

    assert (sixteen.exact, sixteen.outcomes) == (True, 65_536)
    assert (seventeen.exact, seventeen.outcomes) == (False, 10_000)
    assert seventeen.smallest_p == 1 / 10_001


def test_sampling_agrees_with_counting() -> None:
    """The sampled p of 30 different magnitudes is near scipy's sampled one, whose own error is 0.005."""
    deltas = np.random.default_rng(3).normal(0.3, 1, 30)
    expected = stats.permutation_test(
        (deltas,), np.mean, permutation_type="samples", n_resamples=50_000, rng=np.random.default_rng(4)
    )

    assert sign_flip(deltas, rng=np.random.default_rng(5)).p_value == pytest.approx(expected.pvalue, abs=0.015)


def test_no_difference_at_all_has_p_one() -> None:
    """Zeros have no sign to flip."""
    assert sign_flip([0.0, 0.0, 0.0], rng=RNG) == (1.0, True, 1, 1.0)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=30), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_order_and_direction_do_not_matter(deltas: list[int], shuffler) -> None:
    """Neither the order of units nor which system is called A changes p."""
    other = [-value for value in deltas]
    shuffler.shuffle(other)

    first, second = (sign_flip(each, rng=np.random.default_rng(1)).p_value for each in (deltas, other))

    assert first == pytest.approx(second, rel=1e-9)


WORLDS = {
    "right or wrong": lambda rng: rng.choice([-1.0, 0.0, 1.0], size=300, p=[0.15, 0.7, 0.15]),
    "few discordant": lambda rng: rng.choice([-1.0, 0.0, 1.0], size=300, p=[0.05, 0.9, 0.05]),
    "cluster sums": lambda rng: rng.normal(size=60) * rng.integers(1, 10, 60),
    "eight seeds": lambda rng: rng.normal(size=8),
}


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_type_one_error_is_nominal(world: str) -> None:
    """Without a difference, between 3 % and 7 % are called real at the 5 % level."""
    rng = np.random.default_rng(20)
    rejected = sum(sign_flip(WORLDS[world](rng), rng=rng, samples=2000).p_value < 0.05 for _ in range(2000))

    assert 0.03 <= rejected / 2000 <= 0.07
