"""Holds the one root of all errors that a person can cause and mend.

Never holds an error of a stage: those are defined beside what raises them.
"""

from __future__ import annotations


class BadInput(ValueError):
    """What a person gave is wrong; the message is one sentence with place and remedy."""
