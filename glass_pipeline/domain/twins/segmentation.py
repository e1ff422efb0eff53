"""Holds the lossless sentence splitter: the pieces of a text always join to the text.

Never edits a character, and never decides what a sentence means (see ``questions``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sentencex import segment

MATHS = re.compile(
    r"\[asy\].*?\[/asy\]"
    r"|\\begin\{(?P<environment>[a-z]+\*?)\}.*?\\end\{(?P=environment)\}"
    r"|\\\[.*?\\\]|\\\(.*?\\\)"
    r"|(?<!\\)\$\$.+?(?<!\\)\$\$"
    r"|(?<!\\)\$(?!\$).+?(?<!\\)\$",
    re.DOTALL,
)
"""Maths and Asymptote code. Only texts that are known to hold LaTeX are searched: elsewhere ``$`` is money."""

ABBREVIATED = re.compile(
    r"(?:^|[\s\d(/])(?:[ap]\.?m|[ap]\.m|lbs?|oz|kg|g|mg|km|cm|mm|m|ft|in|yds?|mi|qts?|pts?|gal|hrs?|mins?|secs?|sq|cu|mph"
    r"|vs|etc|approx|no|avg|max|min|ea|i\.e|e\.g|mr|mrs|ms|dr|st|jr|sr|prof|u\.s|p\.e)\.$",
    re.IGNORECASE,
)
TITLED = re.compile(r"(?:^|\s)(?:Mr|Mrs|Ms|Dr|St|Mt|Prof|Sr|Jr|Capt|Sgt|Gov|Rev)\.$")
MISSED_END = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Ken|k?g|m|etc)\.\s+(?=[A-Z])|[a-z]{2}\.\)\s+(?=[A-Z])"
    r"|[a-z]{2}[.!?][\"'”’)]{0,2}[ \t]{0,4}\n\s{0,20}(?=[A-Z])"
)
"""Ends that the splitter takes for abbreviations or parts of a list; a date such as "Jan. 5" goes on with a digit."""

LABELLED = re.compile(r"\b([A-Za-z]{2,}) ([A-Z])\b")
LABELLED_END = re.compile(r"\b([A-Za-z]{2,}) [A-Z]\.\s+(?=[A-Z])")
"""An end that the splitter takes for an initial; it is an end if the word has several letters ("box A", "box B")."""

CLOCK = re.compile(r"[ap]\.?m\b")
ENUMERATOR = re.compile(r"\(?(?:\d{1,2}|[A-Za-z]|[ivx]{1,4})[.)]")


class Sentence(NamedTuple):
    """A sentence without the white space that follows it, and that white space."""

    core: str
    gap: str


def maths_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the [start, end) character spans of LaTeX maths and Asymptote code."""
    return tuple(match.span() for match in MATHS.finditer(text))


def split_sentences(text: str, *, latex: bool = False) -> tuple[str, ...]:
    """Cut a text into sentences that keep their trailing white space; ``"".join`` of them is the text.

    Args:
        text: Any text.
        latex: The text may hold maths between dollar signs; False: a dollar sign is money.

    Returns:
        Non-empty pieces in order; () for the empty text.
    """
    masked = _masked(text) if latex else text
    ends = _sentence_ends(masked)
    pieces = tuple(text[start:end] for start, end in zip((0, *ends), ends, strict=False))
    return pieces if "".join(pieces) == text else (text,)


def sentences_of(text: str, *, latex: bool = False) -> tuple[Sentence, ...]:
    """Split a text and part each sentence from the white space after it."""
    return tuple(Sentence(piece.rstrip(), piece[len(piece.rstrip()) :]) for piece in split_sentences(text, latex=latex))


def starts_of(sentences: tuple[Sentence, ...]) -> tuple[int, ...]:
    """Return the character offset at which each sentence starts."""
    offset, starts = 0, []
    for sentence in sentences:
        starts.append(offset)
        offset += len(sentence.core) + len(sentence.gap)
    return tuple(starts)


def _masked(text: str) -> str:
    return MATHS.sub(lambda match: _placeholder(match.group()), text)


def _placeholder(span: str) -> str:
    """Return a word of the same length that ends in a full stop if the formula does."""
    inner = re.sub(r"(?:\\[\])]|\\end\{\w+\*?\}|\$+|\[/asy\])$", "", span).rstrip()
    return "x" * (len(span) - 1) + ("." if inner.endswith(".") and not inner.endswith("\\.") else "x")


def _sentence_ends(text: str) -> tuple[int, ...]:
    ends: list[int] = []
    end = 0
    start = 0
    for piece in _pieces(text):
        if end > start and not _continues(text[start:end], piece):
            ends.append(end)
            start = end
        end += len(piece)
    if end > start:
        ends.append(end)
    return tuple(ends)


def _pieces(text: str) -> Iterator[str]:
    labelled = _labelled_words(text)
    for piece in segment("en", text):
        missed = [match.end() for match in MISSED_END.finditer(piece)]
        missed += [match.end() for match in LABELLED_END.finditer(piece) if match[1].lower() in labelled]
        read = 0
        for end in sorted(set(missed)):
            yield piece[read:end]
            read = end
        if read < len(piece):
            yield piece[read:]


def _labelled_words(text: str) -> frozenset[str]:
    """Return the words that stand before two different single letters, in lower case."""
    letters: dict[str, set[str]] = {}
    for word, letter in LABELLED.findall(text):
        letters.setdefault(word.lower(), set()).add(letter)
    return frozenset(word for word, seen in letters.items() if len(seen) > 1)


def _continues(before: str, piece: str) -> bool:
    """Return whether a piece belongs to the sentence before it."""
    core = before.strip()
    if not piece.strip() or not core or ENUMERATOR.fullmatch(core):
        return True
    if TITLED.search(core) or CLOCK.match(piece.lstrip()):
        return True
    opens_low = piece.lstrip()[0].islower()
    if "\n" in before[len(before.rstrip()) :]:
        return opens_low and core[-1] not in ".?!:"
    return opens_low and ABBREVIATED.search(core) is not None
