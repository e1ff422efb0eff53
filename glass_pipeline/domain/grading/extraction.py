"""Holds the way from a whole reply to its answer: which rule found it, and what became of the reply.

Never compares with the gold answer. Takes time linear in the length of the reply, whatever the reply is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from glass_pipeline.domain.grading import markers
from glass_pipeline.domain.grading.canonical import canonical, canonical_choice
from glass_pipeline.domain.grading.numeric import AMBIGUOUS, Reading, canonical_number, last_number
from glass_pipeline.domain.grading.policy import DEFAULT_POLICY, GradingPolicy
from glass_pipeline.domain.records import AnswerType

RULES = ("boxed", "hashes", "answer_line", "answer_tag", "last_math", "label", "last_number", "last_line", "none")
"""Every rule, in the order in which they are tried; the answer type decides which of them are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What was read from one reply."""

    answer: str | None
    """Canonical answer; None unless the status is ``ok``."""
    span: str | None
    """The piece of the reply that was read, also where it gave no answer."""
    rule: str
    """One of RULES."""
    status: str
    """``ok`` or one of ``records.TERMINAL_STATUSES``."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    rule: str
    span: str
    reading: Reading


_MAX_TRIED = 20
_MAX_WORKING = 12
_THINK = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_ANNOTATION = re.compile(r"<<[^<>\n]{0,200}>>")
_NEXT_QUESTION = re.compile(r"\n[ \t*#]*(?:Question|Q|Problem)[ \t]?\d{0,4}[*]{0,2}:")
_REFUSAL = re.compile(
    r"\s*(?:(?:i['’]?m|i am) (?:very |really |so )?sorry,?(?: but)?|sorry,?(?: but)?|i apologi[sz]e,?(?: but)?|"
    r"unfortunately,?)?\s*(?:i (?:can['’]?t|cannot|can not|am unable to|won['’]?t|will not|must decline to)|"
    r"i['’]m (?:unable|not able) to) (?:help|assist|answer|comply|provide|fulfil|discuss|engage|continue|do that)",
    re.IGNORECASE,
)
_NUMBERED_HEADING = re.compile(r"\d{1,2}[.)]\s+[^\W\d_]")
_PROSE_WORD = re.compile(r"(?<!\\)\b[A-Za-z]{3,}\b(?!\s*\{)")
_MIN_PROSE = 2
_LEADING_LABEL = re.compile(r"\s*\(?([A-J])[.):]\s")
_LONE_LABEL = re.compile(r"\(([A-J])\)|\b([A-J])\b(?=\W{0,5}$|(?:,|/| or| and)\W)")
_MAX_LABEL = 4


def extract(
    text: str,
    *,
    answer_type: AnswerType,
    finish_reason: str | None = None,
    policy: GradingPolicy = DEFAULT_POLICY,
) -> Extraction:
    """Return the answer of a reply, the rule that found it, and the status of the reply.

    Args:
        text: The content of the reply, without ``reasoning_content``.
        answer_type: How the suite's answers are read.
        finish_reason: ``length`` and ``content_filter`` void the answer; what would have been read is still shown.
        policy: What counts as an answer.

    Returns:
        An extraction whose answer is None unless its status is ``ok``.

    Source: grading specification §2.1.
    """
    thought = _without_thinking(text)
    body = _without_next_question(_ANNOTATION.sub("", thought.text))
    found = _read(body, answer_type, policy)
    if finish_reason == "length" or thought.is_open:
        return replace(found, answer=None, status="length")
    if finish_reason == "content_filter":
        return replace(found, answer=None, status="content_filter")
    if not body.strip():
        return replace(found, status="empty")
    if found.rule in {"none", "last_number", "last_line"} and _REFUSAL.match(body):
        return replace(found, answer=None, status="refusal")
    return found


@dataclass(frozen=True, slots=True)
class _Thought:
    text: str
    is_open: bool


def _without_thinking(text: str) -> _Thought:
    """Drop complete thoughts, and what stands before a lone closing tag; a lone opening tag is a cut-off reply."""
    if "<" not in text:
        return _Thought(text, is_open=False)
    kept: list[str] = []
    start, opened_at = 0, -1
    for tag in _THINK.finditer(text):
        if tag[1]:
            kept = kept if opened_at >= 0 else []
            start, opened_at = tag.end(), -1
        elif opened_at < 0:
            kept.append(text[start : tag.start()])
            opened_at = tag.end()
    if opened_at >= 0:
        return _Thought("".join(kept), is_open=True)
    return _Thought("".join([*kept, text[start:]]), is_open=False)


def _without_next_question(text: str) -> str:
    """Cut where a base model goes on with a question of its own, if an answer can stand before that."""
    match = _NEXT_QUESTION.search(text)
    if match and re.search(r"\d|\\boxed", text[: match.start()]):
        return text[: match.start()]
    return text


def _read(body: str, answer_type: AnswerType, policy: GradingPolicy) -> Extraction:
    for candidate in _candidates(body, answer_type, policy):
        if candidate.reading is AMBIGUOUS:
            return Extraction(answer=None, span=candidate.span, rule=candidate.rule, status="ambiguous")
        status = "unparsed" if candidate.reading is None else "ok"
        return Extraction(answer=candidate.reading, span=candidate.span, rule=candidate.rule, status=status)
    return Extraction(answer=None, span=None, rule="none", status="unparsed")


def _candidates(body: str, answer_type: AnswerType, policy: GradingPolicy) -> Iterator[_Candidate]:
    def read(rule: str, span: str) -> _Candidate:
        return _Candidate(rule, span, canonical(span, answer_type=answer_type, policy=policy))

    boxes = markers.find_boxes(body)
    if boxes.last is not None:
        yield read("boxed", boxes.last)
    if boxes.is_open:
        yield _Candidate("boxed", "", None)
    for span in islice(markers.find_hashes(body), _MAX_TRIED):
        candidate = read("hashes", _stated(span.text, answer_type))
        if candidate.reading is not None and not _is_heading(span, answer_type):
            yield candidate
    for span in islice(markers.find_answer_lines(body), _MAX_TRIED):
        candidate = read("answer_line", _stated(span.text, answer_type))
        if candidate.reading is not None and not _is_working(span, candidate.reading):
            yield candidate
    tag = markers.find_tag(body)
    if tag:
        yield read("answer_tag", tag)
    yield from _fallbacks(body, answer_type, policy)


def _stated(span: str, answer_type: AnswerType) -> str:
    """Return the formula of a MATH line that has one, or the number of a sentence; other spans state themselves."""
    if answer_type != "math":
        return span
    formula = markers.first_formula(span)
    if formula is not None:
        return formula
    if len(_PROSE_WORD.findall(span)) < _MIN_PROSE:
        return span
    number = canonical_number(span)
    return number if isinstance(number, str) else ""


def _is_heading(span: markers.Span, answer_type: AnswerType) -> bool:
    """``#### Step 1: add`` and, with text below it, ``#### 1. Add`` or ``#### Result`` are markdown headings."""
    if _NUMBERED_HEADING.match(span.text) or (answer_type != "numeric" and _PROSE_WORD.match(span.text)):
        return not span.ends_reply
    return bool(
        re.match(r"[*_]*(?:step|part|case|method|option|solution|question|problem)\b", span.text, re.IGNORECASE)
    )


def _is_working(span: markers.Span, reading: Reading) -> bool:
    """``Answer:`` can also head the working: then lines follow it, and it holds a sentence or several numbers."""
    if span.ends_reply:
        return False
    return reading is AMBIGUOUS or (span.opens_line and len(span.text.split()) > _MAX_WORKING)


def _fallbacks(body: str, answer_type: AnswerType, policy: GradingPolicy) -> Iterator[_Candidate]:
    if answer_type == "numeric":
        yield from _last_number(body, policy)
    elif answer_type == "math":
        yield from _last_math(body, policy)
        yield from _leading_label(body, policy)
        yield from _last_number(body, policy)
    elif answer_type == "choice":
        yield from _leading_label(body, policy)
        yield from _lone_label(body, policy)
    else:
        line = next(markers.last_lines(body), None)
        if line is not None:
            yield _Candidate("last_line", line, canonical(line, answer_type="exact", policy=policy))


def _last_number(body: str, policy: GradingPolicy) -> Iterator[_Candidate]:
    for line in markers.last_lines(body):
        if any(character.isnumeric() for character in line):
            yield _Candidate("last_number", line, last_number(line, policy=policy))
            return


def _last_math(body: str, policy: GradingPolicy) -> Iterator[_Candidate]:
    formula = next((markers.closing_math(line) for line in markers.last_lines(body)), None)
    if formula is not None:
        after_equals = formula.rsplit("=", 1)[-1]
        yield _Candidate("last_math", after_equals, canonical(after_equals, answer_type="math", policy=policy))


def _leading_label(body: str, policy: GradingPolicy) -> Iterator[_Candidate]:
    match = _LEADING_LABEL.match(body)
    if match:
        yield _Candidate("label", match[0].strip(), canonical_choice(match[1], policy))


def _lone_label(body: str, policy: GradingPolicy) -> Iterator[_Candidate]:
    line = next(markers.last_lines(body), "")
    if len(line) <= _MAX_LABEL:
        yield _Candidate("label", line, canonical_choice(line, policy))
    labels = {match[1] or match[2] for match in _LONE_LABEL.finditer(line)}
    if labels:
        yield _Candidate("label", line, labels.pop() if len(labels) == 1 else AMBIGUOUS)
