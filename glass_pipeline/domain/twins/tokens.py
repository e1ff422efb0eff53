"""Holds how a text is cut into words with their place: where each starts, whether a capital says something there.

Never decides what a word means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from glass_pipeline.domain.twins.segmentation import sentences_of, starts_of
from glass_pipeline.domain.twins.vocabulary import OPENERS

APOSTROPHES = "'’"
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
POSSESSIVE = re.compile(r"['’][sS]$")
OPENING_MARKS = "\"'“‘([ \t\n"


@dataclass(frozen=True, slots=True)
class Token:
    """One word without its possessive ending."""

    text: str
    start: int
    end: int
    """End of the word itself; a possessive ending lies behind it."""
    is_possessive: bool
    opens_sentence: bool

    @property
    def low(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    @property
    def is_capitalised(self) -> bool:
        """Whether it starts with a capital letter."""
        return self.text[0].isupper()


def tokens_of(text: str, *, latex: bool = False) -> tuple[Token, ...]:
    """Return the words of a text in order."""
    sentences = sentences_of(text, latex=latex)
    openings = {
        start + len(sentence.core) - len(sentence.core.lstrip(OPENING_MARKS))
        for start, sentence in zip(starts_of(sentences), sentences, strict=True)
    }
    return tuple(_token(match, text, openings) for match in WORD.finditer(text))


def _token(match: re.Match[str], text: str, openings: set[int]) -> Token:
    word = match.group()
    ending = POSSESSIVE.search(word)
    bare = word[: ending.start()] if ending else word
    end = match.start() + len(bare)
    plural = bare[-1] in "sS" and text[match.end() : match.end() + 1] in tuple(APOSTROPHES)
    return Token(bare, match.start(), end, ending is not None or plural, match.start() in openings)


def capital_says_something(token: Token, lowered: frozenset[str]) -> bool:
    """Return whether a capital is more than the start of a sentence.

    Args:
        token: The word.
        lowered: Every word that the text also writes in lower case.
    """
    if not token.is_capitalised:
        return False
    return not (token.opens_sentence and (token.low in OPENERS or token.low in lowered))
