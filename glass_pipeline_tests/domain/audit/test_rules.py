"""The rules, one trap at a time."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.audit.case import Case
from glass_pipeline.domain.audit.rules import DROP_RULES, FLAG_RULES, rule

BASE = "Susan has 3 pens. On Monday Peter buys 4 pens. How many pens do Susan and Peter own?"


def case(
    *inserted: str, base: str = BASE, gold: str = "7", new_names: tuple[str, ...] = (), is_base_kept: bool = True
) -> Case:
    """Build the case of sentences put before the base."""
    return Case(
        base_text=base,
        twin_text=" ".join([*inserted, base]),
        gold=gold,
        inserted=inserted,
        new_names=new_names,
        is_base_kept=is_base_kept,
    )


@pytest.mark.parametrize(
    ("inserted", "is_wrong"),
    [
        ("Peter ran 9 miles.", True),
        ("The aunt of Peter’s friend ran 9 miles.", True),
        ("Oscar met PETER.", True),
        ("Oscar ran 9 miles on Monday.", False),
        ("How Oscar ran 9 miles is known.", False),
    ],
)
def test_entity_collision(inserted: str, is_wrong: bool) -> None:
    """A proper noun of the base in inserted text collides; a weekday or a sentence opener does not."""
    assert DROP_RULES["entity_collision"](case(inserted)) is is_wrong


@pytest.mark.parametrize(("name", "is_wrong"), [("Peter", True), ("Pens", True), ("Oscar", False), ("Mr Peter", True)])
def test_new_names_collide_with_any_word_of_the_base(name: str, is_wrong: bool) -> None:
    """A new name that is already a word of the base could be mistaken for it."""
    assert DROP_RULES["entity_collision"](case(new_names=(name,))) is is_wrong


@pytest.mark.parametrize(
    ("gold", "inserted", "is_wrong"),
    [
        ("1000", "Oscar has 1,000 kites.", True),
        ("1,000", "Oscar has one thousand kites.", True),
        ("3.0", "Oscar has 3 kites.", True),
        ("5", "Oscar has 15 kites.", False),
        ("5", "Oscar came 5th.", False),
        ("24", "Oscar has two dozen kites.", True),
        ("-5", "It was -5 degrees.", True),
        (r"\frac{1}{2}", "Oscar ate 1/2 of a pie.", True),
        ("Ben", "Oscar met Ben.", True),
        ("Ben", "Oscar met Benjamin.", False),
        ("A", "A kite is red.", False),
    ],
)
def test_gold_number(gold: str, inserted: str, is_wrong: bool) -> None:
    """The gold answer is found as a value on word boundaries; a gold in words as a phrase."""
    assert DROP_RULES["gold_number"](case(inserted, gold=gold)) is is_wrong


@pytest.mark.parametrize(
    ("inserted", "is_wrong"),
    [
        ("How many kites has Oscar?", True),
        ("Find the kites of Oscar.", True),
        ("Oscar has 9 kites.", False),
        ("Oscar counts how many kites are red.", False),
    ],
)
def test_multi_question(inserted: str, is_wrong: bool) -> None:
    """A second question, with or without a question mark, is one too many."""
    assert DROP_RULES["multi_question"](case(inserted)) is is_wrong


def test_a_base_with_two_questions_is_no_fault_of_the_twin() -> None:
    """Only a question that the twin adds counts."""
    assert not DROP_RULES["multi_question"](case("Oscar has 9 kites.", base="Who is it? How many pens are there?"))


@pytest.mark.parametrize(
    ("inserted", "is_flagged"),
    [
        ("Oscar has 9 pens.", True),
        ("Oscar ran 9 miles.", False),
        ("Oscar paid $9.", False),
        ("Oscar likes pens.", False),
    ],
)
def test_unit_compatible(inserted: str, is_flagged: bool) -> None:
    """A quantity of what the question counts is flagged."""
    assert FLAG_RULES["unit_compatible"](case(inserted)) is is_flagged


def test_only_drop_rules_drop() -> None:
    """A flagged twin is kept; a twin with two faults names both, in the order of the rules."""
    flagged = rule(case("Oscar has 9 pens."))
    faulty = rule(case("Does Peter have 9 kites?", is_base_kept=False))

    assert flagged.keep and flagged.verdicts["unit_compatible"] and flagged.reasons == ()
    assert not faulty.keep
    assert faulty.reasons == ("entity_collision", "multi_question", "altered_base")
