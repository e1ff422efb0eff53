"""Renamings that somebody wrote: taken where only names differ, refused with a reason where anything else does."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins import OPERATORS
from glass_pipeline.domain.twins.operator import Declined
from glass_pipeline.domain.twins.writer_rename import names_on_offer, recovered_renaming
from glass_pipeline.domain.twins.writer_text import Unfaithful

TEXT = "Susan has 3 pens.  Susan’s brother Peter has 4 pens. He lends SUSAN one. How many pens has Peter?"
TWIN = "Helen has 3 pens. Helen's brother Oscar has 4 pens. He lends HELEN one. How many pens has Oscar?"


def test_the_edit_is_recovered_and_applied_to_the_base(make_problem: Callable[..., Problem]) -> None:
    """White space and quotation marks stay the base's own, and the operator's undo gives the base back."""
    edit = recovered_renaming(make_problem(TEXT), TWIN)

    assert (
        edit.text == "Helen has 3 pens.  Helen’s brother Oscar has 4 pens. He lends HELEN one. How many pens has Oscar?"
    )
    assert edit.record["names"] == {"Susan": "Helen", "Peter": "Oscar"}
    assert OPERATORS["entity_rename"].undo(edit.text, edit.record) == TEXT


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("3 pens", "5 pens"), "changes more than names"),
        (("has 3 pens", "owns 3 pens"), "changes a word that is not known"),
        (("pens. Helen", "pens, Helen"), "changes more than names"),
        (("He lends", "She lends"), "changes a word that is not known"),
        (("Oscar has", "Helen has"), "gives one person two names"),
        (("Helen's", "Karen's"), "gives one person two names"),
        (("Helen's", "Susan's"), "leaves a mention of a name"),
        (("HELEN", "Helen"), "changes more than names"),
        (("How many", "So how many"), "changes more than names"),
    ],
)
def test_anything_else_is_refused(make_problem: Callable[..., Problem], change: tuple[str, str], reason: str) -> None:
    """One wrong character of the twin is one reason."""
    with pytest.raises(Unfaithful, match=reason):
        recovered_renaming(make_problem(TEXT), TWIN.replace(*change, 1))


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (("Helen", "Helen"), "gives two persons one name"),
        (("Susan", "Peter"), "renames nobody"),
        (("Peter", "Susan"), "takes a name that the problem has already"),
        (("Oscar", "Helen"), "takes a name that may be of another gender"),
        (("Xqzt", "Oscar"), "takes a name that may be of another gender"),
        (("Jordan", "Oscar"), "takes a name that may be of another gender"),
        (("Pens", "Oscar"), "takes a name that the problem has already"),
    ],
)
def test_names_that_do_not_fit_are_refused(
    make_problem: Callable[..., Problem], names: tuple[str, str], reason: str
) -> None:
    """Two persons stay two, of their own gender, with names that the text does not have."""
    twin = TWIN.replace("Helen", "\0").replace("HELEN", "\1").replace("Oscar", names[1])
    twin = twin.replace("\0", names[0]).replace("\1", names[0].upper())

    with pytest.raises(Unfaithful, match=reason):
        recovered_renaming(make_problem(TEXT), twin)


def test_a_unisex_name_may_stand_where_nothing_tells_gender(make_problem: Callable[..., Problem]) -> None:
    """Without he, she, brother or aunt, a name that both bear is as good as any."""
    text = "Susan has 3 pens. How many pens does Susan have?"

    assert recovered_renaming(make_problem(text), text.replace("Susan", "Jordan")).record["names"] == {
        "Susan": "Jordan"
    }


@pytest.mark.parametrize("place", [("Berlin", "London"), ("Monday", "Sunday")])
def test_places_and_days_are_no_persons(make_problem: Callable[..., Problem], place: tuple[str, str]) -> None:
    """Only who is known to be a person may get another name."""
    text = f"On Monday Susan rides 3 miles through Berlin. How far does Susan ride on {place[0]} 3?"

    with pytest.raises(Unfaithful, match="not known to be a person"):
        recovered_renaming(make_problem(text), text.replace("Susan", "Helen").replace(*place))


def test_the_answer_and_maths_keep_their_names(make_problem: Callable[..., Problem]) -> None:
    """A name that is the answer, or a symbol inside dollar signs, is nobody's to change."""
    asked = "Susan has 3 pens and Peter has 4. Who has more pens?"
    maths = "Let Ada be $Ada$ years old. How old is Ada?"

    with pytest.raises(Unfaithful, match="renames the answer: peter"):
        recovered_renaming(make_problem(asked, gold="Peter"), asked.replace("Peter", "Oscar"))
    with pytest.raises(Unfaithful, match="renames inside maths"):
        recovered_renaming(make_problem(maths, answer_type="math"), maths.replace("Ada", "Eve"))


def test_names_on_offer_are_drawn_from_the_dice(make_problem: Callable[..., Problem]) -> None:
    """The same dice offer the same names, none of which the problem has."""
    problem = make_problem(TEXT)

    first, second, third = (names_on_offer(problem, random.Random(seed)) for seed in (1, 1, 2))

    assert first == second != third
    assert not {*first.women, *first.men} & {"Susan", "Peter"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("How many letters are in the name Susan?", "letters of a name matter"),
        ("A farm has 3 cows. How many legs do they have?", "no person named"),
    ],
)
def test_nobody_is_asked_where_no_renaming_can_be(make_problem: Callable[..., Problem], text: str, reason: str) -> None:
    """The problem is declined before it costs anything."""
    with pytest.raises(Declined, match=reason):
        names_on_offer(make_problem(text), random.Random(1))
