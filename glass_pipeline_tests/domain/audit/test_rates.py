"""How often each rule of the audit speaks."""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.audit.rates import RULES, dropped_for_several_reasons, rule_rates
from glass_pipeline.domain.schemas import NOOP_AUDIT

NOTHING = dict.fromkeys(
    ("entity_collision", "gold_number", "multi_question", "altered_base", "unit_compatible", "unverifiable_gold"), False
)


def audit(*twins: tuple[list[str], list[str]]) -> pl.DataFrame:
    """An audit from (reasons, flags) of each twin."""
    return NOOP_AUDIT.frame(
        {
            "base_id": "b",
            "twin_id": f"t{number}",
            "dose": 1,
            "family": "math_irrelevant_context",
            **NOTHING,
            **{name: True for name in (*reasons, *flags) if name in NOTHING},
            "adjudicators": [],
            "verdicts": [],
            "rationales": [],
            "keep": not reasons,
            "reasons": reasons,
        }
        for number, (reasons, flags) in enumerate(twins)
    )


def test_rates_count_reasons_and_flags_over_all_twins() -> None:
    """Of four twins one has two reasons, one a contradiction, two a flag: 1/4, 1/4, 1/4 and 2/4."""
    found = rule_rates(
        audit(
            (["entity_collision", "gold_number"], []),
            (["contradiction"], ["unit_compatible"]),
            ([], ["unit_compatible"]),
            ([], []),
        )
    )

    assert found["rule"].to_list() == list(RULES)
    by_rule = {row["rule"]: (row["drops"], row["n"], row["rate"]) for row in found.iter_rows(named=True)}
    assert by_rule["entity_collision"] == by_rule["gold_number"] == by_rule["contradiction"] == (True, 1, 0.25)
    assert by_rule["unit_compatible"] == (False, 2, 0.5)
    assert by_rule["unparsable"] == (True, 0, 0.0)


def test_the_overlap_counts_twins_dropped_twice() -> None:
    """Table 11 prints it: two reasons on one twin are one overlap."""
    assert dropped_for_several_reasons(audit((["gold_number", "multi_question"], []), (["gold_number"], []))) == 1


def test_no_twins_have_no_rate() -> None:
    """A share of nothing is null, not zero."""
    assert rule_rates(audit())["rate"].null_count() == len(RULES)
