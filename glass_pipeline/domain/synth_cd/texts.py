"""Holds how a drawn job becomes a text whose length says nothing, and each operator a rewording of it.

Never lets a number of the drawing into a text but through which clauses and which words are chosen.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from glass_pipeline.domain.synth_cd.operators import TIER_OF

CLAUSES = 7
"""Clauses of a job; the more complex it is, the more of them are steps and conditions instead of fillers."""
TERMS = 10
LAY, EXPERT, OTHER_EXPERT = 0, 1, 2
MOST_GREETING = 6
SHARE_BY_WITHIN = (0.5, 0.75, 1.0)
"""Share of what an operator may touch that it does touch, by its place in the tier."""


class Plan(NamedTuple):
    """What a job's text is made of."""

    domain: str
    deliverable: str
    clauses: tuple[tuple[str, str], ...]
    """Each as the base and as a twin says it."""
    is_step: tuple[bool, ...]
    terms: tuple[tuple[str, str, str], ...]
    is_expert: tuple[bool, ...]
    greeting: int
    """Words of the greeting, 0 to 6: the only thing that changes the length, and independent of all else."""


class Texts(NamedTuple):
    """One job: its text, its twelve twins, and one text that asks something else."""

    base: str
    twins: tuple[str, ...]
    negative: str


@lru_cache(maxsize=1)
def lexicon() -> dict[str, Any]:
    """Return the words that texts are made of."""
    return tomllib.loads(resources.files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))


def plan_job(complexity: float, expertise: float, rng: np.random.Generator) -> Plan:
    """Choose what a job's text is made of: of 7 clauses about 7 C are steps, of 10 terms about 10 E are expert.

    Args:
        complexity: C in [0, 1].
        expertise: E in [0, 1].
        rng: Source of the choices.

    Source: methods §8.1.
    """
    words = lexicon()
    domains = list(words["terms"])
    domain = domains[int(rng.integers(len(domains)))]
    steps = _rounded(CLAUSES * complexity, rng)
    chosen = [words["steps"][at] for at in rng.permutation(len(words["steps"]))[:steps]]
    chosen += [words["fillers"][at] for at in rng.permutation(len(words["fillers"]))[: CLAUSES - steps]]
    order = rng.permutation(CLAUSES)
    expert = np.zeros(TERMS, dtype=bool)
    expert[rng.permutation(TERMS)[: _rounded(TERMS * expertise, rng)]] = True
    terms = [words["terms"][domain][at] for at in rng.permutation(TERMS)]
    return Plan(
        domain=domain,
        deliverable=words["deliverables"][int(rng.integers(len(words["deliverables"])))],
        clauses=tuple((chosen[at][0], chosen[at][1]) for at in order),
        is_step=tuple(bool(at < steps) for at in order),
        terms=tuple((term[LAY], term[EXPERT], term[OTHER_EXPERT]) for term in terms),
        is_expert=tuple(bool(each) for each in expert),
        greeting=int(rng.integers(MOST_GREETING + 1)),
    )


def render_job(plan: Plan, rng: np.random.Generator) -> Texts:
    """Return base, twins and negative of a plan; twins differ from the base on the surface only.

    Tier 0 rewords fillers, tier 1 steps too, tier 2 fillers and expert terms, tier 3 all three: a twin's distance from
    its base grows with the number of steps or of expert terms there are, as the tier is sensitive to C or E.

    Args:
        plan: Of ``plan_job``.
        rng: Source of what each twin touches.
    """
    twins = []
    for number, tier in enumerate(TIER_OF):
        share = SHARE_BY_WITHIN[number % len(SHARE_BY_WITHIN)]
        clause = [
            (not step or tier in (1, 3)) and bool(touched)
            for step, touched in zip(plan.is_step, rng.random(CLAUSES) < share, strict=True)
        ]
        term = [
            expert and tier in (2, 3) and bool(touched)
            for expert, touched in zip(plan.is_expert, rng.random(TERMS) < share, strict=True)
        ]
        twins.append(_text(plan, clause, term))
    return Texts(_text(plan, [False] * CLAUSES, [False] * TERMS), tuple(twins), _negative(plan, rng))


def _text(plan: Plan, clause: list[bool], term: list[bool]) -> str:
    said = " ".join(f"{pair[touched]}." for pair, touched in zip(plan.clauses, clause, strict=True))
    names = [
        words[(OTHER_EXPERT if touched else EXPERT) if expert else LAY]
        for words, expert, touched in zip(plan.terms, plan.is_expert, term, strict=True)
    ]
    greeting = " ".join(["Hello", "and", "welcome", "back", "dear", "colleague"][: plan.greeting])
    opening = f"{greeting}. " if greeting else ""
    return f"{opening}Write a {plan.deliverable} on {plan.domain}. Cover {', '.join(names)}. {said}"


def _negative(plan: Plan, rng: np.random.Generator) -> str:
    """Return the job with another deliverable and one clause exchanged for one that it does not have."""
    words = lexicon()
    others = [name for name in words["deliverables"] if name != plan.deliverable]
    pool = [pair for pair in (*words["steps"], *words["fillers"]) if tuple(pair) not in plan.clauses]
    base, twin = pool[int(rng.integers(len(pool)))]
    at = int(rng.integers(CLAUSES))
    clauses = (*plan.clauses[:at], (base, twin), *plan.clauses[at + 1 :])
    changed = plan._replace(deliverable=others[int(rng.integers(len(others)))], clauses=clauses)
    return _text(changed, [False] * CLAUSES, [False] * TERMS)


def _rounded(value: float, rng: np.random.Generator) -> int:
    """Return a whole number whose mean is the value."""
    return int(np.floor(value + rng.random()))
