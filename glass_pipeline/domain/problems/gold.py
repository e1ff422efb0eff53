"""Holds the canonical form of a gold answer, one function an answer type.

Never reads an answer out of a model's words (see ``domain.grading``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from glass_pipeline.domain.problems.item import SourceError
from glass_pipeline.domain.records import AnswerType

NUMBER = re.compile(r"[-+]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})")
RATIO = re.compile(r"[-+]?[0-9]{1,400}/[0-9]{1,400}")
CHOICE = re.compile(r"\(?([A-Za-z0-9])[).]?")
DECORATION = str.maketrans({"$": "", ",": "", "%": "", " ": "", "\u00a0": "", "−": "-"})
SHOWN = 60


def canonical_gold(answer: Any, answer_type: AnswerType) -> str:
    """Return the gold answer in the canonical form of its type.

    ``numeric``: without ``$ , %``, leading zeros and trailing ``.0`` ("1,000.50" is "1000.5"); a ratio in
    lowest terms. ``choice``: the option's letter or digit. ``math`` and ``exact``: the text without outer
    white space.

    Raises:
        SourceError: not a number (numeric), not one letter or digit (choice).

    Source: methods §1.1.
    """
    return CANONICAL_FORMS[answer_type](answer)


def _numeric(answer: Any) -> str:
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        raise _not_a_number(answer)
    written = _decimal_digits(answer) if isinstance(answer, int | float) else answer.translate(DECORATION)
    if RATIO.fullmatch(written):
        return _lowest_terms(written)
    if not NUMBER.fullmatch(written):
        raise _not_a_number(answer)
    digits = format(Decimal(written), "f")
    whole, _, decimals = digits.partition(".")
    decimals = decimals.rstrip("0")
    sign = "-" if whole.startswith("-") and (whole.strip("-0") or decimals) else ""
    whole = whole.lstrip("+-").lstrip("0") or "0"
    return f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"


def _decimal_digits(answer: int | float) -> str:
    try:
        return format(Decimal(repr(answer)), "f")
    except ValueError:
        raise SourceError("the answer has more digits than can be read; shorten it") from None


def _lowest_terms(written: str) -> str:
    if not written.partition("/")[2].strip("0"):
        raise _not_a_number(written)
    return str(Fraction(written))


def _choice(answer: Any) -> str:
    found = CHOICE.fullmatch(str(answer).strip())
    if found is None:
        raise SourceError(f"the answer {str(answer)[:SHOWN]!r} is not one option letter; write A, B, C …")
    return found.group(1).upper()


def _verbatim(answer: Any) -> str:
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        raise SourceError(f"the answer {repr(answer)[:SHOWN]} is not text; write it as a string")
    return str(answer).strip()


def _not_a_number(answer: Any) -> SourceError:
    return SourceError(
        f"the answer {repr(answer)[:SHOWN]} is not a number; correct it or set answer_type in glass.toml"
    )


CANONICAL_FORMS: Mapping[AnswerType, Callable[[Any], str]] = {
    "numeric": _numeric,
    "math": _verbatim,
    "choice": _choice,
    "exact": _verbatim,
}
