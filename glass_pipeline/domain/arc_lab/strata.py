"""Holds the map from items to strata, declared in ``strata.toml`` before anyone looks at a result.

Never reads a prediction.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from glass_pipeline.domain.arc_lab.items import ChoiceItem

CATEGORY_RULE = "category of the source"
OTHER_FORM = "other"
WORD = re.compile(r"[^\W\d_]+")


class Strata(NamedTuple):
    """The stratum of every item, and where it came from."""

    names: tuple[str, ...]
    rule: str
    """The source's own categories, or the sha256 of the rules file."""


def strata_of(items: Sequence[ChoiceItem]) -> Strata:
    """Return the category of each item where all have one, else question form x length.

    Args:
        items: In the order of the results, at least one.

    Source: methods §10.3a. Small strata are merged where they are tested.
    """
    categories = [item.category for item in items if item.category is not None]
    if len(categories) == len(items):
        return Strata(tuple(categories), CATEGORY_RULE)
    rules = files(__package__).joinpath("strata.toml").read_bytes()
    declared = tomllib.loads(rules.decode("utf-8"))
    forms = [_form(item.question, declared["forms"]) for item in items]
    lengths = _lengths(items, declared["lengths"])
    names = tuple(f"{form}/{length}" for form, length in zip(forms, lengths, strict=True))
    return Strata(names, hashlib.sha256(rules).hexdigest())


def _form(question: str, forms: Sequence[str]) -> str:
    return next((word for word in WORD.findall(question.lower()) if word in forms), OTHER_FORM)


def _lengths(items: Sequence[ChoiceItem], names: Sequence[str]) -> list[str]:
    words = np.array([len(item.question.split()) for item in items])
    cuts = np.quantile(words, np.arange(1, len(names)) / len(names))
    return [names[place] for place in np.searchsorted(cuts, words, side="left")]
