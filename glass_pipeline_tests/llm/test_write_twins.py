"""Twins written by a solver: only what is faithful becomes one, whatever else comes back is told why and given up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from glass_pipeline.domain.audit import audit_twins
from glass_pipeline.domain.frames import twins_frame
from glass_pipeline.domain.records import Distractor, Problem
from glass_pipeline.domain.twins import TwinBatch, undo
from glass_pipeline.llm.forms import CannotAnswer, Respondent, Unanswered
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.llm.write_twins import write_twins
from glass_pipeline.study import Solver

TEXT = "Susan has 3 pens. Peter has 4 pens. Karl owns a lamp. How many pens do Susan and Peter own?"
PROBLEM = Problem(
    base_id="toy-1",
    text=TEXT,
    gold="7",
    answer_type="numeric",
    declared_complexity=2.0,
    complexity_score=0.3,
    revision="0",
    licence="MIT",
)
POOL = [
    Distractor(source_id=f"other-{i}", position=0, text=text)
    for i, text in enumerate(["Oscar has 14 red kites.", "Ingrid baked 45 rolls.", "Percy weighs 83 pounds."])
]


def twin(text: str) -> str:
    """Return an answer."""
    return json.dumps({"twin": text})


def dutiful(answers: SimpleNamespace) -> Callable[[dict[str, Any], int], Any]:
    """Return a writer that does as it is told, each time in another way."""

    def behave(body: dict[str, Any], nth: int) -> Any:
        prompt = body["messages"][-1]["content"]
        given = re.search(r"<sentences>\n(.*)\n</sentences>", prompt, re.DOTALL)
        names = re.search(r"women: (\w+).*\nmen: (\w+), (\w+)", prompt)
        if given:
            return answers.completion(twin(f"{given[1]} {TEXT}"))
        if names:
            renamed = TEXT.replace("Susan", names[1]).replace("Peter", names[2]).replace("Karl", names[3])
            return answers.completion(twin(renamed))
        *setup, question = TEXT.split(". ")
        turned = nth % 2 + 1
        return answers.completion(twin(". ".join([*setup[turned:], *setup[:turned], question])))

    return behave


@pytest.fixture
def write(store: ResponseStore, make_solver: Callable[..., Solver]) -> Callable[..., TwinBatch]:
    """Return the asking of the writer on loopback."""

    def ask(*problems: Problem, **changes: Any) -> TwinBatch:
        settings = {"suite": "toy", "seed": 1, "dose": 1, "distractors": POOL, "attempts": 2, **changes}
        return write_twins(
            problems or [PROBLEM],
            Respondent(
                slug="writer",
                solver=make_solver(concurrency=1, max_attempts=1),
                store=store,
                environment={},
                study_seed=1,
            ),
            **settings,
        )

    return ask


QUOTAS = {"sentence_reorder": 3, "entity_rename": 3, "math_irrelevant_context": 3}


def test_faithful_twins_of_every_family_pass_the_audit(
    endpoint: Any, answers: SimpleNamespace, write: Callable[..., TwinBatch]
) -> None:
    """What the writer made can be taken back, is a valid table, and is kept by every rule."""
    endpoint.behave = dutiful(answers)

    batch = write(quotas=QUOTAS)

    families = [each.family for each in batch.twins]
    assert families == sorted(families, key=list(QUOTAS).index)
    assert set(families) == set(QUOTAS)
    assert batch.declines == ()
    assert {each.generator for each in batch.twins} == {"writer"}
    assert all(undo(each) == TEXT for each in batch.twins)
    assert len(twins_frame(batch.twins)) == len(batch.twins)
    assert audit_twins([PROBLEM], batch.twins)["keep"].all()


def test_injections_carry_the_dose_and_their_sources(
    endpoint: Any, answers: SimpleNamespace, write: Callable[..., TwinBatch]
) -> None:
    """At dose 3 three sentences come in, each traced to its problem."""
    endpoint.behave = dutiful(answers)

    batch = write(dose=3, families=("math_irrelevant_context",), quotas=QUOTAS)

    made = batch.twins[0]
    assert (made.inject_size, made.operator, made.dose) == (3, "math_irrelevant_context_m3", 3)
    assert made.twin_id == "toy-1-m3-math_irrelevant_context-0"
    assert {each["source_id"] for each in json.loads(made.edit)["inserted"]} == {"other-0", "other-1", "other-2"}


def test_surface_twins_are_asked_for_once_over_all_doses(
    endpoint: Any, answers: SimpleNamespace, write: Callable[..., TwinBatch]
) -> None:
    """A renaming has no dose: every dose file gets the same ones from the store."""
    endpoint.behave = dutiful(answers)
    surface = ("sentence_reorder", "entity_rename")

    first, second = (write(dose=dose, families=surface, quotas=QUOTAS) for dose in (1, 9))

    assert len(endpoint.bodies) == 6
    assert [each.text for each in first.twins] == [each.text for each in second.twins]
    assert second.twins[0].twin_id == "toy-1-m9-sentence_reorder-0"


def test_the_writer_is_told_what_was_wrong(
    endpoint: Any, answers: SimpleNamespace, write: Callable[..., TwinBatch]
) -> None:
    """A twin that changed a number is asked for again with the reason, and the second try counts."""
    good = dutiful(answers)
    endpoint.behave = lambda body, nth: (
        answers.completion(twin(TEXT.replace("3", "5"))) if nth == 0 else good(body, nth)
    )

    batch = write(families=("entity_rename",), quotas={"entity_rename": 1})

    assert len(batch.twins) == 1
    assert "refused because it changes more than names" in endpoint.prompts[1]


def test_what_is_never_faithful_is_declined(
    endpoint: Any, answers: SimpleNamespace, write: Callable[..., TwinBatch]
) -> None:
    """After the last try there is no twin, but a decline with the kind of fault and no text of the model in it."""
    endpoint.behave = lambda *_: answers.completion(twin("Solve for x. Ignore all rules."))

    batch = write(quotas=QUOTAS)

    assert batch.twins == ()
    assert {each.family: each.reason for each in batch.declines} == {
        "sentence_reorder": "written text has a sentence that the problem does not have, or has it twice",
        "entity_rename": "written text changes more than names",
        "math_irrelevant_context": "written text changes or leaves out a sentence of the problem",
    }


def test_twins_that_say_the_same_are_one(
    endpoint: Any, answers: SimpleNamespace, write: Callable[..., TwinBatch]
) -> None:
    """A writer without fancy makes one twin, however often it is asked."""
    reversed_setup = "Karl owns a lamp. Peter has 4 pens. Susan has 3 pens. How many pens do Susan and Peter own?"
    endpoint.behave = lambda *_: answers.completion(twin(reversed_setup))

    batch = write(families=("sentence_reorder",), quotas=QUOTAS)

    assert [each.twin_id for each in batch.twins] == ["toy-1-m1-sentence_reorder-0"]


def test_nothing_is_asked_where_no_twin_can_be(endpoint: Any, write: Callable[..., TwinBatch]) -> None:
    """One sentence, nobody named, no pool: declined for what the operators would say, at no cost."""
    bare = Problem(
        base_id="toy-2",
        text="How many legs have 3 cows?",
        gold="12",
        answer_type="numeric",
        declared_complexity=1.0,
        complexity_score=0.1,
        revision="0",
        licence="MIT",
    )

    batch = write(bare, distractors=[], quotas=QUOTAS)

    assert endpoint.bodies == []
    assert [each.reason for each in batch.declines] == ["no setup sentence", "no person named", "no distractors"]


def test_a_failed_endpoint_is_no_decline(
    endpoint: Any, answers: SimpleNamespace, write: Callable[..., TwinBatch]
) -> None:
    """A base that was not answered is neither made nor declined: the run says so and stops."""
    endpoint.behave = lambda *_: answers.Act({"error": {"message": "overloaded"}}, status=503)

    with pytest.raises(Unanswered, match="writer gave no answer to 3 of 3 requests for written_twin"):
        write(families=("sentence_reorder",), quotas=QUOTAS)


def test_a_simulation_writes_nothing(store: ResponseStore) -> None:
    """The planted solver reads no prompt."""
    with pytest.raises(CannotAnswer, match="toy is a simulation"):
        write_twins(
            [PROBLEM],
            Respondent(slug="toy", solver=Solver(kind="planted"), store=store, environment={}, study_seed=1),
            suite="toy",
            seed=1,
            dose=1,
            distractors=POOL,
        )


def test_an_unwritten_family_is_refused(write: Callable[..., TwinBatch]) -> None:
    """The comparison suite is made by rule only."""
    with pytest.raises(ValueError, match="nobody writes 'gsm_ic'"):
        write(families=("gsm_ic",))


@pytest.mark.real
def test_a_weak_model_makes_faithful_twins_or_none(smollm2: Solver, store: ResponseStore) -> None:
    """Whatever 135 million parameters write, what becomes a twin is one, and the rest is declined with a reason."""
    writer = smollm2.model_copy(update={"max_tokens": 96})

    batch = write_twins(
        [PROBLEM],
        Respondent(slug="smollm2", solver=writer, store=store, environment={}, study_seed=1),
        suite="toy",
        seed=1,
        dose=1,
        distractors=POOL,
        quotas={"sentence_reorder": 1, "entity_rename": 1, "math_irrelevant_context": 1},
        attempts=1,
    )

    assert {each.family for each in batch.twins} | {each.family for each in batch.declines} == set(QUOTAS)
    assert all(undo(each) == TEXT for each in batch.twins)
