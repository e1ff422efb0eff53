"""Holds the twelve operators of Synth-CD: four tiers of three, and how much each costs a job.

Never draws anything.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TIERS = ("cosmetic-only", "complexity-sensitive", "expertise-sensitive", "dual-sensitive")
WITHIN_TIER = (0.8, 1.0, 1.2)
TIER_MU = (0.005, 0.10, 0.02, 0.10)
TIER_ZETA = (0.005, 0.02, 0.10, 0.10)
NOISE = 0.040
"""sigma of the independent noise of every job and operator."""

TIER_OF: NDArray[np.int64] = np.repeat(np.arange(len(TIERS)), len(WITHIN_TIER))
"""Tier of each operator, shape ``[12]``."""
MU: Floats = np.outer(TIER_MU, WITHIN_TIER).ravel()
"""Weight of 1 + C of each operator, shape ``[12]``."""
ZETA: Floats = np.outer(TIER_ZETA, WITHIN_TIER).ravel()
"""Weight of E of each operator, shape ``[12]``."""
