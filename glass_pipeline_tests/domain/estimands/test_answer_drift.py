"""The first condition: kept twins whose answer an adjudicator found to differ."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.estimands.answer_drift import audited_drift, labelled_drift
from glass_pipeline.domain.schemas import NOOP_AUDIT


def audit_of(*verdicts: list[str], keep: bool = True) -> pl.DataFrame:
    """Return an audit of one twin for each list of verdicts."""
    flags = {name: False for name, dtype in NOOP_AUDIT.schema.items() if dtype == pl.Boolean}
    return NOOP_AUDIT.frame(
        {
            **flags,
            "base_id": "a",
            "twin_id": f"t{number:03}",
            "dose": 1,
            "family": "entity_rename",
            "adjudicators": [f"judge-{place}" for place in range(len(said))],
            "verdicts": said,
            "rationales": ["why"] * len(said),
            "keep": keep,
            "reasons": [],
        }
        for number, said in enumerate(verdicts)
    )


def test_until_somebody_judged_it_says_so() -> None:
    """Rules alone say nothing on answers; a verdict that nobody could read says nothing either."""
    for audit in (audit_of(), audit_of([], []), audit_of(["unparsable"])):
        found = audited_drift(audit)

        assert (found.holds, found.value) == (None, None)
        assert found.sentence == "No twin's answer was audited yet."


def test_no_contradiction_holds_and_has_an_upper_bound() -> None:
    """0 of 100 excludes 1 - 0.025^(1/100) = 3.62 % with 95 % (Clopper and Pearson)."""
    found = audited_drift(audit_of(*[["no_op"]] * 100))

    assert found.holds
    assert found.value == 0
    assert found.sentence == "0 of 100 audited twins have another answer than their base (at most 3.62% with 95 %)."


def test_one_contradiction_among_kept_twins_fails() -> None:
    """One of two judges is enough; a third twin was judged by nobody."""
    found = audited_drift(audit_of(["no_op", "no_op"], ["no_op", "contradiction"], []))

    assert (found.holds, found.value) == (False, 0.5)
    assert found.sentence.endswith("; kept twins that nobody judged: 1.")


def test_dropped_twins_do_not_count() -> None:
    """What the audit dropped for its contradiction never reaches a solver."""
    kept, dropped = audit_of(["no_op"]), audit_of(["contradiction"], keep=False)
    both = pl.concat([kept, dropped.with_columns(twin_id=pl.lit("dropped"))])

    assert audited_drift(both).value == 0


@pytest.mark.parametrize(("said", "holds"), [({"x": "no_op"}, True), ({"x": "contradiction"}, False), ({}, None)])
def test_imported_pairs_carry_their_verdicts(
    make_pairs: Callable[[Any], pl.DataFrame], said: dict[str, str], holds: bool | None
) -> None:
    """A text that two dose files repeat counts once; another one was judged by nobody."""
    judged = {"audit": json.dumps({"llm": said}), "twin_text": "x", "y_twin": 1}
    pairs = make_pairs([{**judged, "file_dose": 1}, {**judged, "file_dose": 3}, {"twin_text": "y", "y_twin": 1}])
    found = labelled_drift(pairs)

    assert found.holds is holds
    assert ("of 1 audited" in found.sentence) is bool(said)
