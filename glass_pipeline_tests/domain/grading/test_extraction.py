"""Extraction: which rule finds the answer, and what becomes of replies without one."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.grading.extraction import RULES, extract
from glass_pipeline.domain.records import TERMINAL_STATUSES

MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        ("#### 1\nThe answer is 2, so \\boxed{3}", "3", "boxed"),
        ("So \\boxed{\\frac{1}{2}} it is", "0.5", "boxed"),
        ("At first \\boxed{5}. No: \\boxed{7}.", "7", "boxed"),
        ("\\fbox{42}", "42", "boxed"),
        ("\\boxed 42", "42", "boxed"),
        ("I put the answer in \\boxed{}: #### 6", "6", "hashes"),
        ("The answer is 4.\n#### 6", "6", "hashes"),
        ("####6", "6", "hashes"),
        ("#### 1\nNo, wait.\n#### 6 ####", "6", "hashes"),
        ("####\n\n6", "6", "hashes"),
        ("#### Step 1: add\n2 + 3 = 5\n#### Step 2: double\n5 * 2 = 10", "10", "last_number"),
        ("#### 1. Add\n2 + 3\n\nThat makes 5.", "5", "last_number"),
        ("Answer: 18\nDouble check: 18 / 2 = 9", "18", "answer_line"),
        ("Answer: 5\nno, again\n**Answer:** 9", "9", "answer_line"),
        ("The final answer is 18. I hope it is correct in 2 ways.", "18", "answer_line"),
        ("The answer is 3.14", "3.14", "answer_line"),
        ("The answer to the question is: 18 apples", "18", "answer_line"),
        ("**Answer: $18**", "18", "answer_line"),
        ("Answer:\n- 18 pears", "18", "answer_line"),
        ("ans = 18", "18", "answer_line"),
        ("Answer: Ann picks 3 pears and 4 plums.\nThat is 3 + 4 = 7 pieces.", "7", "last_number"),
        ("I hope my answer is right.\nShe has 12 left.", "12", "last_number"),
        ("<answer> 18 </answer>", "18", "answer_tag"),
        ("21 + 32 = 53\nThat settles it.", "53", "last_number"),
        ("- 18 pears", "18", "last_number"),
        ("Ann has 2 * 8 = <<2*8=16>>16 pears.", "16", "last_number"),
        ("<think>it is 3, or 4</think>The answer is 7.", "7", "answer_line"),
        ("it is 3, or 4</think>The answer is 7.", "7", "answer_line"),
        ("#### 3\n\nQuestion: Bo has 7 figs.\n#### 7", "3", "hashes"),
        ("3 pears\nQ: Bo has 7 figs?\nA: 7", "3", "last_number"),
        ("Question: how many pears?\nAnswer: 5", "5", "answer_line"),
        ("The total is 0.", "0", "last_number"),
    ],
)
def test_rules_are_tried_in_order(text: str, answer: str, rule: str) -> None:
    """A box beats ####, #### beats an answer line, a line beats a tag, and prose comes last."""
    found = extract(text, answer_type="numeric")
    assert (found.answer, found.rule, found.status) == (answer, rule, "ok")


@pytest.mark.parametrize(
    ("text", "finish_reason", "status"),
    [
        ("#### 18", "length", "length"),
        ("#### 18", "content_filter", "content_filter"),
        ("<think>that makes 18", None, "length"),
        ("", "stop", "empty"),
        (" \n ", None, "empty"),
        ("<think>hm</think>", None, "empty"),
        ("I'm sorry, but I can't help with that.", "stop", "refusal"),
        ("I cannot assist with this request of 2 parts.", "stop", "refusal"),
        ("The answer is \\boxed{1", None, "unparsed"),
        ("\\boxed{}", None, "unparsed"),
        ("####", None, "unparsed"),
        ("First 5 * 4 = 20. Then 20 + 7 =", None, "unparsed"),
        ("Nobody is left.", None, "unparsed"),
        ("\\boxed{\\text{Tom}} #### 4", None, "unparsed"),
        ("The answer is 5 apples and 3 oranges.", None, "ambiguous"),
        ("#### 2:1", None, "ambiguous"),
        ("The answer is >= 42", None, "ambiguous"),
    ],
)
def test_what_gives_no_answer_says_why(text: str, finish_reason: str | None, status: str) -> None:
    """Every reply without an answer has a terminal status, and no answer."""
    found = extract(text, answer_type="numeric", finish_reason=finish_reason)
    assert (found.answer, found.status) == (None, status)
    assert status in TERMINAL_STATUSES


def test_a_cut_off_reply_still_shows_what_would_have_been_read() -> None:
    """The span and the rule survive a length stop."""
    found = extract("so #### 18", answer_type="numeric", finish_reason="length")
    assert (found.span, found.rule) == ("18", "hashes")


@pytest.mark.parametrize(
    "text",
    [
        "I cannot tell who won, but 5 are left.",
        "I'm sorry, I slipped: the answer is 5.",
        "Unfortunately, only 5 remain.",
    ],
)
def test_an_apology_with_an_answer_is_no_refusal(text: str) -> None:
    """Refusals are recognised only by what they refuse."""
    assert extract(text, answer_type="numeric").answer == "5"


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        ("so it is $\\frac{3}{4}$.", "0.75", "last_math"),
        ("hence \\(x = 2\\sqrt2\\)", "2\\sqrt{2}", "last_math"),
        ("We have $x+y = 10$ so the answer is $1$", "1", "answer_line"),
        ("It cost $4, then $4 more, hence $8.", "8", "last_number"),
        ("A. because B fails", "A", "label"),
        ("The answer is $x^2$ as shown above", "x^2", "answer_line"),
        ("The answer is \\(\\frac12\\) for both", "0.5", "answer_line"),
        ("The answer is therefore simply 5 units", "5", "answer_line"),
        ("The answer is correct because of symmetry.\nSo $y = 3$.", "3", "last_math"),
        ("#### Result\nThe value is $7$.", "7", "last_math"),
        ("#### \\frac{3}{4}", "0.75", "hashes"),
        ("Answer: $\\$18$", "18", "answer_line"),
        ("Answer: \\text{even}", "even", "answer_line"),
        ("\\boxed{12 \\text{ and } 13}", "12, 13", "boxed"),
    ],
)
def test_math_replies(text: str, answer: str, rule: str) -> None:
    """Without a marker, a closing formula counts before a bare number; dollars of money are no formula."""
    found = extract(text, answer_type="math")
    assert (found.answer, found.rule) == (answer, rule)


@pytest.mark.parametrize(
    ("text", "answer", "status"),
    [
        ("B", "B", "ok"),
        ("(b)", "B", "ok"),
        ("B. because it floats", "B", "ok"),
        ("A dog can swim. The answer is (C).", "C", "ok"),
        ("So the best choice is D.", "D", "ok"),
        ("It is either A or B", None, "ambiguous"),
        ("The answer is A dog", None, "unparsed"),
        ("no idea", None, "unparsed"),
    ],
)
def test_choice_replies(text: str, answer: str | None, status: str) -> None:
    """A label stands alone, in brackets, or before a full stop; the article A is none."""
    found = extract(text, answer_type="choice")
    assert (found.answer, found.status) == (answer, status)


def test_text_replies_fall_back_to_the_last_line() -> None:
    """Without a marker the last line is the answer."""
    found = extract("Let me think.\n  Lisbon. ", answer_type="exact")
    assert (found.answer, found.rule) == ("lisbon", "last_line")


HOSTILE = {
    "open boxes": "\\boxed{" * (MEGABYTE // 7),
    "braces": "\\boxed{" + "{" * MEGABYTE,
    "hashes": "#### " * (MEGABYTE // 5),
    "blank lines after hashes": "####\n" * 20 + "\n" * MEGABYTE,
    "answers": "answer to " * (MEGABYTE // 10),
    "answer lines": "answer:\n" * (MEGABYTE // 8),
    "thoughts": "<think>" * (MEGABYTE // 7),
    "annotations": "<<aaaaaaa" * (MEGABYTE // 9),
    "digits": "answer is " + "1" * MEGABYTE,
    "groups": "answer is " + "1,111" * (MEGABYTE // 5),
    "fractions": "\\boxed{" + "\\frac" * (MEGABYTE // 5) + "}",
    "roots": "\\boxed{" + "\\sqrt{" * (MEGABYTE // 6) + "}" * (MEGABYTE // 6) + "}",
    "stars": "answer is " + "!*" * (MEGABYTE // 2),
    "dollars": "$" * MEGABYTE,
    "tags": "<answer>" * (MEGABYTE // 8),
    "ligatures": "answer is " + "ﷺ" * MEGABYTE,
    "lines": "x 1\n" * (MEGABYTE // 4),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("answer_type", ["numeric", "math"])
def test_a_megabyte_of_hostile_text_is_read_in_linear_time(name: str, answer_type: str) -> None:
    """No pattern backtracks: a megabyte takes well under the seconds that a quadratic scan of it would."""
    started = time.process_time()
    extract(HOSTILE[name], answer_type=answer_type)  # type: ignore[arg-type]
    assert time.process_time() - started < 2.0


@given(st.text(max_size=200), st.sampled_from(["numeric", "math", "choice", "exact"]))
def test_any_reply_has_a_rule_and_a_status(text: str, answer_type: str) -> None:
    """An answer comes with the status ok and never without it."""
    found = extract(text, answer_type=answer_type)  # type: ignore[arg-type]
    assert found.rule in RULES
    assert found.status == "ok" or found.status in TERMINAL_STATUSES
    assert (found.answer is not None) == (found.status == "ok")
