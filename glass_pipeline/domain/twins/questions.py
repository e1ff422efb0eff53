"""Holds what a sentence does in a problem: it asks, it instructs, or it sets up; and whether a question carries data.

Never rewrites a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from glass_pipeline.domain.twins.quantities import values

QUESTION_MARK = re.compile(r"[?？]")
ORDER = (
    r"(?:find|calculate|compute|determine|evaluate|express|simplify|solve|estimate|expand|rationalize|work out"
    r"|figure out|prove|show that|tell (?:me|us)|name|factor|convert|identify"
    r"|give (?:your|the)|state (?:your|the|how)|list (?:the|all)|write (?:your|the))"
)
WH = (
    r"(?:what (?:is|are|was|were|will|would|percent\w*|fraction|number|amount)|which of"
    r"|how (?:many|much|long|far|old|tall|fast|does|do|did))"
)
ASKS_AT_START = re.compile(
    rf"""^["'“‘(\[]*(?:please |now,? |then,? |so,? |and |also,? |next,? |in [a-z]+, )*(?:{ORDER}|{WH})\b""",
    re.IGNORECASE,
)
ASKS_AFTER_CLAUSE = re.compile(rf"(?:[,;:$\])}}]|\.)\s*(?:please |then |so |and )*(?:{ORDER}|{WH})\b", re.IGNORECASE)
ASKS_LATE = re.compile(
    r"\bhow (?:many|much|long|far|old|tall)(?: [\w'’]+){0,4}"
    r" (?:did|does|do|will|would|can|could|should|is|are|was|were)\b"
    r"|\bat what time\b",
    re.IGNORECASE,
)
REPORTED = re.compile(
    r"\b(?:ask\w*|wonder\w*|know\w*|knew|told|tells?|figur\w+|calculat\w+|decid\w+|see\w*|remember\w*|count\w*|measur\w+"
    r"|depend\w*)\b[^.]*$",
    re.IGNORECASE,
)
CONDITION = re.compile(r"\b(?:if|when|given|suppose|assuming|since|after|before|provided)\b", re.IGNORECASE)


def asks(sentence: str) -> bool:
    """Return whether a sentence asks for something, with a question mark or as an order ("Find …")."""
    core = sentence.strip()
    return _asks_openly(core) or _asks_late(core)


def question_indices(cores: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of the sentences that ask.

    Where some sentence asks openly (a question mark, or an order at its start), an embedded "how many … are"
    elsewhere is taken for a statement.
    """
    open_questions = tuple(index for index, core in enumerate(cores) if _asks_openly(core.strip()))
    return open_questions or tuple(index for index, core in enumerate(cores) if _asks_late(core.strip()))


def _asks_openly(core: str) -> bool:
    return QUESTION_MARK.search(core) is not None or ASKS_AT_START.match(core) is not None


def _asks_late(core: str) -> bool:
    late = ASKS_AFTER_CLAUSE.search(core) or ASKS_LATE.search(core)
    return late is not None and not REPORTED.search(core[: late.start()])


def carries_data(question: str) -> bool:
    """Return whether a question sentence also states a fact: a quantity, or a condition."""
    return bool(values(question)) or CONDITION.search(question) is not None
