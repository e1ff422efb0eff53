"""Strata come from questions, or from the source's own categories, never from results."""

from __future__ import annotations

from dataclasses import replace

from glass_pipeline.domain.arc_lab.items import ChoiceItem
from glass_pipeline.domain.arc_lab.strata import CATEGORY_RULE, strata_of


def item(question: str) -> ChoiceItem:
    """An item with this question."""
    return ChoiceItem(id=question, question=question, labels=("A", "B"), choices=("a", "b"), answer_index=0)


def test_form_is_the_first_question_word_and_length_a_third() -> None:
    """2, 3, 3, 4, 5 and 6 words: thirds are cut at 3 and 4.33, equal lengths stay together."""
    questions = ("Why rain?", "What is rain?", "Is it rain?", "Rain falls. Why so?")
    longer = ("How and why is rain?", "Say which of these is rain.")

    found = strata_of([item(each) for each in (*questions, *longer)])
    assert found.names == ("why/short", "what/short", "other/short", "why/medium", "how/long", "which/long")
    assert len(found.rule) == 64


def test_a_word_inside_another_is_no_question_word() -> None:
    """'somewhat' and 'whichever' are not."""
    assert strata_of([item("Somewhat wet, whichever it is.")]).names[0].startswith("other/")


def test_categories_win_where_all_items_have_one() -> None:
    """One item without a category, and the rules file decides for all."""
    items = [replace(item("Why rain?"), category="weather"), replace(item("What is sand?"), category="soil")]

    assert strata_of(items) == (("weather", "soil"), CATEGORY_RULE)
    assert strata_of([*items, item("Which?")]).rule != CATEGORY_RULE
