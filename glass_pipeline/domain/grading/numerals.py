"""Holds the lexer of numeric answers: plain text to tokens, each number with its exact value.

Never decides which number is the answer (see ``numeric``), and never evaluates an expression.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from glass_pipeline.domain.grading.policy import GradingPolicy
from glass_pipeline.domain.grading.rationals import parse_decimal, snap

_UNSIGNED = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d+)(?:\.\d+)?|(?<![\w.])\.\d+"
_TOKEN = re.compile(
    rf"""
    (?P<colons>(?<![\d:.,])\d{{1,15}}(?:(?::|\ :\ )\d{{1,15}})+(?!\d))
  | (?P<number>
        (?P<sign>(?<![\w.)%^-])[-+]|\A[-+]\ |(?<==\ )[-+]\ )?
        (?P<digits>{_UNSIGNED})
        (?:
            \ ?[×xX*]\ ?10\ ?(?:\^|\*\*)\ ?(?P<power>[-+]?\d{{1,9}})
          | (?<=10)\ ?\^\ ?(?P<power_of_ten>[-+]?\d{{1,9}})
          | [eE](?P<exponent>[-+]?\d{{1,9}})(?!\w)
          | \ ?/\ ?(?P<denominator>\d[\d,]*(?:\.\d+)?)
          | (?:\ |-|\ and\ )(?P<part>\d+)/(?P<whole>\d+)(?![\d/])
        )?
    )
  | (?P<times>(?<=\d)\ ?[xX](?=\ ?\d))
  | (?P<word>[^\W\d_][^\W_]*(?:\.(?=\d)|\ ?\^\ ?-?\d+)?)
  | (?P<equals>[=≈])
  | (?P<bound>[<>≤≥≠±√])
  | (?P<tilde>~)
  | (?P<operator>[-+×*/÷^])
  | (?P<percent>%)
  | (?P<open>\()
  | (?P<close>\))
  | (?P<other>\S)
    """,
    re.VERBOSE,
)
_ZERO_GROUPS = re.compile(r"(?<![\w.,/])\d{1,3}(?: \d{3})* 0\d\d(?: \d{3})*(?![\d/,])")
_SPACE_GROUPS = re.compile(r"(?<![\w.,/])\d{1,3}(?: \d{3})+(?![\d/,])")
_CLOCK = re.compile(r"\d{1,2}(?::\d\d){1,2}")
_WHOLE_HOUR = re.compile(r"^\d{1,2}(?::00)+$")
_SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_ORDINAL_ENDINGS = {"st", "nd", "rd", "th"}


class Token(NamedTuple):
    """One piece of plain text."""

    kind: str
    """Name of the group of the lexer that matched."""
    text: str
    start: int
    value: Fraction | None = None
    """Exact value of a number; None where it has none that could be an answer."""

    @property
    def end(self) -> int:
        """Index after the last character."""
        return self.start + len(self.text)


def join_space_groups(plain: str, *, is_prose: bool) -> str:
    """Return text in which ``118 000`` is one number.

    Args:
        plain: What ``plain_text`` returned.
        is_prose: Two numbers may stand side by side ("on day 2 100 people came"), so that only a group that begins
            with 0 is a group for sure.
    """
    if " " not in plain:
        return plain
    groups = _ZERO_GROUPS if is_prose else _SPACE_GROUPS
    return groups.sub(lambda match: match[0].replace(" ", ","), plain)


def tokens_of(plain: str, policy: GradingPolicy) -> list[Token]:
    """Return the tokens of plain text, numbers with their units and scales folded in.

    Args:
        plain: What ``plain_text`` returned.
        policy: Decides scales, ordinals, percent, grouping, clocks, ratios and float artefacts.
    """
    tokens: list[Token] = []
    for match in _TOKEN.finditer(plain):
        kind = match.lastgroup or "other"
        if kind == "word" and tokens and tokens[-1].kind == "number":
            tokens[-1] = _with_word(tokens[-1], match, policy)
        elif kind == "percent" and tokens and tokens[-1].kind == "number":
            tokens[-1] = _as_percent(tokens[-1], policy)
            continue
        elif match["number"] is not None:
            value = None if _is_fragment(tokens, match.start()) else _number_value(match, policy)
            tokens.append(Token("number", match[0], match.start(), value))
            continue
        elif kind == "colons":
            tokens.append(Token("number", match[0], match.start(), _colons_value(match[0], policy)))
            continue
        tokens.append(Token(kind, match[0], match.start()))
    return tokens


def _is_fragment(tokens: list[Token], start: int) -> bool:
    """Whether a number is glued to another by a point or comma that is no separator: ``1.234,50``, ``1.000.000``."""
    if len(tokens) < 2 or tokens[-1].text not in {".", ",", "_"}:
        return False
    return tokens[-2].kind == "number" and tokens[-2].end == tokens[-1].start and tokens[-1].end == start


def _number_value(match: re.Match[str], policy: GradingPolicy) -> Fraction | None:
    digits = match["digits"]
    if not policy.indian_grouping and re.search(r",\d\d,", digits):
        return None
    if match["power_of_ten"]:
        return parse_decimal("1", exponent=int(match["power_of_ten"])) if digits == "10" else None
    exponent = int(match["power"] or match["exponent"] or 0)
    value = parse_decimal(digits, exponent=exponent)
    if value is None:
        return None
    if policy.float_artefacts == "snapped" and "." in digits:
        value = snap(value, len(digits.replace(",", "").replace(".", "").lstrip("0")))
    value = _with_fraction(value, match)
    return -value if value is not None and match["sign"] and match["sign"].startswith("-") else value


def _with_fraction(value: Fraction, match: re.Match[str]) -> Fraction | None:
    if match["denominator"]:
        divisor = parse_decimal(match["denominator"])
        return value / divisor if divisor else None
    if match["whole"]:
        part, whole = parse_decimal(match["part"]), parse_decimal(match["whole"])
        return value + part / whole if part is not None and whole and value.denominator == 1 else None
    return value


def _colons_value(text: str, policy: GradingPolicy) -> Fraction | None:
    if _CLOCK.fullmatch(text):
        return Fraction(int(text.split(":")[0])) if policy.clock == "whole_hour" and _WHOLE_HOUR.search(text) else None
    terms = [int(term) for term in text.split(":")]
    if policy.ratio == "quotient" and len(terms) == 2 and terms[1]:
        return Fraction(*terms)
    return None


def _with_word(number: Token, match: re.Match[str], policy: GradingPolicy) -> Token:
    word, is_glued = match[0], match.start() == number.end
    if number.value is None:
        return number
    if word.lower() in _SCALES or (is_glued and word in {"k", "K"}):
        scale = Fraction(10) ** _SCALES.get(word.lower(), 3)
        return number._replace(value=number.value * scale if policy.scale_words else None)
    if is_glued and word in _ORDINAL_ENDINGS and not policy.ordinals:
        return number._replace(value=None)
    return _as_percent(number, policy) if word.lower() == "percent" else number


def _as_percent(number: Token, policy: GradingPolicy) -> Token:
    if policy.percent == "fraction" and number.value is not None:
        return number._replace(value=number.value / 100)
    return number
