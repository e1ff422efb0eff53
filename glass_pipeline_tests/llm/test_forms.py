"""Forms: asked until they can be read, told each time what was wrong, and never filled by a failure."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from glass_pipeline.domain.records import Question
from glass_pipeline.llm.forms import CannotAnswer, Form, Rejected, Respondent, Unanswered, fill_in
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.llm.structured import Object, Structure
from glass_pipeline.study import Solver


def read_colour(_: Question, found: Object) -> str:
    """Read a colour that is not grey."""
    colour = found.get("colour")
    if not isinstance(colour, str):
        raise Rejected("had no colour")
    if colour == "grey":
        raise Rejected("was grey")
    return colour


FORM = Form(prompt="noop-audit-v1", structure=Structure(name="colour", schema={"type": "object"}), read=read_colour)


@pytest.fixture
def make_respondent(store: ResponseStore, make_solver: Callable[..., Solver]) -> Callable[..., Respondent]:
    """Return a maker of somebody to ask at the loopback endpoint."""

    def make(**changes: Any) -> Respondent:
        return Respondent(
            slug="tiny", solver=make_solver(max_attempts=1, **changes), store=store, environment={}, study_seed=1
        )

    return make


@pytest.fixture
def question(make_question: Callable[..., Question]) -> Question:
    """Return one question in free form."""
    return make_question(1, answer_type="exact", draw="form")


def says(endpoint: Any, answers: SimpleNamespace, *texts: str) -> None:
    """Let the endpoint answer with these texts in turn."""
    said = iter(texts)
    endpoint.behave = lambda *_: answers.completion(next(said))


def test_a_readable_answer_is_asked_for_once(
    endpoint: Any, answers: SimpleNamespace, make_respondent: Callable[..., Respondent], question: Question
) -> None:
    """What can be read needs no second request, in this run or the next."""
    says(endpoint, answers, '{"colour": "red"}')

    first = fill_in(FORM, [question], make_respondent(), attempts=3)
    second = fill_in(FORM, [question], make_respondent(), attempts=3)

    assert (first.read, first.rejected, first.requests) == ({"item-1": "red"}, {}, 1)
    assert (second.read, second.requests) == ({"item-1": "red"}, 0)


def test_asking_again_tells_the_reason(
    endpoint: Any, answers: SimpleNamespace, make_respondent: Callable[..., Respondent], question: Question
) -> None:
    """The second request repeats the question with what was wrong, and a third run repeats neither."""
    says(endpoint, answers, '{"colour": "grey"}', '{"colour": "blue"}')

    found = fill_in(FORM, [question], make_respondent(), attempts=3)
    again = fill_in(FORM, [question], make_respondent(), attempts=3)

    assert found.read == again.read == {"item-1": "blue"}
    assert endpoint.prompts[0] == question.text
    assert endpoint.prompts[1].startswith(question.text)
    assert "refused because it was grey" in endpoint.prompts[1]
    assert (found.requests, again.requests) == (2, 0)


def test_what_stays_unreadable_is_rejected_with_its_last_reason(
    endpoint: Any, answers: SimpleNamespace, make_respondent: Callable[..., Respondent], question: Question
) -> None:
    """After the last attempt nothing is made up."""
    says(endpoint, answers, "red, I think", '{"color": "red"}', '{"colour": "grey"}')

    found = fill_in(FORM, [question], make_respondent(), attempts=3)

    assert (found.read, found.rejected) == ({}, {"item-1": "was grey"})


def test_two_objects_that_disagree_say_nothing(
    endpoint: Any, answers: SimpleNamespace, make_respondent: Callable[..., Respondent], question: Question
) -> None:
    """An answer that says red and blue is neither; one that says red twice is red."""
    says(endpoint, answers, 'Is it {"colour": "red"} or {"colour": "blue"}?', '{"colour": "red"} so {"colour": "red"}')

    first = fill_in(FORM, [question], make_respondent(), attempts=1)
    second = fill_in(FORM, [question], make_respondent(), attempts=2)

    assert first.rejected == {"item-1": "held several objects that disagree"}
    assert second.read == {"item-1": "red"}


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("length", "was cut off before its end"), ("content_filter", "was filtered out")],
)
def test_a_terminal_status_is_a_reason(
    endpoint: Any,
    answers: SimpleNamespace,
    make_respondent: Callable[..., Respondent],
    question: Question,
    finish: str,
    reason: str,
) -> None:
    """A cut off answer is not read, even where what is there looks whole."""
    endpoint.behave = lambda *_: answers.completion('{"colour": "red"}', finish=finish)

    assert fill_in(FORM, [question], make_respondent(), attempts=1).rejected == {"item-1": reason}


def test_a_failed_endpoint_is_no_answer(
    endpoint: Any,
    answers: SimpleNamespace,
    make_respondent: Callable[..., Respondent],
    make_question: Callable[..., Question],
) -> None:
    """A run that lacks an answer stops with the count; what was answered is not asked again."""
    questions = [make_question(number, answer_type="exact") for number in range(3)]

    def behave(body: dict[str, Any], nth: int) -> Any:
        if "has 1 boxes" in body["messages"][-1]["content"]:
            return answers.Act({"error": {"message": "overloaded"}}, status=500)
        return answers.completion('{"colour": "red"}')

    endpoint.behave = behave
    with pytest.raises(Unanswered, match="no answer to 1 of 3 requests for colour"):
        fill_in(FORM, questions, make_respondent(), attempts=3)
    sent = len(endpoint.bodies)
    endpoint.behave = lambda *_: answers.completion('{"colour": "red"}')

    assert set(fill_in(FORM, questions, make_respondent(), attempts=3).read.values()) == {"red"}
    assert len(endpoint.bodies) == sent + 1


def test_a_simulation_fills_in_no_form(store: ResponseStore, question: Question) -> None:
    """The planted solver reads no prompt, so its words are no verdict."""
    planted = Respondent(slug="toy", solver=Solver(kind="planted"), store=store, environment={}, study_seed=1)

    with pytest.raises(CannotAnswer, match="toy is a simulation"):
        fill_in(FORM, [question], planted, attempts=1)


def test_money_is_added_up(
    endpoint: Any, answers: SimpleNamespace, make_respondent: Callable[..., Respondent], question: Question
) -> None:
    """Two requests of 10 and 4 tokens at 1 and 10 USD a million cost 2 * (10 + 40) / 10^6."""
    says(endpoint, answers, json.dumps({"colour": "grey"}), json.dumps({"colour": "red"}))
    priced = make_respondent(usd_per_million_prompt_tokens=1, usd_per_million_completion_tokens=10)

    assert fill_in(FORM, [question], priced, attempts=2).cost_usd == pytest.approx(1e-4)
