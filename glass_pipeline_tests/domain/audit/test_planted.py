"""A planted audit: twins made wrong on purpose, each kind caught every time by the rule that it concerns."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from glass_pipeline.domain.audit import audit_pair, audit_twins
from glass_pipeline.domain.problems import generate, parse_problems
from glass_pipeline.domain.records import Problem, Twin
from glass_pipeline.domain.twins import DistractorIndex, harvest, make_twins
from glass_pipeline.domain.twins.distractors import proper_nouns
from glass_pipeline.domain.twins.names import given_names, replacement_names
from glass_pipeline.domain.twins.quantities import gold_value, values

WORD = re.compile(r"[^\W\d_]+")
Plant = Callable[[Problem, Twin], Twin | None]
"""Makes a twin wrong; None where it has nothing that could be made wrong in this way."""


def with_insertion(base: Problem, twin: Twin, sentence: str) -> Twin:
    """Return the twin with another foreign sentence at its start, and a record that says so."""
    record = json.loads(twin.edit)
    added = f"{sentence} "
    spans = [[0, "", added], *([start + len(added), old, new] for start, old, new in record["spans"])]
    return replace(twin, text=added + twin.text, edit=json.dumps({**record, "spans": spans}))


def with_names(base: Problem, twin: Twin, change: Callable[[dict[str, str]], dict[str, str]]) -> Twin | None:
    """Return the twin with other new names, and a record that says so."""
    spans, pieces, read, written = [], [], 0, 0
    record = json.loads(twin.edit)
    names = change({old: new for _, old, new in record["spans"]})
    for start, old, new in record["spans"]:
        pieces += [twin.text[read:start], names[old]]
        written += start - read
        spans.append([written, old, names[old]])
        written += len(names[old])
        read = start + len(new)
    text = "".join([*pieces, twin.text[read:]])
    return replace(twin, text=text, edit=json.dumps({"names": names, "spans": spans}))


def gold_changed(base: Problem, twin: Twin) -> Twin | None:
    """Change a number of the base inside the twin, as a writer would who mistypes it."""
    inserted = {entry["text"] for entry in json.loads(twin.edit).get("inserted", ())}
    for number in re.finditer(r"\d+", twin.text):
        sentence = next((text for text in inserted if number.group() in text), None)
        if sentence is None:
            return replace(twin, text=f"{twin.text[: number.start()]}9{number.group()}{twin.text[number.end() :]}")
    return None


def sentence_lost(base: Problem, twin: Twin) -> Twin | None:
    """Leave out the question."""
    return replace(twin, text=twin.text[: twin.text.rstrip()[:-1].rfind(". ") + 1]) if ". " in twin.text else None


def name_shared(base: Problem, twin: Twin) -> Twin | None:
    """Let an inserted sentence speak of a person of the base."""
    persons = sorted(name for name in proper_nouns(base.text) if name.capitalize() in given_names())
    return with_insertion(base, twin, f"{persons[0].capitalize()} once saw eleventy boats.") if persons else None


def number_leaked(base: Problem, twin: Twin) -> Twin | None:
    """Let an inserted sentence state the gold answer."""
    value = gold_value(base.gold)
    if value is None or value.denominator != 1 or not 0 < value < 10**9:
        return None
    return with_insertion(base, twin, f"Quillon has {int(value):,} kites.")


def second_question(base: Problem, twin: Twin) -> Twin | None:
    """Let an inserted sentence ask."""
    return with_insertion(base, twin, "How many kites does Quillon have?")


def order_given(base: Problem, twin: Twin) -> Twin | None:
    """Let an inserted sentence ask without a question mark."""
    return with_insertion(base, twin, "Find the number of kites that Quillon has.")


def base_replaced(base: Problem, twin: Twin) -> Twin | None:
    """Let an injection put its sentence in place of a word of the base, and record that truthfully."""
    word = WORD.search(base.text)
    if word is None:
        return None
    text = base.text.replace(word.group(), "Kites", 1)
    return replace(twin, text=text, edit=json.dumps({"spans": [[word.start(), word.group(), "Kites"]]}))


def persons_merged(base: Problem, twin: Twin) -> Twin | None:
    """Give everybody one name."""
    olds = {old.lower() for _, old, _ in json.loads(twin.edit)["spans"]}
    return with_names(base, twin, lambda names: dict.fromkeys(names, "Quillon")) if len(olds) > 1 else None


def name_taken(base: Problem, twin: Twin) -> Twin | None:
    """Give somebody a name that is a word of the base already."""
    olds = {old.lower() for _, old, _ in json.loads(twin.edit)["spans"]}
    words = [word for word in WORD.findall(base.text) if word.islower() and len(word) > 2 and word not in olds]
    return with_names(base, twin, lambda names: {**names, min(names): words[0].capitalize()}) if words else None


def mention_left(base: Problem, twin: Twin) -> Twin | None:
    """Leave the last mention of a name as it was, and record that truthfully."""
    spans = json.loads(twin.edit)["spans"]
    start, old, new = spans[-1]
    if [span[1] for span in spans].count(old) < 2 or not old[0].isupper():
        return None
    text = f"{twin.text[:start]}{old}{twin.text[start + len(new) :]}"
    return replace(twin, text=text, edit=json.dumps({"spans": spans[:-1]}))


def gender_swapped(base: Problem, twin: Twin) -> Twin | None:
    """Give a woman a man's name, or a man a woman's."""
    for start, old, _ in json.loads(twin.edit)["spans"]:
        listed = given_names().get(old)
        before = twin.text[:start].rstrip(". ").rpartition(" ")[2].lower()
        if listed is None or listed.gender == "unisex" or before in {"mr", "mrs", "ms", "miss", "dr", "aunt", "uncle"}:
            continue
        others = replacement_names("male" if listed.gender == "female" else "female")
        free = next(name for name in others if name.lower() not in twin.text.lower())
        return with_names(base, twin, lambda names, old=old, free=free: {**names, old: free})  # type: ignore[misc]
    return None


def question_moved(base: Problem, twin: Twin) -> Twin | None:
    """Put the question first, and record that truthfully."""
    question = re.search(r"[^.?!]+\?\s*$", base.text)
    if question is None or not question.start():
        return None
    setup, asked = base.text[: question.start()], question.group().lstrip()
    gap = base.text[len(setup.rstrip()) : base.text.index(asked, question.start())]
    text = f"{asked.rstrip()}{gap}{setup.rstrip()}"
    cores = [[0, len(asked.rstrip())], [len(asked.rstrip()) + len(gap), len(text)]]
    return replace(twin, text=text, edit=json.dumps({"order": [1, 0], "cores": cores}))


PLANTS: dict[str, tuple[Plant, tuple[str, ...], str]] = {
    "gold changed": (gold_changed, ("math_irrelevant_context", "entity_rename", "sentence_reorder"), "altered_base"),
    "sentence lost": (sentence_lost, ("math_irrelevant_context", "entity_rename", "sentence_reorder"), "altered_base"),
    "base replaced": (base_replaced, ("math_irrelevant_context",), "altered_base"),
    "name shared": (name_shared, ("math_irrelevant_context",), "entity_collision"),
    "number leaked": (number_leaked, ("math_irrelevant_context",), "gold_number"),
    "second question": (second_question, ("math_irrelevant_context",), "multi_question"),
    "order given": (order_given, ("math_irrelevant_context",), "multi_question"),
    "persons merged": (persons_merged, ("entity_rename",), "altered_base"),
    "name taken": (name_taken, ("entity_rename",), "entity_collision"),
    "mention left": (mention_left, ("entity_rename",), "altered_base"),
    "gender swapped": (gender_swapped, ("entity_rename",), "altered_base"),
    "question moved": (question_moved, ("sentence_reorder",), "altered_base"),
}
"""What is made wrong, in twins of which families, and the rule that must catch it."""


def one_twin_each(problems: list[Problem], pool: list[Problem]) -> list[tuple[Problem, Twin]]:
    """Return the first twin of each family of each problem."""
    index = DistractorIndex(harvest(pool))
    batch = make_twins(problems, suite="planted", seed=7, dose=1, distractors=index)
    bases = {problem.base_id: problem for problem in problems}
    first = {(twin.base_id, twin.family): twin for twin in reversed(batch.twins)}
    return [(bases[twin.base_id], twin) for twin in first.values()]


@pytest.fixture(scope="module")
def own() -> list[tuple[Problem, Twin]]:
    """Twins of the project's own problems."""
    return one_twin_each(
        generate(240, seed=3, split="test", max_steps=6), generate(80, seed=3, split="train", max_steps=2)
    )


@pytest.fixture(scope="module")
def published(shared: Path) -> list[tuple[Problem, Twin]]:
    """Twins of published problems."""
    folder = shared / "data" / "gsm8k"
    test = (folder / "test.jsonl").read_bytes().splitlines()[:400]
    train = gzip.decompress((folder / "train.jsonl.gz").read_bytes()).splitlines()[:800]
    problems, pool = (
        parse_problems("gsm8k", [json.loads(line) for line in lines], split=split, revision="x")
        for lines, split in ((test, "test"), (train, "train"))
    )
    return one_twin_each(problems, pool)


def planted(twins: list[tuple[Problem, Twin]], kind: str) -> Iterator[tuple[Problem, Twin]]:
    """Yield the twins that could be made wrong in one way."""
    plant, families, _ = PLANTS[kind]
    for base, twin in twins:
        if twin.family in families and (wrong := plant(base, twin)) is not None:
            yield base, wrong


def escaped(twins: list[tuple[Problem, Twin]], kind: str) -> tuple[int, list[str]]:
    """Count the planted twins of one kind, and name those that their rule let pass."""
    found = list(planted(twins, kind))
    audit = audit_twins([base for base, _ in found], [twin for _, twin in found])
    rows = {row["twin_id"]: row for row in audit.iter_rows(named=True)}
    rule = PLANTS[kind][2]
    return len(found), [twin.text for _, twin in found if rule not in rows[twin.twin_id]["reasons"]]


@pytest.mark.parametrize("kind", PLANTS)
def test_every_planted_fault_in_our_own_problems_is_caught(own: list[tuple[Problem, Twin]], kind: str) -> None:
    """Not one of them passes the rule that it concerns."""
    n_planted, passed = escaped(own, kind)

    assert n_planted >= 15
    assert passed == []


@pytest.mark.parametrize("kind", PLANTS)
def test_every_planted_fault_in_published_problems_is_caught(published: list[tuple[Problem, Twin]], kind: str) -> None:
    """Real wording, names and numbers hide nothing."""
    n_planted, passed = escaped(published, kind)

    assert n_planted >= 15
    assert passed == []


def test_the_same_twins_unharmed_all_pass(own: list[tuple[Problem, Twin]]) -> None:
    """The rules catch faults, not twins: none of those that the faults were planted in is dropped."""
    audit = audit_twins([base for base, _ in own], [twin for _, twin in own])

    assert audit["keep"].all()


@pytest.mark.parametrize("kind", ["name shared", "number leaked", "second question", "order given"])
def test_faults_are_caught_without_a_record_too(own: list[tuple[Problem, Twin]], kind: str) -> None:
    """Where a pair of texts is all there is, comparison finds what was inserted."""
    rule = PLANTS[kind][2]
    found = [(base, twin) for base, twin in planted(own, kind) if twin.family == "math_irrelevant_context"]

    passed = [twin.text for base, twin in found if rule not in audit_pair(base.text, twin.text, base.gold).reasons]

    assert len(found) >= 15
    assert passed == []


def test_a_changed_number_is_caught_without_a_record_where_it_stood_alone(own: list[tuple[Problem, Twin]]) -> None:
    """A value that the twin states nowhere any more is missed; one that it states elsewhere too is not."""
    n_lost = 0
    for base, twin in planted(own, "gold changed"):
        lost = values(base.text) - values(twin.text)
        restated = {
            value for value in values(base.text) if value == 1 or {value * 100, value / 100} & values(twin.text)
        }
        if lost - restated:
            n_lost += 1
            assert "altered_base" in audit_pair(base.text, twin.text, base.gold).reasons, twin.text

    assert n_lost >= 15
