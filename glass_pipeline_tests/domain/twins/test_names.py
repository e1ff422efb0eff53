"""The pool of names: genders by ratio, plain replacements."""

from __future__ import annotations

from importlib.resources import files

import pytest

from glass_pipeline.domain.twins.names import CLEAR_RATIO, POOL_SIZE, given_names, replacement_names


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
    for name in names:
        listed = given_names()[name]
        many, few = sorted((listed.female, listed.male), reverse=True)
        assert listed.kind == "" and listed.gender == gender and many >= CLEAR_RATIO * few


def test_the_packaged_file_is_small() -> None:
    """The table of names stays under 40 kB."""
    assert len(files("glass_pipeline.domain.twins").joinpath("names.csv").read_bytes()) < 40_000
