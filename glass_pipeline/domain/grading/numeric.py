"""Holds the reading of a numeric answer: one span of model text to one canonical number, or to none.

Never guesses: two different numbers, a bound, a ratio, a range or an unevaluated expression are Ambiguous.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Literal

from text_to_num import text2num

from glass_pipeline.domain.grading.numerals import Token, join_space_groups, tokens_of
from glass_pipeline.domain.grading.plain_text import plain_text
from glass_pipeline.domain.grading.policy import DEFAULT_POLICY, GradingPolicy
from glass_pipeline.domain.grading.rationals import render

MAX_SPAN = 2_000
"""Characters of a span that are read; no answer is longer."""


class Ambiguity(enum.Enum):
    """The type of the one value AMBIGUOUS."""

    AMBIGUOUS = "ambiguous"


AMBIGUOUS: Final = Ambiguity.AMBIGUOUS
Reading = str | None | Literal[Ambiguity.AMBIGUOUS]
"""A canonical answer, None where there is none, AMBIGUOUS where there are several."""

_BARE_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_WORDS = re.compile(r"[a-z]+", re.IGNORECASE)
_NUMBER_WORD = re.compile(
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion"
)
_LEADING_WORDS = frozenset(
    ["a", "an", "about", "approximately", "around", "roughly", "exactly", "only", "just", "is", "minus", "negative"]
)
_DEFINITE = frozenset(["the", "all", "these", "those", "his", "her", "its", "their"])
_SPAN_OF_TIME = frozenset(["in", "for", "per", "after", "within", "during", "over", "every"])
_RELATIVE_TO_NOW = frozenset({"from", "ago", "later", "earlier"})
_TIME_UNIT = re.compile(r"(?:second|minute|hour|day|night|week|month|year)s?", re.IGNORECASE)
_MAX_NUMBER_WORDS = 20


def canonical_number(span: str, *, policy: GradingPolicy = DEFAULT_POLICY) -> Reading:
    """Return the one number that an answer span states, as canonical text.

    Args:
        span: What stands after an answer marker, with markup, currency and units.
        policy: What counts as a number.

    Returns:
        An integer, a terminating decimal or ``p/q``; None without a number; AMBIGUOUS with several different ones.

    Source: grading specification §2.1, steps 6 to 9.
    """
    if _BARE_INTEGER.fullmatch(span):
        return span if span != "-0" else "0"
    plain = join_space_groups(plain_text(span[:MAX_SPAN]), is_prose=False)
    tokens = tokens_of(plain, policy)
    if not any(token.kind == "number" for token in tokens):
        return _number_word(plain) if policy.number_words else None
    return _agreed([_stated_value(clause, policy) for clause in _equations(tokens)])


def last_number(line: str, *, policy: GradingPolicy = DEFAULT_POLICY) -> Reading:
    """Return the last number of a line of prose, as canonical text.

    Args:
        line: One line without an answer marker.
        policy: What counts as a number.

    Returns:
        As ``canonical_number``; other numbers earlier in the line do not make the last one ambiguous, and number
        words are not read.
    """
    tokens = tokens_of(join_space_groups(plain_text(line[-MAX_SPAN:]), is_prose=True), policy)
    stated = _without_parentheses(_after_last_equals(tokens))
    places = _stated_places(stated)
    if not places or _is_cut_off(stated):
        return None
    value = _value_at(stated, places[-1], policy)
    return AMBIGUOUS if value is None else render(value)


def _equations(tokens: list[Token]) -> list[list[Token]]:
    """Split ``x = 3, y = 5`` into its equations; anything with at most one equation stays whole."""
    clauses: list[list[Token]] = [[]]
    for token in tokens:
        if token.text in {",", ";", "and"}:
            clauses.append([])
        else:
            clauses[-1].append(token)
    equations = [clause for clause in clauses if any(token.kind == "equals" for token in clause)]
    return equations if len(equations) > 1 else [tokens]


def _stated_value(tokens: list[Token], policy: GradingPolicy) -> Reading:
    stated = _without_parentheses(_after_last_equals(tokens))
    values = [_value_at(stated, place, policy) for place in _stated_places(stated)]
    if not values or _is_cut_off(stated):
        return None
    return _agreed([AMBIGUOUS if value is None else render(value) for value in values])


def _agreed(readings: Sequence[Reading]) -> Reading:
    return readings[0] if len(set(readings)) == 1 else AMBIGUOUS


def _after_last_equals(tokens: list[Token]) -> list[Token]:
    places = [i for i, token in enumerate(tokens) if token.kind == "equals"]
    return tokens[places[-1] :] if places else tokens


def _without_parentheses(tokens: list[Token]) -> list[Token]:
    depth, outside = 0, []
    for token in tokens:
        depth += token.kind == "open"
        if depth == 0:
            outside.append(token)
        depth = max(0, depth - (token.kind == "close"))
    return outside if any(token.kind == "number" for token in outside) else tokens


def _stated_places(tokens: Sequence[Token]) -> list[int]:
    """Return where numbers stand, without those that only give the context of another one.

    Context is a span of time ("18 eggs in 4 weeks" states 18) and what is spoken of as known ("9 ribbons from the 3
    yards of cloth" states 9).
    """
    places = [place for place, token in enumerate(tokens) if token.kind == "number"]
    return [place for place in places if not _is_context(tokens, place)] or places


def _is_context(tokens: Sequence[Token], place: int) -> bool:
    before = tokens[place - 1].text.lower() if place else ""
    after = [token.text for token in tokens[place + 1 : place + 3]]
    is_time = bool(after) and _TIME_UNIT.fullmatch(after[0]) is not None
    return before in _DEFINITE or (is_time and (before in _SPAN_OF_TIME or after[-1] in _RELATIVE_TO_NOW))


def _is_cut_off(tokens: Sequence[Token]) -> bool:
    return tokens[-1].kind == "operator" and tokens[-1].text not in {"*", "-"}


def _value_at(tokens: Sequence[Token], place: int, policy: GradingPolicy) -> Fraction | None:
    if place and _is_spoilt_by(tokens[place - 1], tokens[: place - 1], policy):
        return None
    return None if _is_spoilt_before(tokens[place + 1 : place + 3]) else tokens[place].value


def _is_spoilt_by(before: Token, earlier: Sequence[Token], policy: GradingPolicy) -> bool:
    """Whether the token in front makes a number a bound, an estimate or the operand of an expression."""
    if before.kind == "tilde":
        return policy.approximation == "ambiguous"
    if before.text in {"-", "*"}:
        # "5 - 10" is a range or a difference, "Total - 18" a dash, "* 18" a bullet.
        return bool(earlier) and earlier[-1].kind == "number"
    return before.kind in {"bound", "operator", "times"}


def _is_spoilt_before(later: Sequence[Token]) -> bool:
    """Whether what follows makes a number a factor or an operand."""
    if later and later[0].text in {"√", "π", "^"}:
        return True
    return len(later) == 2 and later[0].kind in {"operator", "times"} and later[1].kind == "number"


def _number_word(plain: str) -> Reading:
    words = [word.lower() for word in _WORDS.findall(plain)[: _MAX_NUMBER_WORDS + 3]]
    start = next((i for i, word in enumerate(words) if word not in _LEADING_WORDS), len(words))
    sign = "-" if {"minus", "negative"} & set(words[:start]) else ""
    if words[start : start + 1] == ["dozen"]:
        return f"{sign}12"
    end = start
    while end < len(words) and (_NUMBER_WORD.fullmatch(words[end]) or _joins(words, end, start)):
        end += 1
    try:
        number = text2num(" ".join(words[start:end]), "en")
    except ValueError:
        return None
    if any(map(_NUMBER_WORD.fullmatch, words[end:])):
        return AMBIGUOUS
    return f"{sign}{number}" if number else "0"


def _joins(words: Sequence[str], place: int, start: int) -> bool:
    return start < place < len(words) - 1 and words[place] == "and" and bool(_NUMBER_WORD.fullmatch(words[place + 1]))
