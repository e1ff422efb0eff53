"""Curtailment: stopping early never changes the modal answer."""

from __future__ import annotations

from itertools import product

import pytest

from glass_pipeline.domain.grading.curtailment import can_stop, expected_draws
from glass_pipeline.domain.grading.voting import modal


@pytest.mark.parametrize("alphabet", [("a", "b", None), ("a", "b", "c"), ("a", "b", "c", "d", None)], ids=len)
def test_stopping_is_lossless_and_not_late(alphabet: tuple[str | None, ...]) -> None:
    """Over every sequence of five: stopped means every continuation agrees, going on means two of them differ."""
    total = 5
    # A fresh answer "x" stands for whatever has not been seen yet.
    continuations = {n: list(product((*alphabet, "x"), repeat=n)) for n in range(total + 1)}
    for drawn in range(1, total + 1):
        for prefix in product(alphabet, repeat=drawn):
            winners = {modal(prefix + rest) for rest in continuations[total - drawn]}
            assert can_stop(prefix, total) == (len(winners) == 1), prefix


@pytest.mark.parametrize(
    ("answers", "stops"),
    [
        (["a", "a"], False),
        (["a", "a", "a"], True),
        (["a", "a", "b"], False),
        (["a", "a", "b", "a"], True),
        (["b", "a", "a", "a"], True),
        (["a", "b", "b", "c"], False),
        (["a", "a", "b", "c"], True),
        ([None, None, None, None], False),
        ([None, None, None, "a"], True),
        ([None] * 5, True),
        ([], False),
    ],
)
def test_hand_worked_stops(answers: list[str | None], stops: bool) -> None:
    """Of five samples: a lead beyond the rest stops, an equal one only for the answer that was seen first."""
    assert can_stop(answers, 5) is stops


@pytest.mark.parametrize(("agreement", "draws"), [(0.5, 4.13), (0.8, 3.63), (0.9, 3.32), (0.95, 3.16), (0.98, 3.06)])
def test_expected_draws_of_the_specification(agreement: float, draws: float) -> None:
    """The means of methods §12.2."""
    # 4.125 prints as 4.13 there.
    assert expected_draws(agreement, 5) == pytest.approx(draws, abs=0.0051)


def test_expected_draws_worked_by_hand() -> None:
    """At .9: three alike .73, two against two after four .0486, so 3(.73) + 4(.2214) + 5(.0486) = 3.3186."""
    assert expected_draws(0.9, 5) == pytest.approx(3 * 0.73 + 4 * 0.2214 + 5 * 0.0486)
    assert expected_draws(1.0, 5) == 3
    assert expected_draws(0.3, 1) == 1


def test_impossible_numbers_are_refused() -> None:
    """More samples than the total, a probability above one, and no total are errors."""
    with pytest.raises(ValueError, match="6 samples were drawn of 5"):
        can_stop(["a"] * 6, 5)
    with pytest.raises(ValueError, match=r"agreement 1\.5"):
        expected_draws(1.5, 5)
    with pytest.raises(ValueError, match="total 0"):
        expected_draws(0.5, 0)
