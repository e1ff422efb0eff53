"""The break rate with the family mix held fixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.estimands.ccd import observations
from glass_pipeline.domain.estimands.family_standardised import family_standardised, family_weights

Make = Callable[[Any], pl.DataFrame]


@pytest.fixture
def observed(make_pairs: Make) -> pl.DataFrame:
    """Job a: renames 0/1, reorders 1/2. Job b: reorders 1/1."""
    outcomes = [
        ("a", "entity_rename", 1),
        ("a", "sentence_reorder", 0),
        ("a", "sentence_reorder", 1),
        ("b", "sentence_reorder", 0),
    ]
    return observations(make_pairs({"base_id": base, "family": family, "y_twin": y} for base, family, y in outcomes))


def test_weights_are_the_suites_shares(observed: pl.DataFrame) -> None:
    """One of four observations is a rename."""
    assert family_weights(observed) == {"entity_rename": 0.25, "sentence_reorder": 0.75}


def test_worked_example(observed: pl.DataFrame) -> None:
    """a: 1/4 of 0 and 3/4 of 1/2 = 0.375; b has reorders only, so its weight is re-normalised: 1."""
    rates = family_standardised(observed)

    assert rates.rows() == [("a", 0.375, 2), ("b", 1.0, 1)]


def test_fixed_weights_are_used_as_given(observed: pl.DataFrame) -> None:
    """Half and half: a has 0.25; a family without weight is as good as absent, so b has no rate then."""
    half = {"entity_rename": 0.5, "sentence_reorder": 0.5}

    assert family_standardised(observed, weights=half)["pi_std"].to_list() == [0.25, 1.0]
    assert family_standardised(observed, weights={"entity_rename": 1.0}).rows() == [("a", 0.0, 1)]


def test_no_observation_gives_no_row(observed: pl.DataFrame) -> None:
    """An empty slice is an empty table."""
    assert family_standardised(observed.clear()).is_empty()
