"""Texts of drawn jobs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.synth_cd.continuous import draw_continuous
from glass_pipeline.domain.synth_cd.operators import TIER_OF
from glass_pipeline.domain.synth_cd.texts import CLAUSES, TERMS, Plan, Texts, lexicon, plan_job, render_job


@pytest.fixture(scope="module")
def drawn() -> tuple[np.ndarray, np.ndarray, list[Plan], list[Texts]]:
    """C, E, plans and texts of 1,000 jobs."""
    rng = np.random.default_rng(1)
    jobs = draw_continuous(rng)
    plans = [plan_job(c, e, rng) for c, e in zip(jobs.complexity, jobs.expertise, strict=True)]
    return jobs.complexity, jobs.expertise, plans, [render_job(plan, rng) for plan in plans]


def rho(x: list[int], y: np.ndarray) -> float:
    """Spearman's rank correlation."""
    return float(stats.spearmanr(x, y).statistic)


def test_the_lexicon_keeps_lengths_equal() -> None:
    """Every clause is nine words in both wordings, which differ; every term is three different single words."""
    words = lexicon()

    for base, twin in (*words["steps"], *words["fillers"]):
        assert len(base.split()) == len(twin.split()) == 9, (base, twin)
        assert base != twin
    assert len(words["terms"]) == 8
    for terms in words["terms"].values():
        assert len(terms) == TERMS
        assert all(len(set(term)) == 3 and not any(" " in word for word in term) for term in terms)


def test_length_says_nothing_of_complexity_or_expertise(drawn: tuple) -> None:
    """|rho| of the number of words with C and with E is below .08 over 1,000 jobs; all have 80 to 87 words."""
    c, e, _, texts = drawn
    lengths = [len(each.base.split()) for each in texts]

    assert abs(rho(lengths, c)) < 0.08
    assert abs(rho(lengths, e)) < 0.08
    assert (min(lengths), max(lengths)) == (80, 87)


def test_structure_carries_c_and_terms_carry_e(drawn: tuple) -> None:
    """The number of steps follows C and not E, that of expert terms E and not C."""
    c, e, plans, _ = drawn
    steps, expert = [sum(plan.is_step) for plan in plans], [sum(plan.is_expert) for plan in plans]

    assert rho(steps, c) > 0.9
    assert rho(expert, e) > 0.9
    assert abs(rho(steps, e)) < 0.1
    assert abs(rho(expert, c)) < 0.1
    assert max(steps) <= CLAUSES


def test_a_twin_keeps_every_term_or_its_synonym_and_every_clause(drawn: tuple) -> None:
    """Deliverable, domain and clause count stay; only tiers 2 and 3 touch a term, only 1 and 3 a step."""
    _, _, plans, texts = drawn
    for plan, each in zip(plans[:50], texts[:50], strict=True):
        for tier, twin in zip(TIER_OF, each.twins, strict=True):
            assert f"{plan.deliverable} on {plan.domain}" in twin
            assert len(twin.split()) == len(each.base.split())
            if tier in (0, 1):
                assert twin.split("Cover ")[1].split(".")[0] == each.base.split("Cover ")[1].split(".")[0]
            if tier in (0, 2):
                kept = [pair[0] for pair, step in zip(plan.clauses, plan.is_step, strict=True) if step]
                assert all(clause in twin for clause in kept)


def test_a_twins_distance_follows_what_its_tier_is_sensitive_to(drawn: tuple) -> None:
    """Changed terms of the last twin of tier 2 grow with E; a cosmetic twin changes none."""
    _, e, _, texts = drawn

    def changed(each: Texts, twin: int) -> int:
        def terms(text: str) -> list[str]:
            return text.split("Cover ")[1].split(".")[0].split(", ")

        return sum(a != b for a, b in zip(terms(each.base), terms(each.twins[twin]), strict=True))

    assert rho([changed(each, 8) for each in texts], e) > 0.9
    assert {changed(each, 2) for each in texts} == {0}


def test_a_negative_asks_for_something_else(drawn: tuple) -> None:
    """Another deliverable and another clause, about as long, and none of the twins."""
    _, _, plans, texts = drawn
    for plan, each in zip(plans[:200], texts[:200], strict=True):
        assert f"Write a {plan.deliverable} on" not in each.negative
        assert each.negative not in each.twins
        assert len(each.negative.split()) == len(each.base.split())
