"""What users of other tools reported on splitting and reordering: each case by its id, on the items that it names."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path

import pytest

from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.twins.distractors import DistractorIndex
from glass_pipeline.domain.twins.operator import Declined, Draw
from glass_pipeline.domain.twins.questions import carries_data, question_indices
from glass_pipeline.domain.twins.segmentation import sentences_of, split_sentences
from glass_pipeline.domain.twins.sentence_reorder import SentenceReorder

MakeProblem = Callable[..., Problem]
Items = Mapping[str, Problem]

TITLE = re.compile(r"(?<!&)\b(?:Mr|Mrs|Ms|Dr)\.$")
OPENING = re.compile(r"(?:He|She|They|It|This|These|His|Her|Their|Its)\b")
REMAINDER = re.compile(r"\b(?:rest|remaining|the other)\b", re.IGNORECASE)
SEQUENCE = re.compile(r"\b(?:then|after|next|later|finally)\b", re.IGNORECASE)
ORDINAL = re.compile(r"\b(?:first|second|third|last|former|latter|respectively)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def items(gsm8k_test: list[Problem], gsm8k_train: list[Problem]) -> Items:
    """The GSM8K items by "split:index"."""
    return {problem.base_id: problem for problem in gsm8k_test + gsm8k_train}


@pytest.fixture(scope="module")
def traps(shared: Path, gsm8k_test: list[Problem]) -> Callable[[str], list[Problem]]:
    """The GSM8K test items of one trap, by its name in the index lists."""
    lists = json.loads((shared / "cases" / "gsm8k_operator_traps.json").read_text(encoding="utf-8"))
    return lambda name: [gsm8k_test[index] for index in lists[name]["test"]]


def orders_or_reason(problem: Problem) -> list[list[int]] | str:
    """Return the orders that the operator makes of a problem, or why it makes none."""
    draw = Draw(quota=10, dose=1, distractors=DistractorIndex(()), rng=random.Random(problem.base_id))
    try:
        return [list(edit.record["order"]) for edit in SentenceReorder().edits(problem, draw)]
    except Declined as declined:
        return str(declined)


def sentences_beside(problem: Problem, mark: str) -> list[str]:
    """Return the sentences that hold a mark."""
    return [sentence for sentence in split_sentences(problem.text) if mark in sentence]


@pytest.mark.parametrize(
    ("item", "inside", "n"),
    [
        ("test:680", "700 kg.", 3),
        ("test:895", "55 kg.", 5),
        ("test:510", "lbs. by", 3),
        ("test:510", "vs. calories", 3),
    ],
)
def test_unit_dots(item: str, inside: str, n: int, items: Items) -> None:
    """fc-053: a unit's dot ends a sentence before a capital and none before a lower-case word."""
    pieces = split_sentences(items[item].text)
    (held,) = sentences_beside(items[item], inside)

    assert len(pieces) == n
    assert held.rstrip().endswith(inside) is inside.endswith("kg.")
    assert split_sentences("A plank is 8 ft. long and 4 in. wide.") == ("A plank is 8 ft. long and 4 in. wide.",)


def test_clock_dots(items: Items) -> None:
    """fc-054: a.m. and p.m. end a sentence only where the next word starts one."""
    assert len(split_sentences(items["test:292"].text)) == 2
    assert len(sentences_beside(items["test:953"], "10 p.m. and wakes up at 6 a.m.")) == 1
    assert len(sentences_beside(items["test:953"], "to 2:38 am.")) == 1
    assert len(split_sentences(items["test:953"].text)) == 6


def test_versus(items: Items) -> None:
    """fc-055: "vs." ends no sentence, even before a capital."""
    assert sentences_beside(items["test:935"], "3000 vs. the WidgetMaster")
    assert len(split_sentences("Bo rates the Kite 20 vs. Ann's Kite 30.")) == 1


@pytest.mark.parametrize(("item", "n"), [("test:32", 3), ("test:89", 4), ("test:109", 3)])
def test_leading_dot_decimals(item: str, n: int, items: Items) -> None:
    """fc-056: no sentence ends at a decimal point, with or without a digit before it."""
    assert len(split_sentences(items[item].text)) == n


def test_no_sentence_starts_inside_a_decimal(traps: Callable[[str], list[Problem]]) -> None:
    """fc-056: of all items with a leading-dot decimal none is cut at it."""
    assert len(traps("leading_dot_decimal")) == 11
    for problem in traps("leading_dot_decimal"):
        assert not any(re.match(r"\d", after) and before.endswith(".") for before, after in _cuts(problem)), (
            problem.base_id
        )


def test_quoted_ends(items: Items) -> None:
    """fc-057: a quotation stays in one piece and the sentence ends behind its closing quote."""
    for item in ("test:410", "test:587"):
        (quoting,) = sentences_beside(items[item], '"')
        assert quoting.rstrip().endswith('."'), item


def test_a_sentence_may_start_in_lower_case(items: Items) -> None:
    """fc-059: a full stop ends a sentence although the next starts in lower case, and such an item is not reordered."""
    assert [piece[:10] for piece in split_sentences(items["test:1288"].text)][-1] == "in 4 weeks"
    assert isinstance(orders_or_reason(items["test:1288"]), str)


@pytest.mark.parametrize(
    ("item", "inside", "n"),
    [("train:119", "P.E. class", 2), ("train:2337", "P.T.O. decided", 7), ("train:2755", "A.T. Cross Luxury", 3)],
)
def test_initialisms(item: str, inside: str, n: int, items: Items) -> None:
    """fc-060: an initialism is no end of a sentence."""
    assert sentences_beside(items[item], inside)
    assert len(split_sentences(items[item].text)) == n


def test_a_degree_may_end_a_sentence(items: Items) -> None:
    """fc-060: "Ph.D." before a capital ends a sentence where it stands last, and none before a noun in lower case."""
    pieces = split_sentences(items["train:3592"].text)

    assert [piece.rstrip()[-5:] for piece in pieces[:2]] == ["gram.", "Ph.D."]
    assert len(pieces) == 4


def test_titles_stay_with_their_names(traps: Callable[[str], list[Problem]]) -> None:
    """Of the 28 items with a dotted title or abbreviation none is cut behind a title."""
    assert len(traps("title_or_abbrev")) == 28
    for problem in traps("title_or_abbrev"):
        assert not any(TITLE.search(before) for before, _ in _cuts(problem)), problem.base_id


def test_money_is_not_maths(traps: Callable[[str], list[Problem]]) -> None:
    """In the 114 items with capitals between two dollar signs the sentences between the amounts are told apart."""
    merged = [p.base_id for p in traps("two_dollar_signs_look_like_latex_with_name") if _ends_within_sentence(p)]

    assert len(traps("two_dollar_signs_look_like_latex_with_name")) == 114
    assert not merged


def test_lists_are_not_reordered(make_problem: MakeProblem) -> None:
    """fc-063: an enumerator stays with its item, and a list is declined."""
    text = "A bag holds 60 caps:\n1. 10 are red.\n2. 20 are blue.\nHow many caps are of neither colour?"

    assert split_sentences(text)[1:3] == ("1. 10 are red.\n", "2. 20 are blue.\n")
    assert orders_or_reason(make_problem(text)) == "list"


@pytest.mark.parametrize("item", ["test:0", "test:2", "test:3"])
def test_an_anaphor_that_opens_a_sentence_is_declined(item: str, items: Items) -> None:
    """fc-065: the named items, in which a later sentence opens with a pronoun, have no twin."""
    assert orders_or_reason(items[item]) == "opening pronoun"


def test_no_opening_anaphor_is_moved(traps: Callable[[str], list[Problem]]) -> None:
    """fc-065: of the 484 items of the list those whose setup has a sentence that opens with a pronoun have no twin."""
    listed = traps("sentence_starts_with_pronoun")
    opening = [problem for problem in listed if any(OPENING.match(core) for core in _setup(problem)[1:])]

    assert len(listed) == 484
    assert len(opening) > 400
    assert [p.base_id for p in opening if not isinstance(orders_or_reason(p), str)] == []


@pytest.mark.parametrize("item", ["test:138", "test:19", "test:8"])
def test_order_words_are_declined(item: str, items: Items) -> None:
    """fc-066: the named items, told in the order of happening, have no twin."""
    assert isinstance(orders_or_reason(items[item]), str)


@pytest.mark.parametrize(
    ("trap", "word"),
    [("rest_remaining", REMAINDER), ("sequence_word", SEQUENCE), ("ordinal_or_former_latter", ORDINAL)],
)
def test_no_order_word_is_moved(trap: str, word: re.Pattern[str], traps: Callable[[str], list[Problem]]) -> None:
    """fc-066: items of the lists of order words have no twin where such a word stands in the setup."""
    bearing = [problem for problem in traps(trap) if any(word.search(core) for core in _setup(problem))]

    assert len(bearing) > 40
    assert [p.base_id for p in bearing if not isinstance(orders_or_reason(p), str)] == []


@pytest.mark.parametrize("item", ["test:285", "test:162", "test:77"])
def test_one_sentence_has_no_other_order(item: str, items: Items) -> None:
    """fc-068: a problem of one sentence is not applicable; no copy of it counts as a twin."""
    assert orders_or_reason(items[item]) == "no setup sentence"


def test_all_one_sentence_items_are_declined(traps: Callable[[str], list[Problem]]) -> None:
    """fc-068: all 16 items of the list are declined as having nothing to reorder."""
    reasons = [orders_or_reason(problem) for problem in traps("one_sentence_total")]

    assert len(reasons) == 16
    assert set(reasons) <= {"no setup sentence", "one setup sentence"}


@pytest.mark.parametrize(("item", "place"), [("test:30", 1), ("test:45", 4), ("test:1096", 3)])
def test_questions_are_found_without_their_mark(item: str, place: int, items: Items) -> None:
    """fc-069: "Calculate …" is a question, and so is one that a remark follows; then nothing is moved."""
    cores = [sentence.core for sentence in sentences_of(items[item].text)]

    assert question_indices(cores) == (place,)
    if place != len(cores) - 1:
        assert orders_or_reason(items[item]) == "question not last"


def test_items_without_a_question_mark_keep_their_question(traps: Callable[[str], list[Problem]]) -> None:
    """fc-069: in the 60 items without a question mark a question is found in all but two, which are declined."""
    listed = traps("no_question_mark")
    found = [question_indices([sentence.core for sentence in sentences_of(problem.text)]) for problem in listed]

    assert len(listed) == 60
    assert sum(not places for places in found) <= 2
    for problem in (problem for problem, places in zip(listed, found, strict=True) if not places):
        assert orders_or_reason(problem) == "no question found"


@pytest.mark.parametrize("item", ["test:9", "test:13"])
def test_a_question_may_carry_data(item: str, items: Items) -> None:
    """fc-070: facts in the question sentence count, and it stays last in what is made."""
    assert carries_data(sentences_of(items[item].text)[-1].core)


def test_data_carrying_questions_stay_last(traps: Callable[[str], list[Problem]]) -> None:
    """fc-070: of the 402 items of the list every twin keeps the question sentence in its place."""
    listed = traps("question_sentence_carries_data(if…)")
    made = {problem.base_id: (problem, orders_or_reason(problem)) for problem in listed}

    assert len(listed) == 402
    assert sum(isinstance(orders, list) for _, orders in made.values()) > 20
    for problem, orders in made.values():
        if isinstance(orders, list):
            assert {len(order) for order in orders} == {len(sentences_of(problem.text)) - 1}


@pytest.mark.parametrize("item", ["test:0", "test:306"])
def test_running_state_is_declined(item: str, items: Items) -> None:
    """fc-071: where the order of operations is the meaning nothing is moved."""
    assert isinstance(orders_or_reason(items[item]), str)


def _setup(problem: Problem) -> list[str]:
    return [sentence.core for sentence in sentences_of(problem.text)[:-1]]


def _cuts(problem: Problem) -> list[tuple[str, str]]:
    pieces = [piece.rstrip() for piece in split_sentences(problem.text)]
    return list(pairwise(pieces))


def _ends_within_sentence(problem: Problem) -> bool:
    return any(re.search(r"[a-z]{4,}\.\s+[A-Z][a-z]", piece.rstrip()) for piece in split_sentences(problem.text))
