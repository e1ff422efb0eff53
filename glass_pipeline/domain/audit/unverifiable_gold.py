"""Holds the flag for a gold answer that names an option which the stored text does not have.

Never drops a twin: what such an item lacks, its base lacks too, and no rewording can change that.
"""

from __future__ import annotations

import re
from functools import lru_cache

from glass_pipeline.domain.audit.case import Case

WRAPPING = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mbox|textrm)|[{}()$\s.]")
"""What a letter is dressed in: ``\\text{(B)}`` is B."""
OPTION_LETTERS = re.compile(r"[A-J](?:,[A-J])*")
CHOOSES = re.compile(
    r"\b(?:which (?:one )?of (?:the following|these)|letters? of the|correct (?:letter|option|choice|answer)s?"
    r"|options?|answer as (?:\$?[A-J]\$?, ?)+)\b",
    re.IGNORECASE,
)
"""The text has its reader choose among options, so that a letter is the name of one."""


def unverifiable_gold(case: Case) -> bool:
    """Return whether the gold answer is the letter of an option that the base does not list.

    Source: the audit's "pre-existing data gap" (paper, appendix D.4).
    """
    return lacks_its_options(case.base_text, case.gold)


@lru_cache(maxsize=16_384)
def lacks_its_options(base_text: str, gold: str) -> bool:
    """Return whether a problem is answered by the letter of an option, and its stored text has no such option."""
    letters = WRAPPING.sub("", gold)
    if not OPTION_LETTERS.fullmatch(letters) or not CHOOSES.search(base_text):
        return False
    return not all(_is_listed(letter, base_text) for letter in letters.split(","))


def _is_listed(letter: str, text: str) -> bool:
    """Return whether a letter labels something: (B), B), B., "B", $B$ or B=; not the B of "A, B or C"."""
    label = (
        rf"\({letter}\)|(?<![\w$(])(?<!or ){letter}[.:)]|[\"“”]\$?\(?{letter}\)?\$?(?:[\"“”]|[ .])|\$?{letter}\$?\s*="
    )
    return re.search(label, text) is not None
