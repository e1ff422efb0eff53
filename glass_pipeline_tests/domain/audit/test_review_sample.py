"""The sample for a review: drawn by outcome, by name and not by order, each text once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.audit import audit_twins
from glass_pipeline.domain.audit.adjudication import adjudicated
from glass_pipeline.domain.audit.review_sample import ReviewPair, allocation, draw_sample, review_pairs
from glass_pipeline.domain.audit.verdicts import Finding, Verdict
from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins import TwinBatch, make_twins

PROBLEM = Problem(
    base_id="toy-1",
    text="Susan has 3 pens. Peter has 4 pens. How many pens do Susan and Peter own?",
    gold="7",
    answer_type="numeric",
    declared_complexity=2.0,
    complexity_score=0.3,
    revision="0",
    licence="MIT",
)
POOL = [Distractor(source_id="other", position=0, text="Oscar has 14 red kites.")]


def made(dose: int) -> TwinBatch:
    """Return renamings and reorderings, which every dose file holds."""
    return make_twins(
        [PROBLEM], suite="toy", seed=1, dose=dose, distractors=POOL, families=("entity_rename", "sentence_reorder")
    )


def test_power_allocation_by_hand() -> None:
    """Strata of 900, 100 and 4 have roots 30, 10, 2: of 42 pairs they get 30, 10 and 2."""
    assert allocation({"a": 900, "b": 100, "c": 4}, 42) == {"a": 30, "b": 10, "c": 2}


@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 400), min_size=1, max_size=6), st.integers(1, 300)
)
def test_allocation_is_whole_and_fair(sizes: dict[str, int], n: int) -> None:
    """Everything asked for is given out, no stratum beyond its size, each at least one while there is enough."""
    shares = allocation(sizes, n)

    assert sum(shares.values()) == min(n, sum(sizes.values()))
    assert all(0 <= shares[name] <= size for name, size in sizes.items())
    assert n < len(sizes) or min(shares.values()) >= 1


def test_the_sample_depends_on_names_not_on_order(make_pair: Callable[..., ReviewPair]) -> None:
    """The same pairs in another order, the same sample; a larger one holds the smaller; another seed draws others."""
    pairs = [make_pair(number, "kept" if number % 3 else "gold_number") for number in range(300)]

    small, turned, large, other = (
        draw_sample(pairs, 30, 1), draw_sample(pairs[::-1], 30, 1), draw_sample(pairs, 60, 1), draw_sample(pairs, 30, 2)
    )  # fmt: skip

    assert small == turned
    assert {pair.twin_id for pair in small} <= {pair.twin_id for pair in large}
    assert {pair.twin_id for pair in small} != {pair.twin_id for pair in other}
    assert Counter(pair.outcome for pair in small) == allocation({"kept": 200, "gold_number": 100}, 30)


def test_outcomes_are_not_told_by_the_order(make_pair: Callable[..., ReviewPair]) -> None:
    """Kept and dropped pairs come mixed: 20 of each in blocks would be one change, mixed they are many."""
    sample = draw_sample([make_pair(number, "kept" if number % 2 else "gold_number") for number in range(40)], 40, 1)

    changes = sum(a.outcome != b.outcome for a, b in pairwise(sample))
    assert changes > 10


def test_a_text_in_several_doses_is_one_pair() -> None:
    """Surface twins of two dose files are reviewed once, under the first twin's id."""
    first, second = made(1), made(3)
    audit = audit_twins([PROBLEM], first.twins + second.twins)

    pairs = review_pairs([PROBLEM], first.twins + second.twins, audit)

    assert [pair.twin_id for pair in pairs] == sorted(twin.twin_id for twin in first.twins)


@pytest.mark.parametrize(
    ("finding", "changes", "outcome"),
    [
        (None, {}, "kept"),
        ("no_op", {}, "kept"),
        ("contradiction", {}, "contradiction"),
        ("unparsable", {}, "unparsable"),
        (None, {"text": "x"}, "altered_base"),
        ("contradiction", {"text": "x"}, "contradiction"),
    ],
)
def test_the_outcome_is_what_dropped_it(finding: Finding | None, changes: dict[str, Any], outcome: str) -> None:
    """A model's contradiction comes before a rule, a rule before a flag."""
    twin = replace(made(1).twins[0], **changes)
    verdicts = [Verdict(twin_id=twin.twin_id, adjudicator="a", finding=finding, rationale="so")] if finding else []
    audit = adjudicated(audit_twins([PROBLEM], [twin]), verdicts)

    pair = review_pairs([PROBLEM], [twin], audit)[0]

    assert pair.outcome == outcome
    assert [opinion.finding for opinion in pair.opinions] == ([finding] if finding else [])


def test_a_flag_is_an_outcome_of_its_own() -> None:
    """A kept twin with a quantity in the question's unit, or of a base without its options, is kept but flagged."""
    twin = made(1).twins[0]
    audit = audit_twins([PROBLEM], [twin])
    by_unit = audit.with_columns(unit_compatible=True)

    assert review_pairs([PROBLEM], [twin], by_unit)[0].outcome == "kept, flagged"


def test_an_empty_sample_and_a_stray_twin_are_refused() -> None:
    """Both say what is missing."""
    twin = made(1).twins[0]

    with pytest.raises(ValueError, match="at least one pair"):
        draw_sample([], 0, 1)
    with pytest.raises(ValueError, match=f"the base of twin '{twin.twin_id}'"):
        review_pairs([], [twin], audit_twins([PROBLEM], [twin]))
