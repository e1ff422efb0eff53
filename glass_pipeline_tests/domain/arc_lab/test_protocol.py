"""The settings are the lab's, and refuse what means nothing."""

from __future__ import annotations

from typing import Any

import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.protocol import LabConfig


def test_the_defaults_are_the_labs() -> None:
    """Methods §10.1."""
    config = LabConfig()

    assert config.seeds == (101, 211, 307, 401, 503, 601, 701, 809)
    assert (config.rank, config.alpha, config.dropout) == (8, 16, 0.05)
    assert (config.learning_rate, config.weight_decay, config.clip_norm) == (2e-4, 0.01, 1.0)
    assert (config.batch_size, config.epochs, config.max_length) == (8, 3, 512)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seeds": ()},
        {"seeds": (-1,)},
        {"seeds": (2**32,)},
        {"epochs": 0},
        {"batch_size": 0},
        {"dropout": 1.0},
        {"learning_rate": float("nan")},
        {"rank": 0},
        {"max_length": 1},
    ],
    ids=str,
)
def test_a_value_out_of_range_is_refused(wrong: dict[str, Any]) -> None:
    """The message names the setting."""
    with pytest.raises(LabError, match=f"{next(iter(wrong))} is .*, which is out of range"):
        LabConfig(**wrong)


def test_a_repeated_seed_is_refused() -> None:
    """Two equal adapters would count twice."""
    with pytest.raises(LabError, match="Seed 7 is given twice"):
        LabConfig(seeds=(7, 8, 7))
