"""Holds which samples of a question are asked for in the next round, where sampling may stop early.

Three of five samples at first, then one and one: what is not asked for could not have changed the modal answer. Never
asks anything, and never stops a question that wants all its samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from glass_pipeline.domain.grading.curtailment import can_stop
from glass_pipeline.domain.grading.labels import Sample, read_sample
from glass_pipeline.domain.records import TRANSIENT_STATUSES, Question, Reply
from glass_pipeline.llm.plan import Cell


def opening(question: Question) -> Question:
    """Return what of a question is asked first: all of it, or where it may stop, more than half of its samples."""
    return replace(question, samples=question.samples // 2 + 1) if question.may_stop else question


def further(questions: Sequence[Question], replies: Mapping[Cell, Sequence[Reply]]) -> list[Question]:
    """Return the questions whose modal answer may still change, each with one sample more than it has.

    A question with a sample that failed on the way is left for the next run: nobody knows yet what that sample says.

    Args:
        questions: As handed to ``solve``.
        replies: What each of them has so far.
    """
    return [
        replace(question, samples=len(replies[Cell(question.item_id, question.draw)]) + 1)
        for question in questions
        if question.may_stop and _is_open(question, replies[Cell(question.item_id, question.draw)])
    ]


def _is_open(question: Question, replies: Sequence[Reply]) -> bool:
    if len(replies) >= question.samples or any(reply.status in TRANSIENT_STATUSES for reply in replies):
        return False
    samples = [Sample(status=reply.status, text=reply.text, finish_reason=reply.finish_reason) for reply in replies]
    return not can_stop([read_sample(sample, question.answer_type).answer for sample in samples], question.samples)
