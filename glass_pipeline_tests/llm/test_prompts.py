"""Tests of the versioned prompts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.records import ItemFacts, Question
from glass_pipeline.llm import prompts
from glass_pipeline.llm.prompts import PromptError, prompt_versions, render

Make = Callable[..., Any]

FROZEN = {
    "arithmetic-fewshot-v1": "4d604dbdc6bdcd4692d7931a7b43064602615ebc0c9e6252907241605a71ed53",
    "noop-audit-v1": "bb27daa5f4adcb3ed116870d403b860a8e2d9dd3b3680da98a1348719bae8935",
    "write-entity-rename-v1": "7a5a52ebfcfa8fe8a39d4187000c2763e28f79be6071badbcd799a63448a750c",
    "write-math-irrelevant-context-v1": "256b99776b7c865faceb3300e0768c7e3fe410fd7f33635ca3856deba682834f",
    "write-sentence-reorder-v1": "3a709d801f8a42ae705b628f9cb72b314da7ab214b26c71478efcbd3a5513c08",
    "zero-shot-v1": "0a2b91f7c7e8eb4f22b071b4fb723e166ffb6aa0473d767d8fe3358ae7ff9bcb",
}
"""sha256 of each prompt that answers were asked with."""


@pytest.mark.parametrize("version", FROZEN)
def test_prompt_is_never_edited(version: str) -> None:
    """A prompt keeps its bytes for ever: a change is a new version under a new name, with its own line here."""
    text = (files(prompts) / f"{version}.txt").read_bytes()

    assert hashlib.sha256(text).hexdigest() == FROZEN[version]


@pytest.mark.parametrize(
    ("answer_type", "asked_for"), [("numeric", "#### n"), ("math", r"\boxed{}"), ("choice", "#### X")]
)
def test_zero_shot_asks_for_the_form_of_the_answer(answer_type: str, asked_for: str, make_question: Make) -> None:
    """Each answer type is asked for in the form that its extractor looks for first, in one user turn."""
    question = make_question(3, answer_type=answer_type)

    (message,) = render("zero-shot-v1", question)

    assert message.role == "user"
    assert asked_for in message.content
    assert message.content.endswith(question.text)


def test_a_prompt_is_written_out_with_its_place_for_the_problem() -> None:
    """A reader sees every turn that a solver sees, and nothing where the prompt has none for an answer type."""
    text = prompts.written("arithmetic-fewshot-v1", "numeric")

    assert text.startswith("[system] ")
    assert text.count("[assistant] ") == 8
    assert text.rpartition("[user] ")[2].count("{problem}") == 1
    assert prompts.written("arithmetic-fewshot-v1", "choice") == ""


def test_few_shot_shows_answers_in_turns(make_question: Make) -> None:
    """Worked examples are turns of a chat, each answered in the wanted form, and the problem is the last turn."""
    question = make_question(3)

    messages = render("arithmetic-fewshot-v1", question)

    assert [message.role for message in messages] == ["system", *("user", "assistant") * 8, "user"]
    assert all("\n#### " in message.content for message in messages if message.role == "assistant")
    assert messages[-1].content == question.text


def test_worked_examples_are_right() -> None:
    """Each worked example computes what it says, and repeats the result as its answer."""
    text = (files(prompts) / "arithmetic-fewshot-v1.txt").read_text()
    lines = [line for line in text.splitlines() if " = " in line]
    operations: dict[str, Callable[[int, int], int]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
    }

    assert len(lines) == 8
    for line in lines:
        left, operator, right, _, result = line.split()
        assert operations[operator](int(left), int(right)) == int(result)
        assert f"{line}\n#### {result}\n" in text


@given(st.text())
def test_any_text_stands_in_the_prompt_unchanged(text: str) -> None:
    """Braces, markers and headings in a problem are its own business."""
    facts = ItemFacts(gold="1", base_text=text, family=None, inject_size=None)
    question = Question(item_id="i", text=text, answer_type="numeric", draw="twin", samples=1, facts=facts)

    assert render("arithmetic-fewshot-v1", question)[-1].content == text
    assert render("zero-shot-v1", question)[-1].content.endswith(f"Problem: {text}")


def test_missing_section_is_named(make_question: Make) -> None:
    """A prompt without a section for the answer type says which it has and what to do."""
    with pytest.raises(PromptError, match=r"no section for math answers \(item 'item-1'\); it has numeric"):
        render("arithmetic-fewshot-v1", make_question(1, answer_type="math"))


@pytest.mark.parametrize("version", ["zero-shot-v9", "../llm/errors", ""])
def test_unknown_prompt_is_refused(version: str, make_question: Make) -> None:
    """A name that is no file here is refused, with the names that are."""
    with pytest.raises(PromptError, match="zero-shot-v1"):
        render(version, make_question(1))


def test_every_prompt_is_frozen() -> None:
    """Every prompt that ships is frozen, so that none can change unseen."""
    assert set(FROZEN) == set(prompt_versions())
