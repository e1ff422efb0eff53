"""The audit of two plain texts: what was inserted, renamed, moved or reworded, and what the rules say of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.audit import PairError, audit_pair

BASE = "Susan has 3 pens. Peter has 4 pens. How many pens do Susan and Peter own?"


def test_identical_texts() -> None:
    """Nothing between two equal texts, white space aside."""
    verdict = audit_pair(BASE, BASE.replace(". ", ".  "), "7")

    assert (verdict.kind, verdict.keep, verdict.inserted, verdict.removed) == ("identical", True, (), ())


def test_an_inserted_sentence_is_found() -> None:
    """A whole foreign sentence is inserted material, whatever stands around it."""
    verdict = audit_pair(BASE, BASE.replace("Peter has", "Oscar ran 9 miles. Peter has"), "7")

    assert (verdict.kind, verdict.inserted, verdict.keep) == ("inserted", ("Oscar ran 9 miles.",), True)


def test_an_inserted_clause_is_found() -> None:
    """A phrase inside a sentence of the base is inserted material too."""
    verdict = audit_pair(BASE, BASE.replace("3 pens.", "3 pens and 7 caps."), "7")

    assert verdict.inserted == ("and 7 caps",)
    assert verdict.reasons == ("gold_number",)


def test_a_collision_a_gold_and_a_question() -> None:
    """One bad sentence is dropped for all that is wrong with it."""
    verdict = audit_pair(BASE, f"Does Peter have 7 kites? {BASE}", "7")

    assert verdict.reasons == ("entity_collision", "gold_number", "multi_question")


def test_a_renaming_is_found() -> None:
    """Consistent new names are a map from old to new, possessives included."""
    base = BASE.replace("Peter has", "Peter’s box has")

    verdict = audit_pair(base, base.replace("Susan", "Helen").replace("Peter", "Oscar"), "7")

    assert verdict.kind == "renamed"
    assert verdict.names == {"Susan": "Helen", "Peter": "Oscar"}
    assert verdict.keep


def test_two_persons_with_one_name_are_a_change() -> None:
    """A renaming that is not injective merges persons."""
    verdict = audit_pair(BASE, BASE.replace("Susan", "Oscar").replace("Peter", "Oscar"), "7")

    assert verdict.altered_base


def test_a_reordering_is_found() -> None:
    """The same sentences in another order are just that."""
    verdict = audit_pair(BASE, "Peter has 4 pens. Susan has 3 pens. How many pens do Susan and Peter own?", "7")

    assert (verdict.kind, verdict.keep) == ("reordered", True)


@pytest.mark.parametrize(
    "twin",
    [
        BASE.replace("3 pens", "5 pens"),
        BASE.replace("Peter has 4 pens. ", ""),
        BASE.replace("4 pens", "some pens"),
    ],
    ids=["other number", "lost sentence", "lost number"],
)
def test_a_lost_value_alters_the_base(twin: str) -> None:
    """A twin that no longer states a quantity of the base is another problem."""
    assert "altered_base" in audit_pair(BASE, twin, "7").reasons


def test_a_rewording_says_that_it_is_one() -> None:
    """Other words for the same facts are reworded, not inserted, and keep the base as far as values tell."""
    twin = "Susan owns 3 pens. The number of pens that Peter has is 4. How many pens do Susan and Peter own?"

    verdict = audit_pair(BASE, twin, "7")

    assert verdict.kind == "reworded"
    assert verdict.keep


def test_a_text_without_end_is_refused() -> None:
    """A word diff takes quadratic time, so there is a longest text."""
    with pytest.raises(PairError, match="10000 characters"):
        audit_pair("a " * 20_000, "b", "7")


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=10))
def test_any_two_texts_get_a_verdict(base: str, twin: str, gold: str) -> None:
    """Hostile texts are judged, not crashed on, and a text never differs from itself."""
    audit_pair(base, twin, gold)

    assert audit_pair(base, base, gold).keep


def rates(shared: Path, perturbation: str) -> Counter[str]:
    """Count the reasons over one perturbation of GSM-Plus."""
    lines = (shared / "data" / "gsm8k" / "test.jsonl").read_text(encoding="utf-8").split("\n")
    bases = [json.loads(line) for line in lines if line]
    pairs = (shared / "data" / "gsmplus_testmini" / "testmini.jsonl").read_text(encoding="utf-8").split("\n")
    counts: Counter[str] = Counter()
    for row in (json.loads(line) for line in pairs if line):
        if row["perturbation"] == perturbation:
            base = bases[row["gsm8k_idx"]]
            verdict = audit_pair(base["question"], row["question"], base["final"])
            counts.update(verdict.reasons or ("keep",))
            counts["all"] += 1
    return counts


PUBLISHED = {
    "distraction insertion": {"all": 300, "keep": 225, "entity_collision": 64, "gold_number": 11, "altered_base": 3},
    "problem understanding": {"all": 300, "keep": 269, "entity_collision": 11, "gold_number": 2, "altered_base": 21},
}
"""How many published twins with the answer of their base pass every rule, and how many each rule drops."""


@pytest.mark.parametrize("perturbation", PUBLISHED)
def test_published_twins_pass_at_the_rate_that_is_reported(perturbation: str, shared: Path) -> None:
    """Of 300 distractions 225 pass and of 300 paraphrases 269; most that go tell more of a person of the base."""
    assert rates(shared, perturbation) == PUBLISHED[perturbation]


@pytest.mark.parametrize("perturbation", ["numerical substitution", "digit expansion", "reversing operation"])
def test_published_changes_of_the_problem_are_found(shared: Path, perturbation: str) -> None:
    """Of 300 published twins that change the problem, at least nine in ten are dropped."""
    assert rates(shared, perturbation)["keep"] < 0.1 * 300
