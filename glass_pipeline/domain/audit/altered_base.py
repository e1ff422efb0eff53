"""Holds the rule that a twin must still contain its base.

Never judges meaning: it asks whether undoing the edit gives the base back.
"""

from __future__ import annotations

from glass_pipeline.domain.audit.case import Case


def altered_base(case: Case) -> bool:
    """Return whether the twin is more or less than its base and the edit it claims."""
    return not case.is_base_kept
