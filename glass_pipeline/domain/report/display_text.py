"""Holds what every foreign text passes before it is shown: nothing invisible may change how it reads.

Never escapes markup: templates, the JSON writer and the Markdown writer each do that for their own language.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

FAMILY_NAMES = {
    "sentence_reorder": "sentences reordered",
    "entity_rename": "entities renamed",
    "math_irrelevant_context": "irrelevant sentence added",
    "gsm_ic": "inert sentence added",
}

SHORT_FAMILY_NAMES = {
    "sentence_reorder": "reordered",
    "entity_rename": "renamed",
    "math_irrelevant_context": "sentence added",
    "gsm_ic": "inert sentence",
}

RULE_NAMES = {
    "entity_collision": "re-uses a name of the problem",
    "gold_number": "contains the gold value",
    "multi_question": "asks a second question",
    "altered_base": "base itself altered",
    "unit_compatible": "quantity in a unit of the question",
    "unverifiable_gold": "base lacks the option that its answer names",
    "contradiction": "a model says that the answer changed",
    "unparsable": "a model gave no readable verdict",
}

JUDGED = 1_000
"""Characters that are looked at to tell a text's direction."""

INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff]")
"""Control, zero-width and direction-forcing characters, and halves of surrogate pairs. Tab, line feed, joiners and the
plain marks of right-to-left scripts (U+200C to U+200F) stay: honest text needs them."""


def visible(text: str) -> str:
    """Replace characters that show nothing, or turn the direction of what follows, by their code points."""
    return INVISIBLE.sub(lambda match: f"⟦U+{ord(match[0]):04X}⟧", text.replace("\r\n", "\n"))


def direction(text: str) -> Literal["ltr", "rtl"]:
    """Return the direction most letters of a text run in.

    The first letter alone, which HTML's ``auto`` goes by, turns an English sentence round that opens with an Arabic
    name.
    """
    kinds = [unicodedata.bidirectional(char) for char in text[:JUDGED]]
    return "rtl" if sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L") else "ltr"


def family_name(family: str) -> str:
    """Return a family in words a reader knows; an unknown one as it is."""
    return FAMILY_NAMES.get(family, family)


def rule_name(rule: str) -> str:
    """Return a rule of the audit in words, its own name with it; an unknown one as it is."""
    return f"{RULE_NAMES[rule]} ({rule})" if rule in RULE_NAMES else visible(rule)


def short_family_name(family: str) -> str:
    """Return the name that fits beside a line of a chart."""
    return SHORT_FAMILY_NAMES.get(family, family)
