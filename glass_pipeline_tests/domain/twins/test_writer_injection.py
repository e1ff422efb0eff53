"""Injections that somebody wrote: the base whole and in order, and in between what was to be put in, no more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins import OPERATORS
from glass_pipeline.domain.twins.writer_injection import recovered_injection
from glass_pipeline.domain.twins.writer_text import Unfaithful

TEXT = "Susan has 3 pens.\nPeter’s box holds 4 pens. How many pens are there?"
KITES = Distractor(source_id="other-1", position=2, text="Oscar has 14 red kites.")
MILES = Distractor(source_id="other-2", position=0, text="Velma ran 11 miles on Sunday.")


def test_the_edit_is_recovered_and_applied_to_the_base(make_problem: Callable[..., Problem]) -> None:
    """Reworded a little and in any order, each sentence is traced to where it comes from; undo gives the base back."""
    written = (
        "On Sunday, Velma ran 11 miles. Susan has 3 pens. Peter's box holds 4 pens. "
        "Oscar also has 14 red kites. How many pens are there?"
    )

    edit = recovered_injection(make_problem(TEXT), written, (KITES, MILES))

    assert edit.text == (
        "On Sunday, Velma ran 11 miles. Susan has 3 pens.\nPeter’s box holds 4 pens. "
        "Oscar also has 14 red kites. How many pens are there?"
    )
    assert edit.inject_size == 2
    assert [(each["source_id"], each["position"], each["slot"]) for each in edit.record["inserted"]] == [
        ("other-2", 0, 0),
        ("other-1", 2, 2),
    ]
    assert OPERATORS["math_irrelevant_context"].undo(edit.text, edit.record) == TEXT


FIRST, SECOND, LAST = "Susan has 3 pens.", "Peter's box holds 4 pens.", "How many pens are there?"
GIVEN = "Oscar has 14 red kites."


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ((GIVEN, FIRST, LAST), "leaves out a sentence of the problem: Peter"),
        ((GIVEN, "Susan has 5 pens.", SECOND, LAST), "sentence of the problem: Susan"),
        ((SECOND, GIVEN, FIRST, LAST), "sentence of the problem: Peter"),
        ((FIRST, SECOND, LAST), "another number of sentences than it was given: 0, not 1"),
        ((GIVEN, "He flies.", FIRST, SECOND, LAST), "2, not 1"),
        ((FIRST, SECOND, LAST, GIVEN), "after the question"),
        (("A lamp costs 14 dollars today.", FIRST, SECOND, LAST), "was not given"),
        ((GIVEN.replace("14", "15"), FIRST, SECOND, LAST), "changes a quantity"),
        (("Has Oscar 14 red kites?", FIRST, SECOND, LAST), "no statement"),
    ],
    ids=["lost", "changed", "moved", "none", "too many", "late", "invented", "requantified", "asked"],
)
def test_anything_else_is_refused(make_problem: Callable[..., Problem], written: tuple[str, ...], reason: str) -> None:
    """The base stays to the letter, and only what was given comes in."""
    with pytest.raises(Unfaithful, match=reason):
        recovered_injection(make_problem(TEXT), " ".join(written), (KITES,))


def test_maths_stays_in_one_piece(make_problem: Callable[..., Problem]) -> None:
    """Full stops inside a formula end no sentence of the base."""
    text = r"Let \[f(x) = 1.5 x.\] Suppose $a = 2.$ Find $f(a).$"

    edit = recovered_injection(make_problem(text, answer_type="math"), rf"Oscar has 14 red kites. {text}", (KITES,))

    assert edit.text == f"Oscar has 14 red kites. {text}"
    assert OPERATORS["math_irrelevant_context"].undo(edit.text, edit.record) == text
