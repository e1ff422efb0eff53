"""Holds the writing of twins by a solver: commissions out, texts in, and only what is faithful becomes a twin.

Never takes a written text as it is, and never calls a failure of the endpoint a decline.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from glass_pipeline.domain.records import FAMILIES, Decline, Distractor, Family, ItemFacts, Problem, Question, Twin
from glass_pipeline.domain.seeding import child_rng
from glass_pipeline.domain.twins.batch import SURFACE, TwinBatch, twins_of_edits
from glass_pipeline.domain.twins.distractors import DistractorIndex
from glass_pipeline.domain.twins.operator import Declined, Edit
from glass_pipeline.domain.twins.registry import OPERATORS
from glass_pipeline.domain.twins.writer import WRITTEN, Commission, commissions, recovered_edit
from glass_pipeline.domain.twins.writer_text import Unfaithful
from glass_pipeline.llm.forms import Answers, Form, Rejected, Respondent, fill_in
from glass_pipeline.llm.structured import Object, Structure

PROMPTS: Mapping[Family, str] = {
    "sentence_reorder": "write-sentence-reorder-v1",
    "entity_rename": "write-entity-rename-v1",
    "math_irrelevant_context": "write-math-irrelevant-context-v1",
}
ATTEMPTS = 3
"""Texts asked for one twin before it is given up."""
QUOTAS: Mapping[Family, int] = {family: OPERATORS[family].quota for family in WRITTEN}
"""Twins of each family asked for one base: as many as the rules make."""

TWIN = Structure(
    name="written_twin",
    schema={
        "type": "object",
        "properties": {"twin": {"type": "string"}},
        "required": ["twin"],
        "additionalProperties": False,
    },
)


def write_twins(
    problems: Iterable[Problem],
    writer: Respondent,
    *,
    suite: str,
    seed: int,
    dose: int,
    distractors: Iterable[Distractor] | DistractorIndex,
    families: Sequence[Family] = FAMILIES,
    quotas: Mapping[Family, int] = QUOTAS,
    attempts: int = ATTEMPTS,
) -> TwinBatch:
    """Have a solver reword problems.

    Surface twins are asked for in words that do not depend on the dose, so the store has those of the other doses.

    Args:
        problems: Base problems in any order.
        writer: The solver that writes, the twins' generator; its temperature makes the twins of one base differ.
        suite: Slug of the suite; part of every seed.
        seed: The study's seed.
        dose: m: how many sentences an injection puts in.
        distractors: Where these sentences come from.
        families: Families to ask for.
        quotas: Twins asked for one base.
        attempts: Texts asked for one twin; after each that is not faithful the writer is told why.

    Returns:
        As ``make_twins``: twins in order of problem, family and number, and a decline for each (problem, family)
        without one. Twins that say the same are one.

    Raises:
        Unanswered: the endpoint failed for some twin; what was answered is stored.
        SolverError: the run stopped; what was answered is stored.
        CannotAnswer: the writer is a simulation.
        ValueError: a family is not written.

    Source: methods §0, C12.
    """
    unknown = set(families) - set(WRITTEN)
    if unknown:
        raise ValueError(f"write_twins: nobody writes {sorted(unknown)[0]!r}; there are {', '.join(WRITTEN)}.")
    bases = list(problems)
    index = distractors if isinstance(distractors, DistractorIndex) else DistractorIndex(distractors)
    desk = Desk(suite, seed, dose, index, quotas)
    made: dict[tuple[str, Family], tuple[Twin, ...] | Decline] = {}
    for family in families:
        wanted, declined = _commissioned(bases, family, desk)
        answers = fill_in(_form(family, wanted), _questions(wanted), writer, attempts=attempts)
        made |= {(decline.base_id, family): decline for decline in declined}
        made |= {
            (base_id, family): _made(each, answers, dose, writer.slug) for base_id, each in _by_base(wanted).items()
        }
    outcomes = [made[problem.base_id, family] for problem in bases for family in families]
    return TwinBatch(
        tuple(twin for outcome in outcomes if not isinstance(outcome, Decline) for twin in outcome),
        tuple(outcome for outcome in outcomes if isinstance(outcome, Decline)),
    )


def writing_questions(
    problems: Iterable[Problem],
    *,
    suite: str,
    seed: int,
    doses: Sequence[int],
    distractors: Iterable[Distractor],
    families: Sequence[Family] = FAMILIES,
    quotas: Mapping[Family, int] = QUOTAS,
) -> dict[Family, list[Question]]:
    """Return what a writer would be asked first, by family; ``estimate`` with ``structure=TWIN`` says what that costs.

    Args:
        problems: Base problems in any order.
        suite: Slug of the suite.
        seed: The study's seed.
        doses: Sentences that an injection puts in, for every dose.
        distractors: Where these come from.
        families: Families to ask for.
        quotas: Twins asked for one base.
    """
    bases, index = list(problems), DistractorIndex(distractors)
    desks = [Desk(suite, seed, dose, index, quotas) for dose in doses]
    return {
        family: [
            replace(question, item_id=f"m{desk.dose}/{question.item_id}")
            for desk in desks
            for question in _questions(_commissioned(bases, family, desk)[0])
        ]
        for family in families
    }


class Desk(NamedTuple):
    """What commissions are made from."""

    suite: str
    seed: int
    dose: int
    distractors: DistractorIndex
    quotas: Mapping[Family, int]


def _commissioned(
    problems: Sequence[Problem], family: Family, desk: Desk
) -> tuple[dict[str, Commission], list[Decline]]:
    """Return what is asked, by item, and the bases of which no such twin can exist."""
    wanted: dict[str, Commission] = {}
    declined: list[Decline] = []
    for problem in problems:
        path = (desk.seed, desk.suite, problem.base_id, "surface" if family in SURFACE else f"m{desk.dose}", family)
        rngs = [child_rng(*path, "written", number) for number in range(desk.quotas[family])]
        try:
            asked = commissions(problem, family, rngs, dose=desk.dose, distractors=desk.distractors)
        except Declined as reason:
            declined.append(Decline(base_id=problem.base_id, dose=desk.dose, family=family, reason=str(reason)))
            continue
        wanted |= {f"{problem.base_id}/{number}": commission for number, commission in enumerate(asked)}
    return wanted, declined


def _form(family: Family, wanted: Mapping[str, Commission]) -> Form[Edit]:
    def read(question: Question, answer: Object) -> Edit:
        text = answer.get("twin")
        if not isinstance(text, str):
            raise Rejected('had no text under "twin"')
        try:
            return recovered_edit(wanted[question.item_id], text)
        except Unfaithful as fault:
            raise Rejected(str(fault)) from None

    return Form(prompt=PROMPTS[family], structure=TWIN, read=read)


def _questions(wanted: Mapping[str, Commission]) -> list[Question]:
    return [
        Question(
            item_id=item_id,
            text=_worded(commission),
            answer_type="exact",
            # Words alone do not tell the twins of one base apart, where nothing was drawn for each.
            draw=f"write/{item_id.rpartition('/')[2]}",
            samples=1,
            facts=ItemFacts(
                gold=commission.problem.gold, base_text=commission.problem.text, family=None, inject_size=None
            ),
        )
        for item_id, commission in wanted.items()
    ]


def _worded(commission: Commission) -> str:
    text = f"<problem>\n{commission.problem.text}\n</problem>"
    if commission.material:
        sentences = "\n".join(distractor.text.strip() for distractor in commission.material)
        return f"{text}\n\n<sentences>\n{sentences}\n</sentences>"
    if commission.names is not None:
        women, men = ", ".join(commission.names.women), ", ".join(commission.names.men)
        return f"{text}\n\n<names>\nwomen: {women}\nmen: {men}\n</names>"
    return text


def _by_base(wanted: Mapping[str, Commission]) -> dict[str, dict[str, Commission]]:
    by_base: dict[str, dict[str, Commission]] = {}
    for item_id, commission in wanted.items():
        by_base.setdefault(commission.problem.base_id, {})[item_id] = commission
    return by_base


def _made(wanted: Mapping[str, Commission], answers: Answers[Edit], dose: int, slug: str) -> tuple[Twin, ...] | Decline:
    """Return the distinct twins of one base and family, or why there is none."""
    first = next(iter(wanted.values()))
    edits = {edit.text: edit for item_id in wanted if (edit := answers.read.get(item_id)) is not None}
    try:
        if not edits:
            last = [answers.rejected[item_id] for item_id in wanted]
            raise Declined(f"written text {last[-1].partition(':')[0]}")
        return tuple(twins_of_edits(first.problem, first.family, dose, tuple(edits.values()), generator=slug))
    except Declined as reason:
        return Decline(base_id=first.problem.base_id, dose=dose, family=first.family, reason=str(reason))
