"""Renaming: every mention or none, one injective map, agreement in gender, everything else untouched."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins.cast import surnames
from glass_pipeline.domain.twins.distractors import DistractorIndex
from glass_pipeline.domain.twins.entity_rename import EntityRename
from glass_pipeline.domain.twins.names import are_forms_of_one_name, given_names, nearly_same
from glass_pipeline.domain.twins.operator import Declined, Draw, Edit
from glass_pipeline.domain.twins.vocabulary import GENDERED_TITLES

MakeProblem = Callable[..., Problem]

RENAME = EntityRename()
LOWER_CASE_LEFT_ALONE = {name.lower() for name, listed in given_names().items() if listed.kind}


def rename(problem: Problem, quota: int = 1) -> tuple[Edit, ...]:
    """Ask the operator with dice that belong to the item."""
    dice = random.Random(problem.base_id)
    return RENAME.edits(problem, Draw(quota=quota, dose=1, distractors=DistractorIndex(()), rng=dice))


def only(edits: tuple[Edit, ...]) -> tuple[str, dict[str, str]]:
    """Return text and name map of a single edit."""
    (edit,) = edits
    return edit.text, dict(edit.record["names"])


DECLINED = {
    "no name": "A robe takes 2 bolts of cloth. How many bolts do 3 robes take?",
    "unisex name": "Taylor has 3 pens. Ann has 4. How many do they have?",
    "unlisted name": "Ann and Zblorg have 4 pens. Zblorg gave 2 away. How many pens are left?",
    "letters of a name matter": "Ann has 3 letters in her name. Her sister's name has 2 more. How many is that?",
    "name prefix of another token": "Roger has 3 pens. Rogers buys 2. How many pens does Roger have?",
    "name in a longer name": "Ann went to Tony's Pizza and paid $3. What did Ann pay?",
    "name is also a month": "Ann sold 3 pens in April and 4 pens in May. April had 30 days, so what did she sell?",
    "name is also a word": "Ann spends 3 hours on Art. How long is it?",
    "name is also a place": "Ann drove 30 miles to Austin in 2 hours. How fast was Ann?",
    "name inside a token": "Ann-Marie has 3 pens and buys 2. How many pens does she have?",
    "pronoun disagrees": "John took 3 tests. She passed 2. How many tests did she fail?",
    "gendered noun disagrees": "Peter has a brother, Susan, who is 4. How old is she?",
    "title and name disagree": "Aunt Peter has 3 pens. How many pens does Aunt Peter have?",
    "article before a name": "A Maria costs $3. What do 2 cost?",
    "name before a noun": "Ann bought 3 boxes of Graham crackers. How many boxes did Ann buy?",
    "one name in two forms": "Ann has 3 pens and Bob has 4. Ann gives Robert 2. How many pens has Bob?",
    "name is an initial": "Coach A has a bat and Ann has 4. How many bats are there?",
    "name may be a shop": "Ann paid $30 at Wendy's and $20 in a cinema. How much did Ann pay?",
    "name also written in lower case": "Jack has 3 pens. Bo took 2 from jack. How many pens does Jack have?",
}


@pytest.mark.parametrize(("reason", "text"), DECLINED.items(), ids=DECLINED)
def test_declines_rather_than_guesses(reason: str, text: str, make_problem: MakeProblem) -> None:
    """Each doubt about who is meant is declined with its own reason."""
    with pytest.raises(Declined) as declined:
        rename(make_problem(text))

    assert str(declined.value) == reason


KEEPS_AN_OLD_NAME = [
    "Ann and Oz share 8 figs. How many figs are there for each?",
    "Ann and TJ have 8 figs. How many figs are there for each?",
    "Zorbel's mother sells figs. Ann buys 4 figs for $3 each. What does Ann pay?",
    "Zorbel and his neighbor Ann eat 4 figs a day. How many figs is that in 3 days?",
    "Zorbel opens a stall. Ann buys 4 figs there for $3 each. What does Ann pay?",
    "Zorbel knitted 3 socks. Ann sews 4. How many do they make?",
    "In 5 years, Zorbel will be twice as old as Ann, who is 10. How old is that?",
    "Ann is 10, twice as old as her cousin. How old is Zorbel?",
    "Ann sold 7 of the 9 cakes baked by Zorbel. How many cakes are left?",
    "Ann is 6 and her sister July is 4. How old are they together?",
    "Prince sells 5 pens and Ann sells 3. How many pens are sold?",
    "In 3 days, Queen runs 4 miles more than Ann, who runs 2. How far is that?",
]


@pytest.mark.parametrize("text", KEEPS_AN_OLD_NAME)
def test_nobody_keeps_an_old_name(text: str, make_problem: MakeProblem) -> None:
    """A person whose name is in no list, or is also a month or a title, makes the text declined."""
    with pytest.raises(Declined, match="unlisted name"):
        rename(make_problem(text))


@pytest.mark.parametrize(
    "text",
    [
        "Ann reads that 1 Gb has 1024 Mb. How many Mb does Ann have in 3 Gb?",
        "Ann orders tacos. How many Tacos does Ann need for 9 guests?",
        "Ann rolls dice. She'd need 2 more. How many dice has Ann if she has 5?",
        "Ann broke a lamp. Insurance covers 70% of $90. What does Ann pay?",
        "Ann bakes for the Prince and the King. If the King eats 4 of 9 pies, what does Ann keep?",
    ],
)
def test_things_are_no_persons(text: str, make_problem: MakeProblem) -> None:
    """A unit, a careless capital, a contraction, a thing that acts and a bearer of an office leave only Ann."""
    assert only(rename(make_problem(text)))[1].keys() == {"Ann"}


@pytest.mark.parametrize(
    "text",
    [
        "Ann bought 4 Granny Smith apples and 2 pears. How many fruits did Ann buy?",
        "Ann drank 3 cans of Dr. Pepper a day. How many cans did Ann drink in 4 days?",
        "Ann works at Joe's Gym for 3 hours a day. How long does Ann work in 4 days?",
        "Ann watched 4 shows on Johnny TV of 2 hours each. How long did Ann watch?",
    ],
)
def test_brands_with_a_name_in_them_are_declined(text: str, make_problem: MakeProblem) -> None:
    """Half of a brand is never renamed."""
    with pytest.raises(Declined, match="name in a longer name"):
        rename(make_problem(text))


@pytest.mark.parametrize("text", ["Macy's is open, and 3 hats are $6 each.", "Ann got 3 hats from Macy's for $6."])
def test_a_possessive_that_owns_nothing_may_be_a_shop(text: str, make_problem: MakeProblem) -> None:
    """It is not renamed, unless it is compared: "than Macy's"."""
    with pytest.raises(Declined, match="name may be a shop"):
        rename(make_problem(f"{text} What do 2 hats cost?"))
    compared = "Ann's cat is 3 years older than Macy's. If it is 5, how old is Macy's?"
    assert only(rename(make_problem(compared)))[1].keys() == {"Ann", "Macy"}


def test_a_country_that_acts_is_no_person(make_problem: MakeProblem) -> None:
    """India has states, unless India is a girl in a text that speaks of no country."""
    with pytest.raises(Declined, match="name is also a place"):
        rename(make_problem("India has 9 rivers more than the 19 of other countries. How many rivers has India?"))
    assert only(rename(make_problem("India has 9 pens. She buys 2. How many pens does India have?")))[1].keys() == {
        "India"
    }


def test_new_names_look_like_no_other(make_problem: MakeProblem) -> None:
    """No new name starts, or differs in a letter from, or is a form of another new name or an old one."""
    problem = make_problem("Julia has 3 pens, Bob has 2, Anna has 5 and Steven has 4. How many pens do they have?")

    for edit in rename(problem, quota=200):
        names = [*edit.record["names"], *edit.record["names"].values()]
        for name, other in itertools.combinations(names, 2):
            assert not nearly_same(name, other) and not are_forms_of_one_name(name, other)


def test_every_mention_and_nothing_else_changes(make_problem: MakeProblem) -> None:
    """Possessives straight and curly, sentence starts and ends are renamed; all other characters stay."""
    text = "Susan’s cat eats 3 mice.  Did Susan's dog, like SUSAN, want 2? Offering one to (Susan) helps susan."

    renamed, names = only(rename(make_problem(text)))

    new = names["Susan"]
    expected = text.replace("SUSAN", new.upper()).replace("Susan", new).replace("susan", new.lower())
    assert renamed == expected
    assert names.keys() == {"Susan"}


def test_a_name_inside_a_word_is_no_mention(make_problem: MakeProblem) -> None:
    """Tim does not stand in "times", nor Ted in "planted"."""
    text = "Ted planted 3 times as many trees as Tim. Tim planted 4. How many did Ted plant?"

    renamed, names = only(rename(make_problem(text)))

    assert "planted 3 times as many trees" in renamed
    assert names.keys() == {"Ted", "Tim"}
    assert len(set(names.values())) == 2


@pytest.mark.parametrize(
    "text", ["James' hat costs $3.", "The hat of James is blue, not James’ cap.", "Ann is twice James age, which is 4."]
)
def test_a_bare_apostrophe_needs_a_name_in_s(text: str, make_problem: MakeProblem) -> None:
    """Only a name that ends in s can stand before a bare possessive apostrophe."""
    for edit in rename(make_problem(f"{text} What does James pay?"), quota=5):
        assert edit.record["names"]["James"].endswith("s")


@pytest.mark.parametrize(
    ("title", "pool"),
    [
        ("Mr.", "surname"),
        ("Mrs.", "surname"),
        ("Dr.", "surname"),
        ("Uncle", "male"),
        ("Grandma", "female"),
        ("Mr", "surname"),
    ],
)
def test_titles_decide_what_a_name_is(title: str, pool: str, make_problem: MakeProblem) -> None:
    """After Mr. a surname stands for a surname; after Uncle a man's name for a name; the title itself stays."""
    _, names = only(
        rename(make_problem(f"{title} Vandermolen has 3 pens. How many pens does {title} Vandermolen have?"))
    )

    new = names["Vandermolen"]
    assert (new in surnames()) if pool == "surname" else (given_names()[new].gender == pool)


def test_full_names_are_renamed_part_by_part(make_problem: MakeProblem) -> None:
    """First name and surname each have their own substitute, together and alone."""
    text = "Susan Hernandez has 3 pens. Mrs. Hernandez gives Susan 2 more. How many pens has Susan Hernandez?"

    renamed, names = only(rename(make_problem(text)))

    assert names.keys() == {"Susan", "Hernandez"}
    assert names["Hernandez"] in surnames()
    assert renamed == text.replace("Susan", names["Susan"]).replace("Hernandez", names["Hernandez"])


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Will buys 15 pens. How many pens will Will have?", "Will"),
        ("Diane is older than her brother, Will. If Will was 4, how old will she be?", "Will"),
        ("Chase and Helen buy 5 pens. How many does Chase have?", "Chase"),
        ("Rose went to the shop and bought 4 cakes. How many cakes does Rose have?", "Rose"),
        ("May can knit 3 scarves. She bought 2 yarns. How many scarves can May knit?", "May"),
        ("April has 30 pots. She buys 4. How many pots does April have?", "April"),
        ("Bill has a bill of $30. How much does Bill pay?", "Bill"),
        ("Charlotte ran 3 miles. How far did Charlotte run?", "Charlotte"),
        ("Ann has Art class and Summer camp for 3 hours each. How long is that?", "Ann"),
    ],
)
def test_names_that_are_words_are_read_from_the_syntax(text: str, person: str, make_problem: MakeProblem) -> None:
    """A word, month or place that acts as a person is renamed; the same word in lower case stays."""
    renamed, names = only(rename(make_problem(text)))

    assert person in names
    assert not re.search(rf"\b{person}\b", renamed)
    assert renamed.count(person.lower()) == text.count(person.lower())


@pytest.mark.parametrize("text", ["In May, Susan spent $3. In June she spent $4 at Walmart. What did Susan spend?"])
def test_months_and_brands_stay(text: str, make_problem: MakeProblem) -> None:
    """A month is no person, and neither is a shop."""
    renamed, names = only(rename(make_problem(text)))

    assert names.keys() == {"Susan"}
    assert renamed == text.replace("Susan", names["Susan"])


def test_an_unlisted_hero_takes_the_gender_of_his_pronouns(make_problem: MakeProblem) -> None:
    """The only person of a text may have an unknown name if the pronouns all agree."""
    _, names = only(rename(make_problem("Zblorg wants 3 pens. He buys 2. How many more pens does he need?")))

    assert given_names()[names["Zblorg"]].gender == "male"


def test_maths_is_never_touched(make_problem: MakeProblem) -> None:
    """A name inside a formula makes the operator decline; one outside is renamed."""
    outside = make_problem("Susan solves $S = 3$. What does Susan get?", answer_type="math")
    inside = make_problem(r"Susan solves $\text{Susan} = 3$. What is it?", answer_type="math")

    assert "$S = 3$" in only(rename(outside))[0]
    with pytest.raises(Declined, match="name in maths"):
        rename(inside)


def test_an_answer_that_names_a_person_is_declined(make_problem: MakeProblem) -> None:
    """Renaming may not change the gold answer."""
    with pytest.raises(Declined, match="answer names a person"):
        rename(make_problem("Susan has 3 pens and Helen 2. Who has more?", gold="Susan", answer_type="exact"))


def test_quota_gives_distinct_maps(make_problem: MakeProblem) -> None:
    """Ten edits are ten different texts, each undone to the base."""
    problem = make_problem("Susan has 3 pens and Peter 2. How many pens do Susan and Peter have?")

    edits = rename(problem, quota=10)

    assert len({edit.text for edit in edits}) == 10
    assert {RENAME.undo(edit.text, edit.record) for edit in edits} == {problem.text}


def check_real(problems: list[Problem]) -> int:
    """Check the five laws on every item that is renamed; return how many are."""
    n_renamed = 0
    for problem in problems:
        try:
            edits = rename(problem)
        except Declined as reason:
            assert re.fullmatch(r"[a-z -]+", str(reason)), (problem.base_id, str(reason))
            continue
        n_renamed += 1
        text, names = only(edits)
        assert RENAME.undo(text, edits[0].record) == problem.text
        assert len(set(names.values())) == len(names), problem.base_id
        check_no_name_left(problem, text, names)
        check_rest_identical(problem, text, names)
        check_gender(problem, names)
    return n_renamed


def check_no_name_left(problem: Problem, text: str, names: dict[str, str]) -> None:
    """No original name is left in any case, but a word in lower case ("will", "bill") may be."""
    for old in names:
        flags = 0 if old.lower() in LOWER_CASE_LEFT_ALONE else re.IGNORECASE
        assert not re.search(rf"(?<![^\W\d_]){re.escape(old)}(?![^\W\d_])", text, flags), (problem.base_id, old)


def check_rest_identical(problem: Problem, text: str, names: dict[str, str]) -> None:
    """What remains when all names are cut out is the same text, byte for byte."""

    def without(source: str, words: set[str]) -> str:
        joined = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        return re.sub(rf"(?<![^\W\d_])(?:{joined})(?![^\W\d_])", "\0", source, flags=re.IGNORECASE)

    words = {old for old in names if old.lower() not in LOWER_CASE_LEFT_ALONE}
    if words == names.keys():
        assert without(problem.text, words) == without(text, set(names.values())), problem.base_id


def check_gender(problem: Problem, names: dict[str, str]) -> None:
    """A name of known gender is replaced by one of the same gender, unless it stands after a title."""
    for old, new in names.items():
        listed = given_names().get(old)
        titles = re.findall(rf"(\w+)\.? {re.escape(old)}\b", problem.text)
        if (
            listed is not None
            and not any(title.lower() in GENDERED_TITLES for title in titles)
            and new in given_names()
        ):
            assert given_names()[new].gender == listed.gender, (problem.base_id, old, new)


def test_real_test_items_obey_the_laws(gsm8k_test: list[Problem]) -> None:
    """On the GSM8K test split: no name left, all else identical, injective, agreeing; more than half applies."""
    assert check_real(gsm8k_test) > 0.5 * len(gsm8k_test)


@pytest.mark.slow
def test_real_train_items_obey_the_laws(gsm8k_train: list[Problem]) -> None:
    """On the GSM8K train split the same laws hold."""
    assert check_real(gsm8k_train) > 0.5 * len(gsm8k_train)


TRAPS = ("name_prefix_of_other_cap", "answer_depends_on_name_letters", "letter_labels", "name_inside_lowercase_word")


def test_listed_traps_are_renamed_right_or_declined(
    shared: Path, gsm8k_test: list[Problem], gsm8k_train: list[Problem]
) -> None:
    """Every listed trap item is declined with a reason, or obeys the laws of renaming."""
    listed = json.loads((shared / "cases" / "gsm8k_scan2.json").read_text(encoding="utf-8"))
    items = {"test": gsm8k_test, "train": gsm8k_train}

    check_real([items[split][index] for trap in TRAPS for split, index, _ in listed[trap]])
    for split, index, _ in listed["answer_depends_on_name_letters"]:
        with pytest.raises(Declined, match="letters of a name matter"):
            rename(items[split][index])
    for split, index, pair in listed["name_prefix_of_other_cap"]:
        check_prefix(items[split][index], pair)


def check_prefix(problem: Problem, pair: list[str]) -> None:
    """One of two look-alike names is never renamed without the other."""
    try:
        _, names = only(rename(problem))
    except Declined:
        return
    assert not names.keys() & set(pair), problem.base_id
