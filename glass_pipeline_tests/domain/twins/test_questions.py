"""Which sentences ask, and which questions carry data."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins.questions import asks, carries_data, question_indices
from glass_pipeline.domain.twins.segmentation import split_sentences

ASKING = (
    "How many pens are left?",
    "Find the number of pens.",
    "Calculate Bo's share.",
    "Please compute the sum of both.",
    "If Bo has 3 pens, calculate the cost of all.",
    "If tax is 5% how much did everything cost.",
    "What is the price of one pen.",
    "Expand $(x+1)^2$.",
    'He said, "Is it 5?"',
)
STATING = (
    "Bo has 3 pens.",
    "Bo counts how many pens are in the box.",
    "Bo asked how many pens were sold.",
    "What she found is that pens cost $3.",
    "Whatever he earns, he saves half.",
    "Finding pens is easy.",
)


@pytest.mark.parametrize("sentence", ASKING)
def test_questions_and_orders_ask(sentence: str) -> None:
    """A question mark asks, and so does an order without one."""
    assert asks(sentence)


@pytest.mark.parametrize("sentence", STATING)
def test_statements_do_not_ask(sentence: str) -> None:
    """A reported question and a free relative clause ask nothing."""
    assert not asks(sentence)


def test_a_plain_question_outranks_an_embedded_one() -> None:
    """Where some sentence asks openly, "how many … are" elsewhere is part of a statement."""
    assert question_indices(["The staff wants how many lions are fed.", "How many are there?"]) == (1,)
    assert question_indices(["A box holds 4 pens.", "With 2 boxes how many pens do they hold."]) == (1,)


def test_a_question_with_a_quantity_or_a_condition_carries_data() -> None:
    """A question that states something is not just a question."""
    assert carries_data("If he works 45 hours, how much does he earn?")
    assert carries_data("How much do twelve pens cost?")
    assert not carries_data("How much does the lamp cost?")


def test_nearly_every_real_item_asks_exactly_once(gsm8k_test: list[Problem], gsm8k_train: list[Problem]) -> None:
    """At most 15 of 8,792 GSM8K items are found to ask not exactly once."""
    odd = [p.base_id for p in gsm8k_test + gsm8k_train if len(question_indices(split_sentences(p.text))) != 1]

    assert len(odd) <= 15, odd
