"""Holds what one sentence leaves unsaid because an earlier one said it: the whole of a share, half of a comparison.

Never supplies what is missing: it only tells that a sentence cannot be understood alone.
"""

from __future__ import annotations

import re

NUMERAL = (
    r"(?:\$?\d[\d,./]*%?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -][a-z]+)?|hundreds?"
    r"|thousands?|dozens?|half|a (?:third|quarter|fourth|fifth|tenth|few|couple)|several|twice)"
)
MULTIPLE = (
    r"(?:twice|half|doubled?|tripled?|thrice|quadrupled?|times|thirds?|quarters?|fourths?|fifths?|tenths?|\d/\d|%"
    r"|percent)"
)
MEASURE = (
    r"(?:amount|number|size|price|distance|length|width|height|weight|speed|rate|quantity|sum|capacity|salary|area)"
)
COMPARATIVE = (
    r"(?:fewer|less|older|younger|taller|shorter|bigger|smaller|larger|longer|heavier|lighter|faster|slower|higher|lower"
    r"|cheaper|farther|further|wider|better|worse|quicker|deeper|hotter|colder|greater)"
)
KIND = r"(?:kind|type|colou?r|flavou?r|size|sort|variety)s?"
BARE_SHARE = re.compile(
    rf"^[\"'“‘(]*(?:about |only |just |exactly |nearly |at least )?{NUMERAL}(?! (?:days|weeks|months|years) ago)\b",
    re.IGNORECASE,
)
"""A number opens the sentence: some of what an earlier one counted ("30% prefer tea"), or a list that goes on."""

CONTRAST = re.compile(
    r"^[\"'“‘(]*(?:(?:while|whereas|although|though) (?!\w+ing\b)|(?:unlike|unfortunately|fortunately|luckily|sadly"
    r"|besides|overall|altogether|plus|except|apart from|aside from|even|just|only|including|along with|combined"
    r"|as for|due to|because of|thanks to|as a result)\b|(?:inside|outside|nearby|elsewhere|upstairs|downstairs),)",
    re.IGNORECASE,
)
"""An opening that sets the sentence against another, or places it where another was."""

POINTING_WORD = re.compile(
    rf"\b(?:of|than|twice|half|double|triple|thrice|times|from|for|at|on|by|with|to|after|before|during|like|in) that\b"
    rf"|\bthat (?:{MEASURE}|point|kind|type|one|way|period|store|place)\b"
    rf"|\b(?:of|for|from|in|on|to|at|by) (?:each|both|either|neither)(?=[.,;]|$| {KIND}\b)"
    rf"|\b(?:each|every|either|other|both) (?:{KIND}|one|way)\b"
    r"|\b(?:do|does|did|doing|done) (?:it|so|that|this|the same)\b|\b(?:version|alternative)s?\b"
    r"|(?<!only )(?<!just )(?<!at least )(?<!each )\bone"
    r"(?= (?:in|for|per|every|each|at|on|with|that|which|is|was|costs?)\b)",
    re.IGNORECASE,
)
BARE_OWNER = re.compile(r"\b[A-Z][a-z]+['’]s (?:is|was|are|were|has|had|weighs?|weighed|costs?|contains?|holds?)\b")
"""What is owned is not named ("Ann's is red")."""

BARE_COUNT = re.compile(
    rf"\b{NUMERAL} (?:pieces|units|items|ones)(?=[.,;]| and | while )"
    rf"|\b(?:has|have|had|buys|bought|got|made|sold|sells|wants|needs|takes|took|collected|picked) (?!\$){NUMERAL}"
    r"(?=[.,;](?!\d)| and | while | but )"
    rf"|\b(?:eats?|ate|drinks?|drank) {NUMERAL} [a-z]+[.]"
    r"|\b(?:dozen|hundred|thousand|million) (?:more|fewer|less) than\b",
    re.IGNORECASE,
)
"""A number of something that is not named, or of vessels whose content is not named."""

SAME_CLAUSE = r"(?:(?! (?:and|while|but) (?-i:[A-Z])|, (?-i:[A-Z])|[;]).){0,200}"
"""What may stand before the other half of a comparison: anything up to a clause with another subject."""

HALF_COMPARISON = re.compile(
    rf"\b{MULTIPLE} (?:as|in|it|so)\b(?!{SAME_CLAUSE}\b(?:as|than)\b)"
    rf"|\b(?:equally|an equal|(?<!at the )same)\b(?!{SAME_CLAUSE}\b(?:as|to|among|between)\b)"
    rf"|\b{MULTIPLE}(?: of)? the {MEASURE}\b(?!{SAME_CLAUSE}\b(?:as|than|that|what|of)\b)"
    rf"|\b(?!times[.,;]){MULTIPLE}(?: more| less| fewer)?[.,;]"
    rf"|\b{COMPARATIVE}\b(?!{SAME_CLAUSE}\bthan\b)",
    re.IGNORECASE,
)
EARLIER_QUANTITY = re.compile(rf"\b{NUMERAL} (?!(?:times|percent|more|{COMPARATIVE}|{MULTIPLE}|as)\b)", re.IGNORECASE)
UNSAID = {
    "bare share": BARE_SHARE,
    "contrast": CONTRAST,
    "pointing word": POINTING_WORD,
    "bare owner": BARE_OWNER,
    "bare count": BARE_COUNT,
}


def leaves_unsaid(core: str) -> str | None:
    """Return what a sentence needs from an earlier one; None if nothing is missing.

    Returns:
        A key of ``UNSAID``, or "half a comparison" whose other half is neither in the sentence nor a quantity before.
    """
    for reason, pattern in UNSAID.items():
        if pattern.search(core):
            return reason
    half = HALF_COMPARISON.search(core)
    if half is None:
        return None
    earlier = EARLIER_QUANTITY.search(core)
    return None if earlier and earlier.end() <= half.start() else "half a comparison"
