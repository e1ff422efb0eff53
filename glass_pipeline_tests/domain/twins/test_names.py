"""The pool of names: genders by ratio, plain replacements."""

from __future__ import annotations

from importlib.resources import files

import pytest

from glass_pipeline.domain.twins.names import (
    CLEAR_RATIO,
    POOL_SIZE,
    are_forms_of_one_name,
    given_names,
    nearly_same,
    replacement_names,
)


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("John", "male"),
        ("Mary", "female"),
        ("Taylor", "unisex"),
        ("Jordan", "unisex"),
        ("Alex", "unisex"),
        ("Susan", "female"),
    ],
)
def test_gender_is_a_ratio(name: str, gender: str) -> None:
    """Membership in a list says nothing: Taylor and Jordan are borne by both."""
    assert given_names()[name].gender == gender


@pytest.mark.parametrize(
    ("name", "kind"),
    [("May", "month"), ("April", "month"), ("Will", "word"), ("Art", "word"), ("Paris", "place"), ("Susan", "")],
)
def test_kinds(name: str, kind: str) -> None:
    """A name that may be something else says what."""
    assert given_names()[name].kind == kind


@pytest.mark.parametrize("gender", ["female", "male"])
def test_replacements_are_plain_and_clear(gender: str) -> None:
    """About 300 names a gender, none of them a word, month or place, all borne 20 times as often by that gender."""
    names = replacement_names(gender)  # type: ignore[arg-type]

    assert len(names) == POOL_SIZE == len(set(names))
    assert "Jesus" not in names
    for name in names:
        listed = given_names()[name]
        many, few = sorted((listed.female, listed.male), reverse=True)
        assert listed.kind == "" and listed.gender == gender and many >= CLEAR_RATIO * few


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("Bob", "Robert", True),
        ("Pierre", "Peter", True),
        ("James", "Jacques", True),
        ("Ned", "Edward", True),
        ("Bob", "Bill", False),
        ("Zorbel", "Zorbel", False),
    ],
)
def test_forms_of_one_name(name: str, other: str, same: bool) -> None:
    """Short forms and other languages' forms belong to one name; an unknown name has no forms."""
    assert are_forms_of_one_name(name, other) is are_forms_of_one_name(other, name) is same


@pytest.mark.parametrize(
    ("name", "other", "same"),
    [
        ("Tim", "Timothy", True),
        ("Julia", "Julie", True),
        ("Kathy", "Cathy", True),
        ("Karen", "Kaen", True),
        ("Ann", "Nan", False),
        ("Tim", "Tom", False),
        ("Karen", "Carin", False),
        ("A", "Ann", False),
    ],
)
def test_names_that_look_alike(name: str, other: str, same: bool) -> None:
    """One starts the other, or, from four letters on, one letter is another or missing."""
    assert nearly_same(name, other) is nearly_same(other, name) is same


def test_the_packaged_file_is_small() -> None:
    """The table of names stays under 40 kB."""
    assert len(files("glass_pipeline.domain.twins").joinpath("names.csv").read_bytes()) < 40_000
