"""Holds the word diff between a base and its twin.

Never marks anything up: a diff is a list of runs.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple

TOKEN = re.compile(r"(?:\w+(?:['’-]\w+)*|[^\w\s])\s*|\s+")
"""A word or a punctuation mark with the white space after it."""
SENTENCE_ENDS = (".", "!", "?", "؟", "。")
MOST_TOKENS = 2_000
"""Longer texts are compared at their head: the diff is quadratic in the worst case."""


class Run(NamedTuple):
    """A stretch of text that both share, or that only one has."""

    kind: Literal["same", "gone", "new"]
    text: str

    @property
    def words(self) -> str:
        """The text without the white space that follows it, which no mark should cover."""
        return self.text.rstrip()

    @property
    def gap(self) -> str:
        """The white space that follows."""
        return self.text[len(self.words) :]


def word_diff(base: str, twin: str) -> tuple[Run, ...]:
    """Return the runs that turn a base into its twin, word by word.

    The texts of ``same`` and ``new`` runs join to the twin, those of ``same`` and ``gone`` runs to the base up to
    white space, which is not compared.
    """
    old, new = _tokens(base), _tokens(twin)
    matcher = SequenceMatcher(None, [t.rstrip() for t in old], [t.rstrip() for t in new], autojunk=False)
    runs: list[Run] = []
    by = 0
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            runs.append(Run("same", "".join(new[j1 + by : j2])))
            by = 0
            continue
        by = 0 if tag == "replace" else int(_starts_late(old, i1, i2) or _starts_late(new, j1, j2))
        runs.append(Run("same", "".join(new[j1 : j1 + by] if tag == "insert" else new[j2 : j2 + by])))
        runs.append(Run("gone", "".join(old[i1 + by : i2 + by] if i1 < i2 else [])))
        runs.append(Run("new", "".join(new[j1 + by : j2 + by] if j1 < j2 else [])))
    written = (run for run in runs if run.text)
    return tuple(Run(kind, "".join(run.text for run in group)) for kind, group in groupby(written, itemgetter(0)))


def _starts_late(tokens: list[str], start: int, end: int) -> bool:
    """Tell whether a change opens with the full stop of the sentence before it, and could as well end with its own."""
    if not start < end < len(tokens):
        return False
    first = tokens[start].rstrip()
    return first in SENTENCE_ENDS and first == tokens[end].rstrip()


def changed_words(runs: tuple[Run, ...]) -> int:
    """Count the words that only one of the two has."""
    return sum(len(run.text.split()) for run in runs if run.kind != "same")


def shortened(runs: tuple[Run, ...], around: int) -> tuple[Run, ...]:
    """Cut the middle out of long stretches that did not change; beginning and end of the text stay.

    Args:
        runs: A word diff.
        around: Words to keep at either end of a stretch.
    """
    return tuple(Run("same", _cut(run.text, around)) if run.kind == "same" else run for run in runs)


def _tokens(text: str) -> list[str]:
    tokens = TOKEN.findall(text)
    return tokens if len(tokens) <= MOST_TOKENS else [*tokens[:MOST_TOKENS], "".join(tokens[MOST_TOKENS:])]


def _cut(text: str, around: int) -> str:
    parts = re.split(r"(\s+)", text)
    # Words and the white space between them alternate, so n words are 2n parts; a cut of a few words gains nothing.
    if len(parts) <= 4 * around + 8:
        return text
    head, tail = "".join(parts[: 2 * around]), "".join(parts[len(parts) - 2 * around :])
    return f"{head}… {tail.lstrip()}"
