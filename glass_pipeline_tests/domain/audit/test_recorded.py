"""The audit of recorded twins: a valid table, and edits that lie are found."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from glass_pipeline.domain.audit import audit_twins
from glass_pipeline.domain.records import Distractor, Problem, Twin
from glass_pipeline.domain.schemas import NOOP_AUDIT
from glass_pipeline.domain.twins import OPERATORS, make_twins

PROBLEM = Problem(
    base_id="toy-1",
    text="Susan has 3 pens. Peter has 4 pens. How many pens do Susan and Peter own?",
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


@pytest.fixture(scope="module")
def twins() -> tuple[Twin, ...]:
    """Twins of every family of one problem."""
    return make_twins([PROBLEM], suite="toy", seed=1, dose=3, distractors=POOL, families=tuple(OPERATORS)).twins


def injection(twins: tuple[Twin, ...]) -> Twin:
    """Return one injection."""
    return next(twin for twin in twins if twin.family == "math_irrelevant_context")


def test_sound_twins_are_kept(twins: tuple[Twin, ...]) -> None:
    """Everything that the operators make passes, in a frame of the declared schema without adjudicators."""
    frame = audit_twins([PROBLEM], twins)

    NOOP_AUDIT.check(frame)
    assert frame.height == len(twins)
    assert frame["keep"].all()
    assert frame["reasons"].list.len().sum() == 0
    assert frame["adjudicators"].list.len().sum() == 0


def audit_one(twin: Twin) -> dict[str, object]:
    """Audit a single twin."""
    return audit_twins([PROBLEM], [twin]).row(0, named=True)


def test_a_changed_base_is_found(twins: tuple[Twin, ...]) -> None:
    """A twin whose base part was touched is dropped, though its edit still fits."""
    twin = injection(twins)

    row = audit_one(replace(twin, text=twin.text.replace("own?", "owe?")))

    assert row["altered_base"] is True
    assert row["keep"] is False
    assert row["reasons"] == ["altered_base"]


def test_an_edit_that_does_not_fit_is_found(twins: tuple[Twin, ...]) -> None:
    """A record that is no JSON, or of another text, means that the base cannot be vouched for."""
    twin = injection(twins)

    assert audit_one(replace(twin, edit="nonsense"))["altered_base"] is True
    assert audit_one(replace(twin, edit='{"spans": [[0, "", "zzz"]]}'))["altered_base"] is True


def test_what_the_record_inserts_is_judged(twins: tuple[Twin, ...]) -> None:
    """A recorded insertion with the gold value, a base name and a question is dropped for all three."""
    bad = "Does Peter have 7 kites? "
    edit = json.dumps({"spans": [[0, "", bad]], "inserted": [{"text": bad.strip()}]})

    row = audit_one(replace(injection(twins), text=bad + PROBLEM.text, edit=edit))

    assert row["reasons"] == ["entity_collision", "gold_number", "multi_question"]
    assert row["altered_base"] is False


def test_the_spans_are_judged_not_the_claim(twins: tuple[Twin, ...]) -> None:
    """An insertion that the list of sentences hides is read off the spans."""
    bad = "Peter has 7 kites. "
    edit = json.dumps({"spans": [[0, "", bad]], "inserted": []})

    row = audit_one(replace(injection(twins), text=bad + PROBLEM.text, edit=edit))

    assert row["entity_collision"] is True


def test_a_written_twin_without_our_record_is_compared(twins: tuple[Twin, ...]) -> None:
    """A solver's twin that records no edit of ours is read by comparison, and need not be altered."""
    twin = replace(injection(twins), generator="writer", edit="{}", text=f"Oscar ran 9 miles. {PROBLEM.text}")

    row = audit_one(twin)

    assert row["keep"] is True


def test_a_written_twin_too_long_to_compare_is_dropped(twins: tuple[Twin, ...]) -> None:
    """What cannot be compared cannot be vouched for."""
    twin = replace(injection(twins), generator="writer", edit="{}", text=PROBLEM.text + " Oscar ran." * 2_000)

    assert audit_one(twin)["reasons"] == ["altered_base"]


def test_a_stray_twin_is_refused(twins: tuple[Twin, ...]) -> None:
    """A twin of an unknown base names both."""
    with pytest.raises(ValueError, match="'toy-1'"):
        audit_twins([], twins)
