"""Holds the asking of adjudicators: is the gold answer of a base still the right one for its twin?

Never decides what becomes of a twin (see ``domain.audit.adjudication``), and never invents a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from glass_pipeline.domain.audit.adjudication import Pair
from glass_pipeline.domain.audit.verdicts import UNPARSABLE, Opinion, Verdict, read_opinion
from glass_pipeline.domain.records import ItemFacts, Question
from glass_pipeline.llm.forms import Form, Rejected, Respondent, fill_in
from glass_pipeline.llm.structured import Object, Structure
from glass_pipeline.study import Solver

AUDIT_PROMPT = "noop-audit-v1"
ATTEMPTS = 3
"""Answers to one pair before it is left as unparsable."""
DRAW = "audit"
"""A re-audit names another, such as ``reaudit/2026-12-07``, and judges anew."""

VERDICT = Structure(
    name="noop_verdict",
    schema={
        "type": "object",
        "properties": {
            "rationale": {"type": "string"},
            "verdict": {"type": "string", "enum": ["no_op", "contradiction"]},
        },
        "required": ["rationale", "verdict"],
        "additionalProperties": False,
    },
)


class Adjudication(NamedTuple):
    """What adjudicators said, and what it took."""

    verdicts: tuple[Verdict, ...]
    """One of each adjudicator on each pair."""
    adjudicators: tuple[str, ...]
    """Their names as the audit records them, in the order in which they were named."""
    requests: int
    """Requests that went out in this run."""
    cost_usd: float | None
    """Of this run; None if nothing was sent or a price is unknown."""


def adjudicate(
    pairs: Sequence[Pair],
    adjudicators: Sequence[Respondent],
    *,
    prompt: str = AUDIT_PROMPT,
    draw: str = DRAW,
    attempts: int = ATTEMPTS,
) -> Adjudication:
    """Have every pair judged by every adjudicator.

    The same base, twin and gold are judged once by each adjudicator and prompt version, in whichever dose files and
    for whichever solvers they appear: the response store has the verdict.

    Args:
        pairs: What to judge; twin ids are distinct.
        adjudicators: Who judges; none of them a simulation.
        prompt: Name of the prompt file.
        draw: Names the verdicts; another name judges anew.
        attempts: Answers asked for before a pair is unparsable.

    Raises:
        Unanswered: an endpoint failed for some pair; what was answered is stored.
        SolverError: the run stopped; what was answered is stored.
        CannotAnswer: an adjudicator is a simulation.
    """
    questions = audit_questions(pairs, draw)
    form = Form(prompt=prompt, structure=VERDICT, read=_opinion)
    verdicts: list[Verdict] = []
    requests, costs, unpriced = 0, [0.0], False
    names = tuple(adjudicator_name(each.slug, each.solver, prompt) for each in adjudicators)
    for name, adjudicator in zip(names, adjudicators, strict=True):
        answers = fill_in(form, questions, adjudicator, attempts=attempts)
        verdicts += (_verdict(pair, name, answers.read.get(pair.twin_id), answers.rejected) for pair in pairs)
        requests += answers.requests
        unpriced |= answers.requests > 0 and answers.cost_usd is None
        costs.append(answers.cost_usd or 0.0)
    return Adjudication(tuple(verdicts), names, requests, None if unpriced or not requests else sum(costs))


def adjudicator_name(slug: str, solver: Solver, prompt: str = AUDIT_PROMPT) -> str:
    """Return how the audit names an adjudicator: slug, model and prompt version."""
    return f"{slug} ({solver.model}, {prompt})"


def audit_questions(pairs: Sequence[Pair], draw: str = DRAW) -> list[Question]:
    """Return what an adjudicator is asked first; ``estimate`` with ``structure=VERDICT`` says what that costs."""
    return [
        Question(
            item_id=pair.twin_id,
            text=(
                f"<original>\n{pair.base_text}\n</original>\n\n<reworded>\n{pair.twin_text}\n</reworded>\n\n"
                f"<answer>\n{pair.gold}\n</answer>"
            ),
            answer_type="exact",
            draw=draw,
            samples=1,
            facts=ItemFacts(gold=pair.gold, base_text=pair.base_text, family=None, inject_size=None),
        )
        for pair in pairs
    ]


def _opinion(_: Question, answer: Object) -> Opinion:
    opinion = read_opinion(answer)
    if opinion is None:
        raise Rejected('had a "verdict" that was neither "no_op" nor "contradiction"')
    return opinion


def _verdict(pair: Pair, adjudicator: str, opinion: Opinion | None, rejected: Mapping[str, str]) -> Verdict:
    if opinion is None:
        opinion = Opinion(
            finding=UNPARSABLE, rationale=f"The last answer was refused because it {rejected[pair.twin_id]}."
        )
    return Verdict(twin_id=pair.twin_id, adjudicator=adjudicator, finding=opinion.finding, rationale=opinion.rationale)
