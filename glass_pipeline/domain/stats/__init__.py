"""Holds statistics that know nothing of the field: intervals, resampling, ranks, counts.

Never holds a word of the domain (twin, break, dose, solver).
"""

from __future__ import annotations
