"""Holds the grading of any file of answers: rows in, the same rows with a verdict out.

Never opens a file: its caller reads the rows and writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.grading.canonical import canonical
from glass_pipeline.domain.grading.equality import Equality, GoldError, equal
from glass_pipeline.domain.grading.extraction import Extraction, extract
from glass_pipeline.domain.grading.numeric import AMBIGUOUS
from glass_pipeline.domain.grading.policy import DEFAULT_POLICY, GradingPolicy
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict, SecondOpinion, pair_of, settle
from glass_pipeline.domain.records import AnswerType

ANSWER_TYPES: Mapping[str, AnswerType] = {
    "gsm8k": "numeric",
    "numeric": "numeric",
    "math": "math",
    "choice": "choice",
    "exact": "exact",
}
"""What the field ``dataset`` of a row may say."""

_CHUNK = 500


class RowError(BadInput):
    """A row that cannot be graded; the message names its line."""


@dataclass(frozen=True, slots=True)
class _Graded:
    row: Mapping[str, Any]
    found: Extraction
    verdict: Equality
    pair: MathPair | None


def grade_rows(
    rows: Iterable[Mapping[str, Any]],
    *,
    policy: GradingPolicy = DEFAULT_POLICY,
    second_opinion: SecondOpinion | None = None,
) -> Iterator[dict[str, Any]]:
    """Grade rows one by one, in order.

    Args:
        rows: ``{"response": … or "answer": …, "gold": …, "dataset": "gsm8k" | "math" | "choice" | "exact"}``, with an
            optional ``finish_reason``; a ``response`` is a whole reply, an ``answer`` only its answer.
        policy: What counts as the same answer.
        second_opinion: Asked about whole chunks of MATH answers that the own comparison does not accept.

    Yields:
        The row with ``answer`` (canonical, or None), ``rule`` (``given`` without a reply), ``status``, ``correct``
        and ``how``.

    Raises:
        RowError: a field is missing or of the wrong type, or the gold cannot be read; names the line, from 1.
    """
    numbered = iter(enumerate(rows, start=1))
    while chunk := list(islice(numbered, _CHUNK)):
        graded = [_grade(row, line, policy) for line, row in chunk]
        opinions = _ask(graded, second_opinion)
        for item in graded:
            verdict = settle(opinions[item.pair]) if item.pair in opinions else item.verdict
            yield {
                **item.row,
                "answer": item.found.answer,
                "rule": item.found.rule,
                "status": item.found.status,
                "correct": verdict.equal,
                "how": verdict.how,
            }


def _ask(graded: Sequence[_Graded], second_opinion: SecondOpinion | None) -> dict[MathPair, MathVerdict]:
    pairs = sorted({item.pair for item in graded if item.pair is not None})
    if second_opinion is None or not pairs:
        return {}
    return dict(zip(pairs, second_opinion(pairs), strict=True))


def _grade(row: Mapping[str, Any], line: int, policy: GradingPolicy) -> _Graded:
    answer_type = _answer_type(row, line)
    gold = _text(row, "gold", line)
    if "response" in row:
        found = extract(
            _text(row, "response", line),
            answer_type=answer_type,
            finish_reason=row.get("finish_reason"),
            policy=policy,
        )
    else:
        found = _given(_text(row, "answer", line), answer_type, policy)
    try:
        verdict = equal(found.answer, gold, answer_type=answer_type, policy=policy)
    except GoldError as error:
        raise RowError(f"Line {line}: {error}") from None
    pair = pair_of(found, gold, policy=policy) if answer_type == "math" else None
    return _Graded(row, found, verdict, pair)


def _given(span: str, answer_type: AnswerType, policy: GradingPolicy) -> Extraction:
    reading = canonical(span, answer_type=answer_type, policy=policy)
    if reading is AMBIGUOUS:
        return Extraction(answer=None, span=span, rule="given", status="ambiguous")
    status = "ok" if reading is not None else "unparsed" if span.strip() else "empty"
    return Extraction(answer=reading, span=span, rule="given", status=status)


def _answer_type(row: Mapping[str, Any], line: int) -> AnswerType:
    if not isinstance(row, Mapping):
        raise RowError(f"Line {line}: not a JSON object; each row needs gold, dataset, and response or answer.")
    dataset = row.get("dataset")
    if not isinstance(dataset, str) or dataset not in ANSWER_TYPES:
        raise RowError(f"Line {line}: dataset is {dataset!r}; it must be one of {', '.join(ANSWER_TYPES)}.")
    return ANSWER_TYPES[dataset]


def _text(row: Mapping[str, Any], name: str, line: int) -> str:
    value = row.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        wanted = "response or answer" if name == "answer" else name
        raise RowError(f"Line {line}: no text in the field {wanted}; found {value!r:.40}.")
    return str(value)
