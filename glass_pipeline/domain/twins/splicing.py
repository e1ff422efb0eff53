"""Holds how foreign sentences are put into a problem, with the white space that the text has there.

Never chooses the sentence, nor the place (see ``places``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from glass_pipeline.domain.twins.operator import Edit
from glass_pipeline.domain.twins.segmentation import Sentence, starts_of
from glass_pipeline.domain.twins.spans import Replacement, replace_spans

ENDS_WELL = re.compile(r"""[.!?…]["'”’)\]]*$""")


_slot = attrgetter("slot")


class Insertion(NamedTuple):
    """One foreign sentence and the index of the sentence that it stands before."""

    text: str
    source_id: str
    position: int
    slot: int


def splice(text: str, sentences: tuple[Sentence, ...], insertions: Sequence[Insertion], **noted: Any) -> Edit:
    """Insert sentences, each with the white space that the text has there.

    Args:
        text: The problem.
        sentences: Its sentences.
        insertions: What goes in, in any order.
        noted: What else the record of the edit shall say.
    """
    starts = starts_of(sentences)
    ordered = sorted(insertions, key=_slot)
    replacements = [
        Replacement(starts[insertion.slot], "", insertion.text + _gap(sentences, insertion.slot))
        for insertion in ordered
    ]
    spliced, spans = replace_spans(text, replacements)
    record = {"spans": spans, "inserted": [insertion._asdict() for insertion in ordered], **noted}
    return Edit(text=spliced, record=record, inject_size=len(insertions))


def _gap(sentences: tuple[Sentence, ...], slot: int) -> str:
    """Return the white space of the text around a slot; a space where it has none or breaks the line."""
    around = sentences[slot - 1].gap if slot else sentences[0].gap
    return around if around and not around.strip(" ") else " "
