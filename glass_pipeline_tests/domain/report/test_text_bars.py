"""Bar charts made of characters."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.report.text_bars import BAR, WIDTH, histogram, text_bars


def test_bars_are_proportional() -> None:
    """Half the value is half the bar; what is unknown is a dash."""
    _, full, half, none, _ = text_bars(["a", "bb", "c"], [0.5, 0.25, None]).splitlines()

    assert full.count(BAR) == WIDTH
    assert half.count(BAR) == WIDTH // 2
    assert none.split() == ["c", "—"]


def test_a_histogram_counts_zeros_apart_and_one_in_the_last_bin() -> None:
    """0, 0, .05, .95 and 1 are two zeros, one in the first bin and two in the last."""
    lines = histogram([0.0, 0.0, 0.05, 0.95, 1.0]).splitlines()[1:-1]

    assert [line.split()[1] for line in lines] == ["2", "1", *["0"] * 8, "2"]


def test_no_values_make_no_bars() -> None:
    """An empty table charts nothing and raises nothing."""
    assert BAR not in histogram([])
    assert text_bars([], []) == "```\n```"


def test_each_bar_needs_a_label() -> None:
    """A chart with another number of labels than values is refused."""
    with pytest.raises(ValueError, match="1 labels but 2 values"):
        text_bars(["a"], [1.0, 2.0])
