"""Holds whether a setup tells a state that its events change, so that the order of telling is the order of happening.

Never computes a state.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from glass_pipeline.domain.twins.units import units

EVENT = re.compile(
    r"\b(?:gives?|gave|buys?|bought|sells?|sold|los[et]s?|lost|eats?|ate|spends?|spent|uses?|used|adds?|added|receives?|received"
    r"|gets?|got|finds?|found|takes?|took|donate[sd]?|breaks?|broke|throws?|threw|removes?|removed|pays?|paid|dies?|died|puts?"
    r"|pours?|poured|drinks?|drank|moves?|moved|joins?|joined|grows?|falls?|fell|rises?|rose|cuts?|picks?|picked)\b",
    re.IGNORECASE,
)
PROPORTION = re.compile(
    r"%|\bpercent|\d/\d|\b(?:half|third|thirds|quarters?|fourths?|fifths?|tenths?|twice|doubled?|triple[sd]?|times)\b",
    re.IGNORECASE,
)
CONSUMES = re.compile(
    r"\b(?:eats?|ate|eaten|drinks?|drank|gives?|gave|sold|los[et]s?|lost|breaks?|broke|donate[sd]?|throws?|threw"
    r"|borrow(?:s|ed)?|lends?|lent|removes?|removed|burns?|burned|pops?|popped)\b",
    re.IGNORECASE,
)
ASKS_FOR_STATE = re.compile(r"\b(?:left|remain\w*|still|now|ends? up|in the end|at the end)\b", re.IGNORECASE)
ASKS_FOR_AGE = re.compile(r"\b(?:old|age|ages)\b", re.IGNORECASE)
CONSEQUENCE = re.compile(
    r"\b(?:reali[sz]e[sd]?|noticed?|notices|as agreed|refus\w+|respond\w+|repl(?:y|ies|ied))\b", re.IGNORECASE
)
"""What somebody does about an earlier event."""

STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|costs?|owns?|weighs?|wants?|needs?|can|will|must|equals?|holds?|contains?)\b",
    re.IGNORECASE,
)


def order_is_time(setup: Sequence[str], question: str) -> bool:
    """Return whether events of the setup change what is asked for.

    They do where a share of something is taken beside an event, where one sentence uses up what another counts, where
    somebody reacts to an event, and where the question asks for what is left or is there now and some sentence tells no
    state. An age is no such state: the year changes it.
    """
    if any(EVENT.search(core) for core in setup) and any(PROPORTION.search(core) for core in setup):
        return True
    if _takes_from_stock(setup) or any(CONSEQUENCE.search(core) for core in setup[1:]):
        return True
    if not ASKS_FOR_STATE.search(question) or ASKS_FOR_AGE.search(question):
        return False
    return not all(STATES.search(core) for core in setup)


def _takes_from_stock(setup: Sequence[str]) -> bool:
    """Return whether some sentence uses up things of a kind that another sentence has, makes or gets."""
    taken: set[str] = set()
    stocked: set[str] = set()
    for core in setup:
        things = {unit for unit in units(core) if unit.startswith("noun:")}
        (taken if CONSUMES.search(core) else stocked).update(things)
    return not taken.isdisjoint(stocked)
