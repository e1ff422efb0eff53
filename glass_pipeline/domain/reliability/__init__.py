"""Holds how reliable measured break rates are: ceilings, split halves, agreement of solvers, plans.

Never estimates a job (see ``estimands``).
"""

from __future__ import annotations

from glass_pipeline.domain.reliability.ceiling import Ceiling, reliability_ceiling
from glass_pipeline.domain.reliability.split_half import split_half

__all__ = ["Ceiling", "reliability_ceiling", "split_half"]
