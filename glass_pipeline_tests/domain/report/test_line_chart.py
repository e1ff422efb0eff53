"""Tests of the chart's geometry."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.report.line_chart import (
    BOTTOM,
    LABEL_GAP,
    TOP,
    Series,
    line_chart,
    nice_ceiling,
    spread_labels,
)

LINE = Series(name="renamed", x=(1.0, 9.0), y=(0.0, 0.2), low=(0.0, 0.1), high=(0.1, 0.4))


def test_rates_start_at_zero_and_the_highest_band_fits() -> None:
    """0 lies on the axis, the band's top of 40 % on the ceiling of 40 %."""
    drawn = line_chart([LINE], title="t", description="d", x_name="m")

    assert drawn.lines[0].points[0][1] == BOTTOM
    assert [tick.text for tick in drawn.y_ticks] == ["0", "10", "20", "30", "40"]
    assert drawn.y_ticks[-1].at == TOP
    assert drawn.lines[0].points[1][1] == (TOP + BOTTOM) / 2


def test_what_chance_gives_is_a_band_with_a_label() -> None:
    """A floor of 10 to 20 % of a 40 % axis is a quarter of its height."""
    drawn = line_chart([LINE], title="t", description="d", x_name="m", chance=(0.1, 0.2))

    assert drawn.chance == (pytest.approx((TOP + BOTTOM) / 2), pytest.approx((BOTTOM - TOP) / 4))
    assert drawn.chance_label is not None


def test_one_dose_stands_in_the_middle() -> None:
    """A single point divides by no width."""
    one = Series(name="renamed", x=(5.0,), y=(0.1,), low=(0.0,), high=(0.2,))

    assert line_chart([one], title="t", description="d", x_name="m").lines[0].points[0][0] == pytest.approx(182.0)


def test_nothing_to_draw_is_refused() -> None:
    """A chart of no lines is an error of the caller."""
    with pytest.raises(ValueError, match="no series"):
        line_chart([], title="t", description="d", x_name="m")


@given(st.floats(0, 1))
def test_the_axis_always_reaches_the_top(top: float) -> None:
    """The ceiling is at or above every value, and a whole number of steps."""
    ceiling, step = nice_ceiling(top)

    assert ceiling >= top
    assert ceiling / step == pytest.approx(round(ceiling / step))


@given(st.lists(st.floats(TOP, BOTTOM), min_size=1, max_size=6))
def test_labels_never_overlap(heights: list[float]) -> None:
    """Labels keep their order and their distance."""
    wanted = {f"line {at}": height for at, height in enumerate(heights)}
    placed = spread_labels(wanted)
    ordered = sorted(placed, key=lambda name: placed[name])

    assert ordered == sorted(wanted, key=lambda name: (wanted[name], name))
    gaps = [placed[below] - placed[above] for above, below in itertools.pairwise(ordered)]
    assert all(gap >= LABEL_GAP - 1e-9 for gap in gaps)


def test_of_one_dose_every_series_keeps_its_interval_in_sight() -> None:
    """Two bars of their own, ten units wide, eighteen apart, from the low to the high end."""
    series = [Series(name=name, x=(1.0,), y=(0.1,), low=(0.0,), high=(0.4,)) for name in ("renamed", "reordered")]
    first, second = line_chart(series, title="t", description="d", x_name="m").lines
    x = first.points[0][0]

    assert second.points[0][0] - x == 18
    assert first.band == f"M{x - 5:g} {TOP:g}L{x + 5:g} {TOP:g}L{x + 5:g} {BOTTOM:g}L{x - 5:g} {BOTTOM:g}Z"
