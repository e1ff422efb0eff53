"""Holds a bar chart made of characters, for places that show text only: run metadata and terminals.

Never decides what is charted.
"""

from __future__ import annotations

from collections.abc import Sequence

WIDTH = 40
BAR = "▇"


def text_bars(labels: Sequence[str], values: Sequence[float | None], *, digits: int = 3) -> str:
    """Return a Markdown code block with one bar a label, the longest ``WIDTH`` characters wide.

    Args:
        labels: Names of the bars.
        values: Their lengths, not negative; None is shown as a dash.
        digits: Decimals of the printed values.

    Raises:
        ValueError: labels and values differ in number.
    """
    if len(labels) != len(values):
        raise ValueError(f"text_bars: {len(labels)} labels but {len(values)} values; give each bar one of each.")
    longest = max((value for value in values if value is not None), default=0.0)
    margin = max((len(label) for label in labels), default=0)
    lines = []
    for label, value in zip(labels, values, strict=True):
        number = "—" if value is None else f"{value:.{digits}f}"
        bar = BAR * round(WIDTH * value / longest) if value is not None and longest > 0 else ""
        lines.append(f"{label:<{margin}}  {number:>{digits + 6}}  {bar}".rstrip())
    return "\n".join(["```", *lines, "```"])


def histogram(values: Sequence[float], *, bins: int = 10) -> str:
    """Return the counts of values in [0, 1] in equal bins, and of exact zeros apart, as text bars."""
    zeros = sum(value == 0 for value in values)
    counts = [0] * bins
    for value in values:
        if value > 0:
            counts[min(int(value * bins), bins - 1)] += 1
    labels = ["0", *(f"{i / bins:.1f}–{(i + 1) / bins:.1f}" for i in range(bins))]
    return text_bars(labels, [float(zeros), *(float(count) for count in counts)], digits=0)
