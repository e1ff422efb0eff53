"""Holds the stage ``audit``: the rules that drop or flag a twin before anyone pays to have it solved.

Never edits a text, and never asks a model itself.
"""

from glass_pipeline.domain.audit.pairs import PairError, PairVerdict, audit_pair
from glass_pipeline.domain.audit.recorded import audit_twins
from glass_pipeline.domain.audit.rules import DROP_RULES, FLAG_RULES

__all__ = ["DROP_RULES", "FLAG_RULES", "PairError", "PairVerdict", "audit_pair", "audit_twins"]
