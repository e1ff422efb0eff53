"""Holds the Markdown form of a report.

Never lets a foreign text act as markup: every character that could is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report.blocks import (
    Aid,
    Browser,
    Charts,
    Example,
    Facts,
    Figures,
    Folded,
    Grid,
    Missing,
    Points,
    Prose,
    Section,
    Specimen,
    Verdict,
)
from glass_pipeline.domain.report.word_diff import Run

SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")
PLAIN_LINES = re.compile(r"\s*\n\s*")


def to_markdown(suite: str, sections: tuple[Section, ...]) -> str:
    """Write the report as Markdown."""
    parts = [f"# {escape(suite)}"]
    for section in sections:
        parts.append(f"## {escape(section.title)}")
        parts += [text for block in section.blocks if (text := _write(block))]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Return a text on one line in which no character is markup."""
    return SPECIAL.sub(r"\\\1", PLAIN_LINES.sub(" ", text)).replace("\n", " ")


def _write(block: Any) -> str:
    return WRITERS[type(block)](block)


def _verdict(block: Verdict) -> str:
    return "\n\n".join(f"**{escape(sentence)}**" for sentence in block.sentences)


def _text(block: Prose | Aid) -> str:
    return escape(block.text)


def _missing(block: Missing) -> str:
    return f"{escape(block.text)} {_code(block.command)}".strip()


def _points(block: Points) -> str:
    return "\n".join(f"- {escape(text)}" for text in block.texts)


def _figures(block: Figures) -> str:
    lines = [f"- {escape(figure.name)}: {escape(_figure_value(figure))}" for figure in block.figures]
    return "\n".join([*lines, f"- {escape(block.below)}"])


def _figure_value(figure: Any) -> str:
    inside = "; ".join(part for part in (figure.interval, figure.basis, figure.chance) if part)
    return f"{figure.value} ({inside})" if inside else figure.value


def _grid(block: Grid) -> str:
    heads = [f"{head.name}, {head.unit}" if head.unit else head.name for head in block.heads]
    rule = ["---:" if head.is_number else "---" for head in block.heads]
    rows = [[escape(cell) for cell in row] for row in block.rows]
    lines = [_row([escape(head) for head in heads]), _row(rule), *map(_row, rows)]
    return f"{escape(block.caption)}\n\n" + "\n".join(lines)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _charts(block: Charts) -> str:
    return _grid(block.grid)


def _browser(block: Browser) -> str:
    return _grid(block.grid)


def _specimen(block: Specimen) -> str:
    by = f" ({escape(block.solver)})" if block.solver else ""
    return (
        f"- {_code(block.base_id)}{by}: {escape(block.label)}. {_runs(block.runs)} "
        f"Answer on the original {_code(block.base_answer)} ({block.base_score}), on the twin "
        f"{_code(block.twin_answer)} ({block.twin_score}); right is {_code(block.gold)}."
    )


def _example(block: Example) -> str:
    return f"- {escape(block.label)}: {_runs(block.runs)} {escape(block.remark)}"


def _folded(block: Folded) -> str:
    return "\n\n".join([escape(block.summary), *map(_write, block.blocks)])


def _facts(block: Facts) -> str:
    return "\n".join(f"- {escape(name)}: {_code(value)}" for name, value in block.pairs)


def _runs(runs: tuple[Run, ...]) -> str:
    """Mark gone words by strike-through and new ones in bold, as critics' mark-up does."""
    marks = {"same": "", "gone": "~~", "new": "**"}
    return "“" + "".join(_marked(run.text, marks[run.kind]) for run in runs) + "”"


def _marked(text: str, mark: str) -> str:
    inner = text.strip()
    if not inner or not mark:
        return escape(text)
    # Emphasis opens and closes only against a word, so the white space stays outside.
    head, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{escape(head)}{mark}{escape(inner)}{mark}{escape(tail)}"


def _code(text: str) -> str:
    """Return an inline code span, fenced by more back-ticks than the text holds in a row."""
    flat = " ".join(text.split())
    if not flat:
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", flat)), default=0))
    pad = " " if "`" in flat else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


WRITERS: dict[type, Callable[[Any], str]] = {
    Verdict: _verdict,
    Prose: _text,
    Aid: _text,
    Missing: _missing,
    Points: _points,
    Grid: _grid,
    Charts: _charts,
    Figures: _figures,
    Specimen: _specimen,
    Example: _example,
    Folded: _folded,
    Facts: _facts,
    Browser: _browser,
}
