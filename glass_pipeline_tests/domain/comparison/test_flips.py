"""Who solves what."""

from __future__ import annotations

import numpy as np

from glass_pipeline.domain.comparison.flips import flips, is_right_or_wrong, largest_movers


def test_every_item_lies_in_one_part() -> None:
    """Won, lost, both, neither by who solves it."""
    found = flips(["p", "q", "r", "s"], [False, True, True, False], [True, False, True, False])

    assert (found.won, found.lost, found.both, found.neither) == (("p",), ("q",), ("r",), ("s",))


def test_movers_are_the_largest_first_and_only_in_their_direction() -> None:
    """Items that did not move are in neither list."""
    ids, deltas = ["p", "q", "r", "s"], np.array([0.25, 0.0, 0.75, -0.5])

    assert largest_movers(ids, deltas, up=True) == (("r", 0.75), ("p", 0.25))
    assert largest_movers(ids, deltas, up=False) == (("s", -0.5),)
    assert largest_movers(ids, deltas, up=True, listed=1) == (("r", 0.75),)


def test_half_points_are_not_right_or_wrong() -> None:
    """Flips need scores of 0 and 1."""
    assert is_right_or_wrong(np.array([0.0, 1.0]), np.array([[1.0]]))
    assert not is_right_or_wrong(np.array([0.0, 0.5]))
