"""Which sentence needs which before it, and the orders that respect it."""

from __future__ import annotations

import random

from glass_pipeline.domain.twins.precedence import orders, precedence


def test_a_definite_phrase_needs_what_introduces_it() -> None:
    """Saying "the crate" needs the crate, "the 4 games" the games, "the weather" all of it, "the park" nothing."""
    setup = [
        "Ann owns a crate.",
        "Bo won 4 games.",
        "The crate is red.",
        "Cy won each of the 4 games.",
        "The weather is fine.",
    ]

    assert precedence(setup) == [set(), set(), {0}, {1}, {0, 1, 2, 3}]
    assert precedence(["Ann owns a crate.", "Bo runs in the park."]) == [set(), set()]


def test_a_group_is_told_of_before_its_members() -> None:
    """Whoever is named after "Three friends" is one of them, so that sentence stays first."""
    assert precedence(["Three friends ate a total of 9 plums.", "Bo ate 4 plums.", "Cy ate 5 plums."]) == [
        set(),
        {0},
        {0},
    ]
    assert precedence(["The mean age of three friends is 40.", "Bo is 4.", "Cy is 5."]) == [set(), {0}, {0}]


def test_every_order_that_respects_the_needs_is_found() -> None:
    """Of 3! = 6 orders of three sentences one half keeps 0 before 2; the given one is none of the others."""
    found = list(orders(3, [set(), set(), {0}], random.Random(7), quota=10))

    assert sorted(found) == [(0, 2, 1), (1, 0, 2)]
