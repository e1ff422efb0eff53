"""The batch: seeded by names, blind to order, complete in twins and declines, undone without the base."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import FAMILIES, Distractor, Problem, Twin
from glass_pipeline.domain.twins import OPERATORS, DistractorIndex, MisfitError, TwinBatch, harvest, make_twins, undo

MakeProblem = Callable[..., Problem]

ALL = tuple(OPERATORS)


@pytest.fixture
def problems(make_problem: MakeProblem) -> list[Problem]:
    """Two problems that every operator rewords, and one that none does."""
    texts = {
        "a": "Susan has 3 pens. Peter has 4 pens. How many pens do Susan and Peter own?",
        "b": "Helen ran 5 miles. Marco ran 6 miles. Irene ran 9 miles. How far did Helen run?",
        "c": "It is 5.",
    }
    return [make_problem(text, base_id=base_id, gold="70") for base_id, text in texts.items()]


def make(problems: list[Problem], pool: list[Distractor], *, seed: int = 1, dose: int = 3) -> TwinBatch:
    """Make twins of all families."""
    return make_twins(problems, suite="toy", seed=seed, dose=dose, distractors=pool, families=ALL)


def test_every_problem_and_family_is_accounted_for(problems: list[Problem], pool: list[Distractor]) -> None:
    """Each (problem, family) has twins or exactly one decline."""
    batch = make(problems, pool)

    made = {(twin.base_id, twin.family) for twin in batch.twins}
    declined = [(decline.base_id, decline.family) for decline in batch.declines]
    assert made.isdisjoint(declined)
    assert len(made) + len(declined) == len(problems) * len(ALL)
    assert {base for base, _ in declined} == {"c"}


def test_twins_are_what_the_schema_says(problems: list[Problem], pool: list[Distractor]) -> None:
    """Ids are unique and speak, surface twins have no injection size, injections carry it in their operator."""
    batch = make(problems, pool)

    assert len({twin.twin_id for twin in batch.twins}) == len(batch.twins)
    assert all(twin.twin_id.startswith(f"{twin.base_id}-m3-{twin.family}-") for twin in batch.twins)
    operators = {(twin.family, twin.inject_size, twin.operator) for twin in batch.twins}
    assert operators == {
        ("sentence_reorder", None, "sentence_reorder"),
        ("entity_rename", None, "entity_rename"),
        ("math_irrelevant_context", 3, "math_irrelevant_context_m3"),
        ("gsm_ic", 1, "gsm_ic_m1"),
    }


def test_quotas(problems: list[Problem], pool: list[Distractor]) -> None:
    """No base has more than 20 injections or 10 surface twins of a family, and no two are the same text."""
    batch = make(problems, pool)

    for base in ("a", "b"):
        for family in ALL:
            texts = [twin.text for twin in batch.twins if (twin.base_id, twin.family) == (base, family)]
            assert len(texts) <= (10 if family in {"sentence_reorder", "entity_rename"} else 20)
            assert len(set(texts)) == len(texts)


def test_a_twin_never_equals_its_base(problems: list[Problem], pool: list[Distractor]) -> None:
    """White space aside, every twin differs from its base."""
    texts = {problem.base_id: text_hash(problem.text) for problem in problems}

    assert all(text_hash(twin.text) != texts[twin.base_id] for twin in make(problems, pool).twins)


def test_order_of_items_and_pool_does_not_matter(problems: list[Problem], pool: list[Distractor]) -> None:
    """Reversing problems and pool gives the same twins, and a subset gives its own."""
    whole = {twin.twin_id: twin for twin in make(problems, pool).twins}
    turned = {twin.twin_id: twin for twin in make(problems[::-1], pool[::-1]).twins}
    part = {twin.twin_id: twin for twin in make(problems[1:2], pool).twins}

    assert whole == turned
    assert part.items() <= whole.items()


def test_seed_suite_and_dose_matter(problems: list[Problem], pool: list[Distractor]) -> None:
    """Another seed draws other names; the same call draws the same."""
    texts = [twin.text for twin in make(problems, pool).twins]

    assert texts == [twin.text for twin in make(problems, pool).twins]
    assert texts != [twin.text for twin in make(problems, pool, seed=2).twins]


def test_undo_needs_only_the_twin(problems: list[Problem], pool: list[Distractor]) -> None:
    """Every twin of every operator gives its base back."""
    texts = {problem.base_id: problem.text for problem in problems}

    assert all(undo(twin) == texts[twin.base_id] for twin in make(problems, pool).twins)


@pytest.mark.parametrize("edit", ["", "[]", "{}", '{"spans": 3}', "nonsense", "[" * 100_000])
def test_a_forged_edit_is_refused(edit: str, problems: list[Problem], pool: list[Distractor]) -> None:
    """An edit that is not JSON, or not what the operator records, raises and names the twin or the span."""
    for family in ALL:
        twin = next(twin for twin in make(problems, pool).twins if twin.family == family)
        with pytest.raises(MisfitError):
            undo(replace(twin, edit=edit))


def test_wrong_arguments_are_refused(problems: list[Problem], pool: list[Distractor]) -> None:
    """A dose below 1 and an unknown family are named."""
    with pytest.raises(ValueError, match="dose=0"):
        make_twins(problems, suite="toy", seed=1, dose=0, distractors=pool)
    with pytest.raises(ValueError, match="no operator 'paraphrase'"):
        make_twins(problems, suite="toy", seed=1, dose=1, distractors=pool, families=("paraphrase",))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "Susan has 3 pens. " * 1_100 + "How many?",
        "name " * 3_900 + "How many?",
        "ask " * 4_900 + "?",
        "[asy] " * 3_000 + "How many?",
        "$" * 19_000 + "?",
        " ".join(f"Susan{chr(97 + i % 26)}{chr(97 + i // 26 % 26)} has" for i in range(1_500)) + "?",
        "1/" * 9_000 + "?",
        "Susan and Peter and " * 900 + "how many?",
        "a" * 1_000_000,
    ],
    ids=["repeats", "names", "asks", "asy", "dollars", "persons", "fractions", "conjoined", "endless"],
)
def test_hostile_texts_are_over_soon(text: str, pool: list[Distractor], make_problem: MakeProblem) -> None:
    """No text of any length costs more than seconds."""
    problems = [make_problem(text, answer_type=answer_type) for answer_type in ("numeric", "math")]

    started = time.process_time()
    for problem in problems:
        make([problem], pool)

    assert time.process_time() - started < 5


def check_undo(problems: list[Problem], twins: tuple[Twin, ...]) -> None:
    """Assert that every twin gives its base back and records valid JSON."""
    texts = {problem.base_id: problem.text for problem in problems}
    for twin in twins:
        assert undo(twin) == texts[twin.base_id], twin.twin_id
        json.loads(twin.edit)


def test_published_size_is_quick(gsm8k_test: list[Problem], gsm8k_train: list[Problem]) -> None:
    """1,319 problems at dose 9 take under 15 s of one core."""
    index = DistractorIndex(harvest(gsm8k_train))

    started = time.process_time()
    batch = make_twins(gsm8k_test, suite="glassgsm", seed=42, dose=9, distractors=index, families=FAMILIES)
    seconds = time.process_time() - started

    assert seconds < 15
    check_undo(gsm8k_test, batch.twins)


@pytest.mark.slow
def test_real_maths_twins_are_undone(math_test: list[Problem], gsm8k_train: list[Problem]) -> None:
    """Every twin of the MATH test split, of every family, gives its base back."""
    pool = harvest(gsm8k_train)

    batch = make_twins(math_test, suite="glassmath", seed=42, dose=3, distractors=pool, families=ALL)

    check_undo(math_test, batch.twins)
