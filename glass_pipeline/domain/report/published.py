"""Holds the published reference values: everything the sources contain, a dash where they have none.

Never holds a number of ours, and never a target: values are for other solvers and other twins.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib import resources
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedValue:
    """One number of the paper."""

    table: str
    """Where it stands in the paper."""
    suite: Literal["gsm", "math", "any"]
    key: str
    """Name under which ours is looked up."""
    quantity: str
    published: str
    """As printed; the dash where the source keeps no value."""
    note: str


def published_values(suite: str) -> tuple[PublishedValue, ...]:
    """Return the values that may stand beside a suite's: those of its own counterpart, and those of any suite.

    Source: methods §11.
    """
    text = resources.files(__package__).joinpath("published.csv").read_text(encoding="utf-8")
    rows = (PublishedValue(**row) for row in csv.DictReader(text.splitlines()))  # type: ignore[arg-type]
    return tuple(row for row in rows if row.suite in ("any", counterpart(suite)))


def counterpart(suite: str) -> Literal["gsm", "math"] | None:
    """Return the published suite that a suite corresponds to; None where there is none."""
    if suite.startswith("glassgsm"):
        return "gsm"
    return "math" if suite.startswith("glassmath") else None
