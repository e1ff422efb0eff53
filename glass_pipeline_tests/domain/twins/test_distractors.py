"""Which sentences can stand anywhere, and the index of a pool of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins.distractors import DistractorIndex, harvest, proper_nouns
from glass_pipeline.domain.twins.self_contained import is_self_contained

MakeProblem = Callable[..., Problem]

LEANING = {
    "question": "How many pens does Ann own?",
    "order": "Calculate the 3 pens of Ann.",
    "open pronoun": "She has 3 pens in a box.",
    "pronoun for a thing": "Oscar has 3 pens and likes them.",
    "no person": "A box holds 12 pens.",
    "unknown person": "Zblorg has 3 red pens.",
    "place that is a name": "Austin has 3 large parks.",
    "no quantity": "Oscar likes red pens a lot.",
    "order word": "Oscar then buys 3 red pens.",
    "remainder": "Oscar sells the remaining 3 pens.",
    "running state": "Oscar now has 3 red pens.",
    "definite": "Oscar sold the 3 red pens.",
    "ellipsis": "Oscar has 3 more than Ingrid.",
    "condition": "If Oscar has 3 pens, fine.",
    "second person": "Oscar gives you 3 red pens.",
    "total": "Oscar has 3 pens in total.",
    "quotation": 'Oscar says "I have 3 pens".',
    "formula": r"Oscar has \frac{1}{2} pens left.",
    "no full stop": "Oscar has 3 red pens",
    "too short": "Oscar is 3.",
    "two lines": "Oscar has 3\nred pens today.",
}


def test_a_fact_about_a_named_person_stands_alone(pool: list[Distractor]) -> None:
    """Every sentence of the toy pool can stand anywhere."""
    assert all(is_self_contained(distractor.text) for distractor in pool)


@pytest.mark.parametrize("sentence", LEANING.values(), ids=LEANING)
def test_a_leaning_sentence_does_not(sentence: str) -> None:
    """A sentence that asks, points or leaves open who it is about cannot."""
    assert not is_self_contained(sentence)


def test_harvest_names_source_and_place(make_problem: MakeProblem) -> None:
    """Of a problem's sentences only the self-contained setup is taken, with its index."""
    problem = make_problem("Oscar has 14 red kites. He buys 2 more. How many kites has he?", base_id="src-9")

    assert harvest([problem]) == [Distractor(source_id="src-9", position=0, text="Oscar has 14 red kites.")]


def test_index_ignores_order_repeats_and_leaning_sentences(pool: list[Distractor]) -> None:
    """The index of a shuffled pool with repeats and a question is the index of the pool."""
    noise = [
        Distractor(source_id="z", position=1, text=text) for text in (pool[0].text, "How many has he?", "He has 3.")
    ]

    plain, noisy = DistractorIndex(pool), DistractorIndex([*reversed(pool), *noise])

    assert [entry.source for entry in plain] == [entry.source for entry in noisy]
    assert len(plain) == len(pool)


def test_proper_nouns_leave_the_calendar_out() -> None:
    """Days and months are no names (methods §3.4); sentence openers are none either."""
    assert proper_nouns("On Monday Oscar's aunt met Zblorg in May. Every day is fun.") == {"oscar", "zblorg"}


def test_a_real_pool_is_large_enough(gsm8k_train: list[Problem]) -> None:
    """GSM8K train yields more than a thousand sentences, none of them asking or pointing."""
    found = harvest(gsm8k_train)

    assert len(found) > 1_000
    assert all(distractor.text.endswith(".") and "?" not in distractor.text for distractor in found)
