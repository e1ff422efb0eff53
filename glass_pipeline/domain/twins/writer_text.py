"""Holds how a written text is compared with its base: white space and quotation marks aside, to the letter.

Never mends a text.
"""

from __future__ import annotations

STRAIGHT = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " "})
QUOTED = 60
"""Characters of a text that a reason quotes."""
MOST_GROWTH = 20_000
"""Characters by which a written text may be longer than its base."""


class Unfaithful(ValueError):
    """A written text is not the twin that was asked for; the message completes "it …"."""

    def __init__(self, reason: str, detail: str = "") -> None:
        """Take the kind of fault, and what of the text shows it."""
        self.reason = reason
        super().__init__(f"{reason}: {detail[:QUOTED]}" if detail else reason)


def squeezed(text: str) -> str:
    """Return a text with straight quotation marks and white space collapsed."""
    return " ".join(text.translate(STRAIGHT).split())


def check_written_length(base: str, text: str) -> None:
    """Refuse a text that is too long to be a twin.

    Raises:
        Unfaithful: it is.
    """
    if len(text) > len(base) + MOST_GROWTH:
        raise Unfaithful("is far longer than the problem")
