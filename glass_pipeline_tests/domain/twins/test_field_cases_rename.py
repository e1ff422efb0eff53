"""Renaming, case by case of the field reports: what has to be renamed, what has to stay, what has to be declined."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.audit.entity_collision import entity_collision
from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins import OPERATORS, make_twins
from glass_pipeline.domain.twins.distractors import DistractorIndex
from glass_pipeline.domain.twins.names import given_names
from glass_pipeline.domain.twins.operator import Declined, Draw
from glass_pipeline.domain.twins.quantities import values
from glass_pipeline.domain.twins.vocabulary import MONTHS

MakeProblem = Callable[..., Problem]
Find = Callable[[str], Problem]
RENAME = OPERATORS["entity_rename"]
WORD = re.compile(r"[^\W\d_]+")
LISTS = ("gsm8k_operator_traps.json", "gsm8k_scan2.json")


def renamed(problem: Problem) -> tuple[str, dict[str, str]]:
    """Return one twin of a problem and its name map."""
    draw = Draw(quota=1, dose=1, distractors=DistractorIndex(()), rng=random.Random(problem.base_id))
    (edit,) = RENAME.edits(problem, draw)
    return edit.text, dict(edit.record["names"])


def in_base(problem: Problem) -> tuple[set[str], str]:
    """Return whom a twin renames, and the twin with the old names put back by hand."""
    text, names = renamed(problem)
    for old, new in names.items():
        text = re.sub(rf"(?<![^\W\d_]){new}(?![^\W\d_])", old, text)
    return set(names), text


def reason(problem: Problem) -> str:
    """Return why a problem is declined."""
    with pytest.raises(Declined) as declined:
        renamed(problem)
    return str(declined.value)


@pytest.fixture(scope="session")
def find(gsm8k_test: list[Problem], gsm8k_train: list[Problem]) -> Find:
    """Finder of a GSM8K item by split and index: "test:482"."""
    splits = {"test": gsm8k_test, "train": gsm8k_train}

    def item(place: str) -> Problem:
        split, index = place.split(":")
        return splits[split][int(index)]

    return item


@pytest.fixture(scope="session")
def listed(shared: Path) -> Callable[[str], list[str]]:
    """Finder of the places of a trap: "test:482"."""
    files = [json.loads((shared / "cases" / file).read_text(encoding="utf-8")) for file in LISTS]
    lists: dict[str, Any] = files[0] | files[1]

    def places(trap: str) -> list[str]:
        found = lists[trap]
        if isinstance(found, list):
            return [f"{split}:{index}" for split, index, _ in found]
        return [f"{split}:{index}" for split in ("test", "train") for index in found[split]]

    return places


def twins_of(problems: Iterable[Problem]) -> list[tuple[Problem, str, dict[str, str]]]:
    """Return (problem, twin, name map) for those that are not declined."""
    found = []
    for problem in problems:
        with suppress(Declined):
            found.append((problem, *renamed(problem)))
    return found


PREFIX = "name prefix of another token"


@pytest.mark.parametrize(("place", "slug"), [("test:482", PREFIX), ("test:1079", PREFIX), ("test:246", "unisex name")])
def test_look_alike_names_are_declined(place: str, slug: str, find: Find, make_problem: MakeProblem) -> None:
    """fc-028: Tasha and Tashay may be one person or two: nobody is renamed; nor are Bob and Robert."""
    assert reason(find(place)) == slug
    assert reason(make_problem("Bob has 3 pens. Robert buys 2. How many has Bob?")) == "one name in two forms"


@pytest.mark.parametrize(
    ("place", "person", "stays"),
    [
        ("test:294", "Will", "When"),
        ("train:3403", "Will", "will"),
        ("test:449", "Beatrice", "Art class"),
        ("test:422", "Bill", "streaming"),
    ],
)
def test_common_words_stay(place: str, person: str, stays: str, find: Find) -> None:
    """fc-032: Will and Bill the persons are renamed; Art, will and the rest stay."""
    problem = find(place)
    text, names = renamed(problem)

    assert person in names
    assert not re.search(rf"\b{person}\b", text)
    assert text.count(stays) == problem.text.count(stays) > 0


def test_summer_is_no_person_there(find: Find, make_problem: MakeProblem) -> None:
    """fc-032: "Summer break" renames nobody, and leaves Ann alone in a text with both."""
    assert reason(find("train:6498")) == "no name"
    text = "Ann read 3 books this summer. Summer break lasts 9 weeks. How many did Ann read?"
    assert in_base(make_problem(text)) == ({"Ann"}, text)


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Helen buys 3 figs. Chase buys 2 limes. How many fruits do Chase and Helen buy?", {"Helen", "Chase"}),
        ("Rose found 9 shells. She drops 2. How many shells has Rose?", {"Rose"}),
        ("Grace ran 3 miles. How far did Grace run?", {"Grace"}),
        ("Otto has 4 kites and Hope has 23 more than Otto. How many kites has Hope?", {"Otto", "Hope"}),
        ("Hope and Otto have 9 pens. How many pens has each?", {"Hope", "Otto"}),
    ],
)
def test_names_that_are_words_are_read_from_syntax(text: str, people: set[str], make_problem: MakeProblem) -> None:
    """fc-033: the subject of a verb, what a name is joined to, and what a verb asks for are persons."""
    problem = make_problem(text)

    assert in_base(problem) == (people, text)


def test_listed_names_that_are_words(find: Find) -> None:
    """fc-033: Chase and Rose are renamed; where Rider, Alex or the Cookie Monster is beside them, nobody is."""
    assert "Chase" in renamed(find("test:764"))[1]
    assert "Rose" in renamed(find("test:812"))[1]
    assert reason(find("test:82")) == "unisex name"
    assert reason(find("test:782")) == "name is also a word"
    assert reason(find("test:681")) == "unlisted name"


def test_full_names_and_titles(find: Find) -> None:
    """fc-035: Great Grandma Jones keeps her titles; Sally Two and Granny Red, and the princes, stay whole."""
    problem = find("test:697")
    text, names = renamed(problem)

    assert names.keys() == {"Jones"}
    assert text == problem.text.replace("Jones", names["Jones"])
    assert names["Jones"].endswith("s")
    assert reason(find("test:172")) == "name in a longer name"
    assert reason(find("test:432")) == "unlisted name"
    assert reason(find("test:959")) == "unisex name"


def test_number_like_names_are_no_quantities(make_problem: MakeProblem) -> None:
    """fc-035: Sally Two is declined; Granny Red is renamed, and her red pens stay red or nothing is renamed."""
    text = "Granny Red has 8 red pens, twice as many as Ann. How many has Ann?"

    assert reason(make_problem("Sally Two is 3 years old. How old is Sally Two?")) == "name in a longer name"
    assert in_base(make_problem(text)) == ({"Red", "Ann"}, text)
    assert reason(make_problem(text.replace("8 red", "dark red"))) == "name also written in lower case"


def test_curly_apostrophes_stay(find: Find, listed: Callable[[str], list[str]]) -> None:
    """fc-037: every listed item keeps its characters, and a name before ’s is renamed as before 's."""
    text, names = renamed(find("test:0"))
    assert text.startswith(f"{names['Janet']}’s ducks")

    twins = twins_of(map(find, listed("curly_apostrophe")))
    assert len(twins) > 100
    for problem, twin, names in twins:
        assert (twin.count("’"), twin.count("'")) == (problem.text.count("’"), problem.text.count("'"))
        assert not any(f"{name}’" in twin for name in names)


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        ("Zorbel has 9 pens and loses 2 of his. How many pens has he?", "male"),
        ("Zorbel has 9 pens and loses 2 of hers. How many pens has she?", "female"),
        ("Wilma has 9 pens. How many pens has Wilma?", "female"),
        ("Victor has 9 pens. How many pens has Victor?", "male"),
    ],
)
def test_new_names_agree_with_pronouns_or_with_the_old_name(text: str, gender: str, make_problem: MakeProblem) -> None:
    """fc-038: pronouns tell the gender of an unknown name; without any, the old name's gender is kept."""
    _, names = renamed(make_problem(text))

    assert {given_names()[new].gender for new in names.values()} == {gender}


SLUGS = {"test:165": "pronoun disagrees", "test:177": "unlisted name", "test:205": "unlisted name"}


@pytest.mark.parametrize(("place", "slug"), SLUGS.items())
def test_conflicting_or_unknown_genders_are_declined(place: str, slug: str, find: Find) -> None:
    """fc-038, fc-039: an item whose pronouns contradict its name, or tell nothing of an unknown one, has no twin."""
    assert reason(find(place)) == slug


def test_pronouns_of_a_twin_are_those_of_its_base(find: Find, listed: Callable[[str], list[str]]) -> None:
    """fc-039: no pronoun is ever "repaired"; items with he and she keep each of theirs."""
    pronouns = partial(re.findall, r"\b(?:he|she|his|hers?|him|himself|herself)\b", flags=re.IGNORECASE)
    twins = twins_of(map(find, listed("both_genders")))

    assert len(twins) > 50
    for problem, twin, _ in twins:
        assert pronouns(twin) == pronouns(problem.text)


@pytest.mark.parametrize(
    ("place", "person", "gender"),
    [("train:3403", "Will", "male"), ("train:3403", "Diane", "female"), ("test:1013", "Janet", "female")],
)
def test_kinship_and_gendered_nouns_bind_the_new_name(place: str, person: str, gender: str, find: Find) -> None:
    """fc-040: a brother stays a man, a waitress a woman."""
    assert given_names()[renamed(find(place))[1][person]].gender == gender


def test_a_kin_noun_of_the_other_gender_is_declined(make_problem: MakeProblem) -> None:
    """fc-040: a brother who bears a woman's name has no twin."""
    problem = make_problem("Ann's brother, Wilma, is 4. How old is Ann if she is 2 years older?")

    assert reason(problem) == "gendered noun disagrees"


def test_new_names_collide_with_nothing(make_problem: MakeProblem) -> None:
    """fc-041: no twin takes a name, a month or a shop that its base has in any case or as a possessive."""
    problem = make_problem("Susan met helen and MARIA in Carol's shop and 9 girls in June. How many did Susan meet?")
    words = {word.lower() for word in WORD.findall(problem.text)}
    draw = Draw(quota=300, dose=1, distractors=DistractorIndex(()), rng=random.Random(1))

    given = {new.lower() for edit in RENAME.edits(problem, draw) for new in edit.record["names"].values()}
    assert len(given) > 100
    assert not given & words


@pytest.mark.parametrize(("taken", "collides"), [("Helen", True), ("June", True), ("Carol", True), ("Irene", False)])
def test_the_audit_asks_again(taken: str, collides: bool) -> None:
    """fc-041: a planted name that the base has in lower case, as a month or as a possessive is caught again."""
    base = "Susan met helen in Carol's shop in June."
    twin = base.replace("Susan", taken)
    case = Case(base_text=base, twin_text=twin, gold="1", inserted=(), new_names=(taken,), is_base_kept=True)

    assert entity_collision(case) is collides


def test_one_map_serves_the_whole_text(find: Find, listed: Callable[[str], list[str]]) -> None:
    """fc-042: in each listed item with two names, the twin with old names put back is the base, byte for byte."""
    problems = [problem for problem, *_ in twins_of(map(find, listed("two_names_conjoined")))]

    assert len(problems) > 100
    for problem in problems:
        people, restored = in_base(problem)
        if not any(name.lower() in WORD.findall(problem.text) for name in people):
            assert restored == problem.text, problem.base_id


@pytest.mark.parametrize(
    "text",
    [
        "Susan paid $9; how much more than $4 is that for Susan",
        "Susan, Susan! Where are 3 of the 9 pens of (Susan)?",
        '"Susan" is what 9 of 12 pens say. How many do not say "Susan"',
    ],
)
def test_mentions_at_the_edges_and_side_by_side(text: str, make_problem: MakeProblem) -> None:
    """fc-043: the first word, the last without a mark, and two in a row are all renamed."""
    twin, names = renamed(make_problem(text))

    assert twin == text.replace("Susan", names["Susan"])


@pytest.mark.parametrize(
    ("place", "brand"),
    [("test:270", "M&Ms"), ("test:1125", "M&M"), ("test:226", "Pokemon"), ("test:935", "Widgeteer 3000")],
)
def test_brands_stay(place: str, brand: str, find: Find) -> None:
    """fc-048: the person is renamed, the brand is not, and its number is where it was."""
    problem = find(place)
    twin, names = renamed(problem)
    assert len(names) == 1
    assert twin.count(brand) == problem.text.count(brand) > 0
    assert values(twin) == values(problem.text)


@pytest.mark.parametrize("brand", ["Walmart", "Netflix", "Facebook", "Spotify"])
def test_shops_and_services_stay(brand: str, make_problem: MakeProblem) -> None:
    """fc-048: beside a person they are no persons, alone they are no reason for a twin."""
    people, restored = in_base(make_problem(text := f"Ann pays {brand} $9 in 3 months. What does Ann pay a month?"))

    assert (people, restored) == ({"Ann"}, text)
    assert reason(make_problem(f"{brand} charges $9 for 3 months. What is that a month?")) == "no name"


@pytest.mark.parametrize(
    "formula", [r"$\text{NAME} = 3$", r"\[\text{NAME} + 2\]", '[asy] label("NAME", (0,0)); [/asy]', r"$N$ and \(M\)"]
)
def test_nothing_in_maths_is_touched(formula: str, make_problem: MakeProblem) -> None:
    """fc-049: a name in a formula or a figure declines the item; letters there stay when somebody is renamed."""
    text = f"Susan solves {formula}. What does Susan get?"
    build = partial(make_problem, answer_type="math", gold="3")

    assert in_base(build(text)) == ({"Susan"}, text)
    if "NAME" in text:
        assert reason(build(text.replace("NAME", "Susan"))) == "name in maths"
        assert reason(build(text.replace("NAME", "Peter"))) == "name in maths"


def test_dollars_are_money(find: Find, listed: Callable[[str], list[str]], make_problem: MakeProblem) -> None:
    """fc-050: in a word problem a name between two $ is renamed: no pair of them is a formula."""
    text = "Susan had $80 and Peter $50, so Susan gave Peter $15. What has Susan?"
    assert in_base(make_problem(text)) == ({"Susan", "Peter"}, text)
    assert renamed(find("test:2"))[1].keys() == {"Josh"}

    twins = twins_of(map(find, listed("two_dollar_signs_look_like_latex_with_name")))
    assert len(twins) > 200
    for problem, twin, names in twins:
        assert twin.count("$") == problem.text.count("$")
        assert not any(re.search(rf"\b{old}\b", twin) for old in names), problem.base_id


TAGGED = {"test:5": {"Kylar"}, "test:34": {"Siobhan", "Aaron", "Raymond"}, "test:125": {"Julia"}}


@pytest.mark.parametrize(("place", "people"), [*TAGGED.items(), ("test:114", {"Jamal", "Brittany"})])
def test_names_a_small_tagger_misses_are_found(place: str, people: set[str], find: Find) -> None:
    """fc-051: lists, spelling and syntax find every mention of Kylar, Siobhan and the others."""
    assert in_base(find(place)) == (people, find(place).text)


def test_a_foreign_sentence_brings_its_own_person(make_problem: MakeProblem) -> None:
    """fc-072: no inserted sentence names somebody of the problem, and each names its subject itself."""
    problem = make_problem("Anna has 3 pens. She buys 4 pens. How many pens does Anna have?", gold="7")
    texts = ("Anna owns 52 marbles.", "She ran 11 miles.", "Hector drank 13 liters of water.", "It weighs 83 pounds.")
    pool = [Distractor(source_id=f"o{i}", position=0, text=text) for i, text in enumerate(texts)]

    batch = make_twins([problem], suite="toy", seed=1, dose=1, distractors=pool, families=("math_irrelevant_context",))

    assert batch.twins
    assert all("Hector drank" in twin.text for twin in batch.twins)
    assert not any(text in twin.text for twin in batch.twins for text in texts if "Hector" not in text)


def test_letter_labels_are_no_names(make_problem: MakeProblem) -> None:
    """Company A and type B name nobody."""
    text = "Ann buys 7 figs of type A and 4 of type B from Company A. How many figs are that?"

    assert in_base(make_problem(text)) == ({"Ann"}, text)


def test_months_stay_months(find: Find, listed: Callable[[str], list[str]]) -> None:
    """Where the length of a month matters, its name is what it was."""
    months = partial(re.findall, rf"\b(?:{'|'.join(month.capitalize() for month in MONTHS)})\b")
    twins = twins_of(map(find, listed("month_identity_matters")))

    assert len(twins) > 10
    for problem, twin, _ in twins:
        assert months(twin) == months(problem.text)


def test_a_name_in_lower_case_is_the_same_person(find: Find, listed: Callable[[str], list[str]]) -> None:
    """Joe, who is joe elsewhere, is renamed in both; Jack and jack are declined, as a jack is a thing."""
    twin, names = renamed(find("test:818"))
    assert names.keys() == {"Joe", "Robert"}
    assert not re.search(r"\bjoe\b", twin, re.IGNORECASE)
    assert names["Joe"].lower() in WORD.findall(twin)
    assert reason(find("test:844")) == "name also written in lower case"
    in_both = twins_of(map(find, listed("name_also_common_word_in_item")))
    places = ("test:818", "train:637", "train:2004", "train:3403")
    assert [problem for problem, *_ in in_both] == [find(place) for place in places]


TRAPS = "possessive_s_apostrophe title_no_dot title_or_abbrev hyphenated_capital name_is_substring_of_other_word"
MORE_TRAPS = "name_inside_lowercase_word ampersand twins_word gender_bound_noun ambiguous_name_token"


@pytest.mark.parametrize("trap", [*TRAPS.split(), *MORE_TRAPS.split()])
def test_listed_items_differ_in_names_only(trap: str, find: Find, listed: Callable[[str], list[str]]) -> None:
    """All but words is the base's own, and every other word is the base's or, whole, a new name of the map."""
    twins = twins_of(map(find, listed(trap)))

    assert twins
    for problem, twin, names in twins:
        assert WORD.sub("w", twin) == WORD.sub("w", problem.text)
        new_names = {old.lower(): new.lower() for old, new in names.items()}
        for old, new in zip(WORD.findall(problem.text), WORD.findall(twin), strict=True):
            assert new == old or new_names[old.lower()] == new.lower(), problem.base_id
            assert new != old or old not in names, problem.base_id
