"""Holds the label of one item: the samples of one draw to the modal answer and Y.

Never asks a solver, and never lets the gold answer touch the vote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from glass_pipeline.domain.grading.equality import Equality, equal
from glass_pipeline.domain.grading.extraction import Extraction, extract
from glass_pipeline.domain.grading.policy import DEFAULT_POLICY, GradingPolicy
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict, pair_of, settle
from glass_pipeline.domain.grading.voting import DEFAULT_RULE, VotingRule, modal
from glass_pipeline.domain.records import TERMINAL_STATUSES, AnswerType

_ENDPOINT_VERDICTS = frozenset({"length", "content_filter", "refusal"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One reply of a solver that is not going to change."""

    status: str
    """``ok`` or one of ``records.TERMINAL_STATUSES``."""
    text: str
    finish_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What the samples of one item say."""

    modal_answer: str | None
    y: int
    """1 if the modal answer is right, else 0 (methods §1.1)."""
    how: str
    """Comparison that decided y (see ``equality.Equality``)."""
    n_samples: int
    n_correct: int
    """Samples whose own answer is right."""
    answers: tuple[str | None, ...]
    """Canonical answer of each sample."""
    correct: tuple[bool, ...]
    """Whether each sample's own answer is right."""
    rules: tuple[str, ...]
    """Extraction rule of each sample."""
    statuses: tuple[str, ...]
    """``ok`` or a terminal status for each sample."""
    open_pairs: tuple[MathPair, ...]
    """MATH answers that a computer algebra system has not been asked about and may still accept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marking:
    """How a suite turns replies into labels."""

    policy: GradingPolicy = DEFAULT_POLICY
    voting: VotingRule = DEFAULT_RULE
    verdicts: Mapping[MathPair, MathVerdict] = field(default_factory=dict)
    """What a computer algebra system has said so far about pairs of MATH answers."""


DEFAULT_MARKING = Marking()


def label(
    samples: Sequence[Sample],
    gold: str,
    answer_type: AnswerType,
    marking: Marking = DEFAULT_MARKING,
) -> Label:
    """Return the label of one item.

    Args:
        samples: Replies in the order of sampling, none of them transient.
        gold: The gold answer.
        answer_type: How the suite's answers are read.
        marking: Policies, and the second opinions at hand.

    Raises:
        ValueError: there is no sample, or one has a transient status.
        GoldError: the gold answer cannot be read.

    Source: methods §1.1.
    """
    extractions = [read_sample(sample, answer_type, marking.policy) for sample in samples]
    answers = tuple(extraction.answer for extraction in extractions)
    winner = modal(answers, rule=marking.voting)
    pairs = _pairs(extractions, gold, marking.policy) if answer_type == "math" else {}
    verdicts = {answer: _judge(answer, gold, answer_type, marking, pairs.get(answer)) for answer in {*answers, winner}}
    return Label(
        modal_answer=winner,
        y=int(verdicts[winner].equal),
        how=verdicts[winner].how,
        n_samples=len(answers),
        n_correct=sum(verdicts[answer].equal for answer in answers),
        answers=answers,
        correct=tuple(verdicts[answer].equal for answer in answers),
        rules=tuple(extraction.rule for extraction in extractions),
        statuses=tuple(extraction.status for extraction in extractions),
        open_pairs=tuple(sorted(pair for pair in set(pairs.values()) if pair not in marking.verdicts)),
    )


def read_sample(sample: Sample, answer_type: AnswerType, policy: GradingPolicy = DEFAULT_POLICY) -> Extraction:
    """Return what one sample answers; one that was cut off, filtered or refused has no answer.

    Raises:
        ValueError: the sample has a transient status.
    """
    if sample.status != "ok" and sample.status not in TERMINAL_STATUSES:
        raise ValueError(
            f"A sample has the status {sample.status!r}, which is no answer yet; ask again before grading."
        )
    found = extract(sample.text, answer_type=answer_type, finish_reason=sample.finish_reason, policy=policy)
    if sample.status in _ENDPOINT_VERDICTS:
        return Extraction(answer=None, span=found.span, rule=found.rule, status=sample.status)
    return found


def _pairs(extractions: Sequence[Extraction], gold: str, policy: GradingPolicy) -> dict[str | None, MathPair]:
    """Return the pair to ask about for each answer, from the reply that gave the answer first."""
    first = {found.answer: found for found in reversed(extractions)}
    pairs = {answer: pair_of(found, gold, policy=policy) for answer, found in first.items()}
    return {answer: pair for answer, pair in pairs.items() if pair is not None}


def _judge(answer: str | None, gold: str, answer_type: AnswerType, marking: Marking, pair: MathPair | None) -> Equality:
    if pair is not None and pair in marking.verdicts:
        return settle(marking.verdicts[pair])
    return equal(answer, gold, answer_type=answer_type, policy=marking.policy)
