"""Holds the rule against a gold answer in the inserted text.

Never compares spellings where values can be compared: 1,000 is 1000 is one thousand, and 5 does not stand in 15.
"""

from __future__ import annotations

import re

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.twins.quantities import gold_value, value_list, values


def gold_number(case: Case) -> bool:
    """Return whether the inserted text states the gold value, and the twin states it more often than the base.

    A gold answer that is no number is looked for as a phrase between word boundaries.

    Source: methods §3.4.
    """
    gold = gold_value(case.gold)
    if gold is not None:
        if not any(gold in values(text) for text in case.inserted):
            return False
        return value_list(case.twin_text).count(gold) > value_list(case.base_text).count(gold)
    phrase = case.gold.strip()
    if len(phrase) < 2:
        return False
    pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
    return any(pattern.search(text) for text in case.inserted)
