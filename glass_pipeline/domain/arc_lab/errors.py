"""Holds the one error of the lab.

Never holds what to do about it: the message carries the remedy.
"""

from __future__ import annotations

from glass_pipeline.domain.errors import BadInput


class LabError(BadInput):
    """Something that would make the lab's comparison invalid; the message is one sentence with the remedy."""
