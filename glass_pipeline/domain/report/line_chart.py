"""Holds the geometry of a small line chart: axes from zero, bands, lines that carry their own names.

Never holds colours or markup; the page's template draws what is computed here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 460.0, 270.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 318.0, 16.0, 226.0
APART, BAR = 18.0, 10.0
"""Of a chart with a single x: distance of the series, and width of their bars."""
LABEL_GAP = 15.0
"""Least distance between two labels, in chart units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line with its band, in data units."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """One mark on an axis: where it is and what it says."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnLine:
    """One line in chart units, with its label beside its last point."""

    name: str
    points: tuple[tuple[float, float], ...]
    path: str
    band: str
    label_y: float
    style: int
    """0, 1, 2, …: which stroke, marker and colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """Everything a template needs to draw one chart."""

    title: str
    description: str
    x_name: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[DrawnLine, ...]
    chance: tuple[float, float] | None
    """Top and height of the grey band."""
    chance_label: Tick | None

    @property
    def frame(self) -> dict[str, float]:
        """Sizes that every chart shares."""
        return {
            "width": WIDTH,
            "height": HEIGHT,
            "left": LEFT,
            "right": RIGHT,
            "top": TOP,
            "bottom": BOTTOM,
        }


def line_chart(
    series: Sequence[Series],
    *,
    title: str,
    description: str,
    x_name: str,
    chance: tuple[float, float] | None = None,
    top: float | None = None,
) -> LineChart:
    """Lay out rates over a numeric axis, y in percent from zero.

    Args:
        series: Lines in the order of their styles, y as fractions.
        title: What the chart shows.
        description: The same for screen readers, with the numbers that matter.
        x_name: Name of the horizontal axis.
        chance: Interval of what chance gives, as fractions.
        top: Highest y to make room for, so that several charts share one scale; None: the highest band.

    Returns:
        The chart in its own units, ``WIDTH`` by ``HEIGHT``.

    Raises:
        ValueError: no series.
    """
    if not series:
        raise ValueError("line_chart of no series: say on the page that there is nothing to draw.")
    xs = sorted({x for one in series for x in one.x})
    ceiling, step = nice_ceiling(top if top is not None else highest(series, chance))

    def place_x(x: float) -> float:
        width = xs[-1] - xs[0]
        return round((LEFT + RIGHT) / 2 if width == 0 else LEFT + 14 + (x - xs[0]) / width * (RIGHT - LEFT - 28), 1)

    def place_y(y: float) -> float:
        return round(BOTTOM - y / ceiling * (BOTTOM - TOP), 1)

    heights = {one.name: place_y(one.y[-1]) for one in series}
    chance_label = None
    if chance is not None:
        heights["chance"] = place_y((chance[0] + chance[1]) / 2)
    spread = spread_labels(heights)
    if chance is not None:
        chance_label = Tick(spread["chance"], "re-solve alone")
    return LineChart(
        title=title,
        description=description,
        x_name=x_name,
        x_ticks=tuple(Tick(place_x(x), f"{x:g}") for x in xs),
        y_ticks=tuple(Tick(place_y(i * step), f"{100 * i * step:g}") for i in range(round(ceiling / step) + 1)),
        lines=tuple(
            _draw(one, style, _beside([place_x(x) for x in one.x], style, len(series)), place_y, spread[one.name])
            for style, one in enumerate(series)
        ),
        chance=None if chance is None else (place_y(chance[1]), max(1.5, place_y(chance[0]) - place_y(chance[1]))),
        chance_label=chance_label,
    )


def highest(series: Sequence[Series], chance: tuple[float, float] | None = None) -> float:
    """Return the highest point that must fit: of the bands, and of what chance gives."""
    ends = [high for one in series for high in one.high]
    return max([0.0, *ends, chance[1] if chance else 0.0])


def nice_ceiling(top: float) -> tuple[float, float]:
    """Return an axis end at or above ``top`` and its step, both round, for fractions in [0, 1]."""
    for ceiling, step in ((0.02, 0.005), (0.04, 0.01), (0.1, 0.02), (0.2, 0.05), (0.4, 0.1), (0.6, 0.2), (0.8, 0.2)):
        if top <= ceiling:
            return ceiling, step
    return 1.0, 0.25


def spread_labels(heights: dict[str, float]) -> dict[str, float]:
    """Move labels apart until none is nearer than ``LABEL_GAP`` to the next, keeping their order.

    Args:
        heights: Wanted y of each label.

    Returns:
        A y for each label, within the chart.
    """
    order = sorted(heights, key=lambda name: (heights[name], name))
    placed: dict[str, float] = {}
    floor = -math.inf
    for name in order:
        floor = max(heights[name], floor + LABEL_GAP)
        placed[name] = floor
    ceiling = BOTTOM + LABEL_GAP
    for name in reversed(order):
        ceiling = min(placed[name], ceiling - LABEL_GAP)
        placed[name] = ceiling
    return placed


def _draw(one: Series, style: int, xs: list[float], place_y: Callable[[float], float], label_y: float) -> DrawnLine:
    points = tuple(zip(xs, (place_y(y) for y in one.y), strict=True))
    upper = list(zip(xs, (place_y(y) for y in one.high), strict=True))
    lower = list(zip(xs, (place_y(y) for y in one.low), strict=True))
    if len(xs) == 1:
        # A single x has no stretch for a band to fill.
        upper, lower = ([(x - BAR / 2, y), (x + BAR / 2, y)] for ((x, y),) in (upper, lower))
    return DrawnLine(
        name=one.name,
        points=points,
        path=_path(points),
        band=f"{_path([*upper, *reversed(lower)])}Z",
        label_y=label_y,
        style=style,
    )


def _beside(xs: list[float], style: int, count: int) -> list[float]:
    """Return the places of a series; of several series with a single x, each stands beside the others."""
    return [xs[0] + (style - (count - 1) / 2) * APART] if len(xs) == 1 else xs


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
