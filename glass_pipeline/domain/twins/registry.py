"""Holds the operators by family, and the one way to take an edit back whatever its family.

Never holds an operator's rules.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from glass_pipeline.domain.records import Family, Twin
from glass_pipeline.domain.twins.entity_rename import EntityRename
from glass_pipeline.domain.twins.gsm_ic import GsmIc
from glass_pipeline.domain.twins.math_irrelevant_context import MathIrrelevantContext
from glass_pipeline.domain.twins.operator import Json, Operator
from glass_pipeline.domain.twins.sentence_reorder import SentenceReorder
from glass_pipeline.domain.twins.spans import MisfitError

OPERATORS: Mapping[Family, Operator] = {
    "sentence_reorder": SentenceReorder(),
    "entity_rename": EntityRename(),
    "math_irrelevant_context": MathIrrelevantContext(),
    "gsm_ic": GsmIc(),
}


class TakenBack(NamedTuple):
    """What a twin was made of."""

    base_text: str
    record: Json


def undo(twin: Twin) -> str:
    """Return the base text of a twin by taking its recorded edit back.

    Raises:
        MisfitError: the record is not JSON, of an unknown family, or does not fit the twin's text.
    """
    return taken_back(twin).base_text


def taken_back(twin: Twin) -> TakenBack:
    """Return the base text of a twin and the record that gave it back.

    Raises:
        MisfitError: as ``undo``.
    """
    try:
        record = json.loads(twin.edit)
    except (json.JSONDecodeError, RecursionError):
        raise MisfitError(f"twins[{twin.twin_id}]: the recorded edit is not JSON; make the twins again.") from None
    operator = OPERATORS.get(twin.family)
    if operator is None or not isinstance(record, dict):
        raise MisfitError(
            f"twins[{twin.twin_id}]: no operator {twin.family!r} records such an edit; make the twins again."
        )
    return TakenBack(operator.undo(twin.text, record), record)
