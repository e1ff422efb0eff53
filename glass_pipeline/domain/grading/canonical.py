"""Holds the canonical form of an answer, one function for each answer type: what votes are counted over.

Never looks at the gold answer and never sees a whole reply.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from fractions import Fraction

from glass_pipeline.domain.grading.latex import normal_form
from glass_pipeline.domain.grading.numeric import AMBIGUOUS, MAX_SPAN, Reading, canonical_number
from glass_pipeline.domain.grading.plain_text import plain_text
from glass_pipeline.domain.grading.policy import DEFAULT_POLICY, GradingPolicy
from glass_pipeline.domain.grading.rationals import parse_decimal, render
from glass_pipeline.domain.records import AnswerType

_ASSIGNMENT = re.compile(r"(?:[a-zA-Z]\w?(?:\([a-z](?:,[a-z])*\))?|\\[a-z]+)(?:=|\\in(?![a-zA-Z]))(?=.)")
_FRACTION = re.compile(r"(?P<sign>[-+]?)(?P<whole>\d*)\\frac\{(?P<part>-?\d+)\}\{(?P<parts>\d+)\}")
_SCIENTIFIC = re.compile(r"(?P<digits>[-+]?(?:\d+(?:\.\d*)?|\.\d+))(?:\\(?:times|cdot)10\^\{?(?P<power>-?\d{1,9})\}?)?")
_ASCII_LETTERS = re.compile(r"[A-Za-z]{2,}")
_LABEL_SPAN = re.compile(r"(?i:option |choice )?\(?([A-J]|[1-9])\)?(?!\w|[.,]\d)")
_LOWER_LABEL_SPAN = re.compile(r"\(?([a-j])[).]?")
_SECOND_LABEL = re.compile(r"\s*(?:,|/|&|or\b|and\b)\s*\(?(?:[A-J]|[1-9])\b")
_ARTICLE = re.compile(r"[AI] (?!because\b|since\b|as\b|is\b|and\b|or\b)[a-z]")
_BRACKETS = {"(": ")", "[": "]"}


def canonical(span: str, *, answer_type: AnswerType, policy: GradingPolicy = DEFAULT_POLICY) -> Reading:
    """Return the canonical form of an answer span.

    Args:
        span: What an answer marker points at.
        answer_type: How the suite's answers are read.
        policy: What counts as the same answer.

    Returns:
        Text that is equal for equal answers, None where the span states none, AMBIGUOUS where it states several.
    """
    return _CANONICAL[answer_type](span, policy)


def canonical_math(span: str, policy: GradingPolicy) -> Reading:
    """Return a MATH answer in normal form, its rationals written as ``rationals.render`` writes them."""
    form = normal_form(span)
    elements = [_element(element, policy) for element in _split_top_level(_listed(form), ",")]
    if len(elements) > 1 and policy.list_order == "free" and "\\ldots" not in elements:
        elements.sort()
    # The space keeps the list 32, 349 apart from the number 32,349.
    return ", ".join(elements) if all(elements) else form or None


def canonical_choice(span: str, policy: GradingPolicy) -> Reading:
    """Return the label of a choice: ``B`` for ``(B)``, ``B.``, ``B) because …``; lower case only if it stands alone."""
    plain = plain_text(span[:MAX_SPAN]).strip(" '\"")
    label = _LABEL_SPAN.match(plain) or _LOWER_LABEL_SPAN.fullmatch(plain)
    if label is None or _ARTICLE.match(plain):
        return None
    return AMBIGUOUS if _SECOND_LABEL.match(plain, label.end()) else label[1].upper()


def canonical_exact(span: str, policy: GradingPolicy) -> Reading:
    """Return a text answer: NFKC, case-folded, white space collapsed, without surrounding quotes and full stop."""
    text = unicodedata.normalize("NFKC", span[:MAX_SPAN]).casefold()
    return " ".join(text.split()).strip(" *_`\"'.") or None


def _canonical_numeric(span: str, policy: GradingPolicy) -> Reading:
    return canonical_number(span, policy=policy)


_CANONICAL: Mapping[AnswerType, Callable[[str, GradingPolicy], Reading]] = {
    "numeric": _canonical_numeric,
    "math": canonical_math,
    "choice": canonical_choice,
    "exact": canonical_exact,
}


def _listed(form: str) -> str:
    """Return what a set lists; anything else as it is."""
    assignment = _ASSIGNMENT.match(form)
    braced = form[assignment.end() :] if assignment else form
    is_set = braced.startswith("\\{") and braced.endswith("\\}") and braced.count("\\{") == 1
    return braced[2:-2] if is_set else form


def _element(form: str, policy: GradingPolicy) -> str:
    """Return one element of a list: without ``x=``, brackets with canonical coordinates, rationals rendered."""
    assignment = _ASSIGNMENT.match(form)
    if assignment and form.count("=") <= 1:
        form = form[assignment.end() :]
    unions = _split_top_level(form, "\\cup")
    if len(unions) > 1:
        return "\\cup".join(_element(part, policy) for part in unions)
    inner = _inside_brackets(form)
    if inner is None:
        return _leaf(form, policy)
    coordinates = _split_top_level(inner, ",")
    if len(coordinates) == 1:
        return inner if re.fullmatch(r"[A-Z]", inner) else form
    return form[0] + ",".join(_element(part, policy) for part in coordinates) + form[-1]


def _leaf(form: str, policy: GradingPolicy) -> str:
    value = _rational(form)
    if value is not None:
        return render(value)
    if policy.word_case == "ignored" and _ASCII_LETTERS.fullmatch(form):
        return form.casefold()
    return form.removeprefix("+")


def _rational(form: str) -> Fraction | None:
    scientific = _SCIENTIFIC.fullmatch(form)
    if scientific:
        return parse_decimal(scientific["digits"], exponent=int(scientific["power"] or 0))
    fraction = _FRACTION.fullmatch(form)
    if not fraction:
        return None
    whole = parse_decimal(fraction["whole"] or "0")
    part, parts = parse_decimal(fraction["part"]), parse_decimal(fraction["parts"])
    if whole is None or part is None or not parts or (whole and part < 0):
        return None
    value = whole + part / parts
    return -value if fraction["sign"] == "-" else value


def _inside_brackets(form: str) -> str | None:
    """Return what one pair of brackets around the whole form encloses; half-open intervals count."""
    if len(form) < 3 or form[0] not in _BRACKETS or form[-1] not in _BRACKETS.values():
        return None
    depth = 0
    for place, character in enumerate(form):
        depth += (character in "([") - (character in ")]")
        if depth == 0:
            return form[1:-1] if place == len(form) - 1 else None
    return None


def _split_top_level(form: str, separator: str) -> list[str]:
    if separator not in form:
        return [form]
    parts, depth, start = [], 0, 0
    for place, character in enumerate(form):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and form.startswith(separator, place):
            parts.append(form[start:place])
            start = place + len(separator)
    return [*parts, form[start:]]
