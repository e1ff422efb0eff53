"""Holds the filling in of a form: questions whose answer is one JSON object, asked until it can be read.

Never knows what an object means, and never takes a failure of the endpoint for an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.records import Question, Reply
from glass_pipeline.llm.errors import SolverError
from glass_pipeline.llm.plan import Cell
from glass_pipeline.llm.recorder import Progress
from glass_pipeline.llm.solve import SolveResult, solve
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.llm.structured import Object, Structure, objects_in
from glass_pipeline.study import Solver

Read = TypeVar("Read")

AGAIN = "\n\nAn earlier answer to this was refused because it {reason}. Answer once more, with one JSON object only."
"""Follows the text of a question that is asked again."""
NOT_READ = {
    "length": "was cut off before its end",
    "empty": "was empty",
    "refusal": "was a refusal",
    "content_filter": "was filtered out",
}
"""Why an answer with a terminal status cannot be read, as told to the model."""


class Rejected(ValueError):
    """An answer cannot be used; the message completes "refused because it …"."""


class Unanswered(SolverError):
    """The endpoint failed for part of what was asked; running again goes on from there."""


class CannotAnswer(BadInput):
    """This kind of solver reads no prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form(Generic[Read]):
    """In which words something is asked, and how its answer is read."""

    prompt: str
    """Name of a prompt file whose section for ``exact`` answers asks for the object."""
    structure: Structure
    read: Callable[[Question, Object], Read]
    """Returns what an object means; raises Rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Respondent:
    """Who is asked, and what asking takes."""

    slug: str
    solver: Solver
    store: ResponseStore
    environment: Mapping[str, str]
    study_seed: int
    progress: Callable[[Progress], None] | None = None
    on_result: Callable[[SolveResult], None] | None = None
    """Told of every round of requests, also of one that an endpoint failed."""


class Answers(NamedTuple, Generic[Read]):
    """What came back."""

    read: Mapping[str, Read]
    """What was understood, by item."""
    rejected: Mapping[str, str]
    """Why the last answer was refused, by item of which none was understood."""
    requests: int
    """Requests that went out in this run."""
    cost_usd: float | None
    """Of this run; None if the price is unknown or nothing was sent."""


def fill_in(form: Form[Read], questions: Sequence[Question], respondent: Respondent, *, attempts: int) -> Answers[Read]:
    """Ask every question until its answer can be read, telling each time what was wrong with the last.

    Every reply is kept in the response store: what was ever asked of this solver in the same words is not asked again,
    whatever item it is asked for.

    Args:
        form: Words, structure and reading.
        questions: What to ask, one sample each; items are distinct.
        respondent: Who is asked.
        attempts: Most answers to one question, at least 1.

    Raises:
        CannotAnswer: the solver is a simulation.
        Unanswered: the endpoint failed for some question; what was answered is stored.
        SolverError: the run stopped; what was answered is stored.
    """
    if respondent.solver.kind == "planted":
        raise CannotAnswer(
            f"{respondent.slug} is a simulation and reads no prompt; name a solver of kind openai or llama_cpp."
        )
    asked = {question.item_id: question for question in questions}
    read: dict[str, Read] = {}
    rejected: dict[str, str] = {}
    results: list[SolveResult] = []
    for attempt in range(attempts):
        todo = [_worded(asked[item], rejected.get(item), attempt) for item in asked if item not in read]
        if not todo:
            break
        results.append(_solve(form, todo, respondent))
        for question in todo:
            reply = results[-1].replies[Cell(question.item_id, question.draw)][0]
            try:
                read[question.item_id] = _read(form, asked[question.item_id], reply)
                rejected.pop(question.item_id, None)
            except Rejected as reason:
                rejected[question.item_id] = str(reason)
    costs = [result.cost_usd for result in results if result.cost_usd is not None]
    return Answers(read, rejected, sum(result.requests for result in results), sum(costs) if costs else None)


def _worded(question: Question, refused_because: str | None, attempt: int) -> Question:
    if refused_because is None:
        return question
    text = question.text + AGAIN.format(reason=refused_because)
    return replace(question, text=text, draw=f"{question.draw}/again-{attempt}")


def _solve(form: Form[Read], questions: Sequence[Question], respondent: Respondent) -> SolveResult:
    result = solve(
        respondent.slug,
        respondent.solver.model_copy(update={"prompt": form.prompt}),
        questions,
        store=respondent.store,
        environment=respondent.environment,
        study_seed=respondent.study_seed,
        structure=form.structure,
        progress=respondent.progress,
    )
    if respondent.on_result is not None:
        respondent.on_result(result)
    if result.failures:
        faults = ", ".join(f"{status} {n}" for status, n in sorted(result.failures.items()))
        raise Unanswered(
            f"{respondent.slug} gave no answer to {sum(result.failures.values())} of {len(questions)} requests for "
            f"{form.structure.name} ({faults}); run again, what was answered is stored."
        )
    return result


def _read(form: Form[Read], question: Question, reply: Reply) -> Read:
    """Return what all readable objects of a reply agree on.

    Raises:
        Rejected: there is none, or two say different things.
    """
    if reply.status in NOT_READ:
        raise Rejected(NOT_READ[reply.status])
    meant: list[Read] = []
    reason = "held no JSON object"
    for found in objects_in(reply.text):
        try:
            meant.append(form.read(question, found))
        except Rejected as refused:
            reason = str(refused)
    if not meant:
        raise Rejected(reason)
    if any(each != meant[0] for each in meant):
        raise Rejected("held several objects that disagree")
    return meant[0]
