"""Holds how numbers in running text are read: as exact values, and with the unit or counted noun they belong to.

Never reads model output (see ``grading``), and never evaluates an expression.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache

from text_to_num import alpha2digit

NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-−])?(?P<money>\$\s?)?"
    r"(?:(?P<whole>\d{1,15}) (?P<over>\d{1,9})/(?P<under>\d{1,9})"
    r"|(?P<top>\d{1,15})/(?P<bottom>\d{1,15})"
    r"|(?P<grouped>\d{1,3}(?:,\d{3}){1,8}(?:\.\d{1,15})?)"
    r"|(?P<plain>\d{1,30}(?:\.\d{1,15})?|\.\d{1,15}))"
    r"(?![\d/])(?:(?=\W|$|_)|(?=[a-zA-Z]))(?!(?:st|nd|rd|th)\b)"
    r"(?:\s?-?(?P<scale>hundred|thousand|million|billion|trillion|dozen)\b)?",
    re.IGNORECASE,
)
SPACED_MONEY = re.compile(r"(?<=\$)(\d{1,3}) (?=\d{3}(?!\d))")
SCALED = re.compile(r"(?<=\d)\s(?=(?:hundred|thousand|million|billion|trillion)\b)", re.IGNORECASE)
SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
    "dozen": 12,
}
WORDS = {
    "dozen": Fraction(12),
    "half": Fraction(1, 2),
    "halves": Fraction(1, 2),
    "twice": Fraction(2),
    "double": Fraction(2),
    "thrice": Fraction(3),
    "triple": Fraction(3),
    "quarter": Fraction(1, 4),
    "pair": Fraction(2),
    "couple": Fraction(2),
}
WORD = re.compile(r"[a-z]+")
PARTS = {
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
PART = re.compile(
    rf"\b(?:(?P<count>one|two|three|four|five|six|seven|eight|nine)[ -](?P<of>{'|'.join(PARTS)})s?"
    rf"|an? (?P<single>{'|'.join(PARTS)})(?= (?:of|as)\b))\b"
)
CARDINALS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
CANONICAL = re.compile(r"[-−]?\$?(?P<number>\d[\d,]*(?:\.\d+)?|\.\d+)%?")
GOLD_FRACTION = re.compile(
    r"(?P<sign>[-−]?)(?:\\[dt]?frac\{(?P<a>\d{1,15})\}\{(?P<b>\d{1,15})\}|(?P<c>\d{1,15})/(?P<d>\d{1,15}))"
)


@lru_cache(maxsize=65_536)
def value_list(text: str) -> tuple[Fraction, ...]:
    """Return every quantity a text states, as exact values: digits, fractions, number words, "two dozen", "half".

    ``1,000``, ``1000`` and ``one thousand`` are one value; the 5 of ``15``, of ``5th`` and of ``A5`` is none.
    """
    plain = alpha2digit(_plain_digits(text), "en", threshold=0)
    stated = [value for match in NUMBER.finditer(plain) if (value := _value(match)) is not None]
    lowered = text.lower()
    parts = [_part(match) for match in PART.finditer(lowered)]
    return (*stated, *parts, *(WORDS[word] for word in WORD.findall(lowered) if word in WORDS))


@lru_cache(maxsize=65_536)
def values(text: str) -> frozenset[Fraction]:
    """Return the distinct values of ``value_list``."""
    return frozenset(value_list(text))


@lru_cache(maxsize=16_384)
def gold_value(gold: str) -> Fraction | None:
    """Return the exact value of a canonical gold answer; None if it is no plain number."""
    text = gold.strip().strip("$").strip()
    fraction = GOLD_FRACTION.fullmatch(text)
    if fraction:
        top, bottom = fraction["a"] or fraction["c"], fraction["b"] or fraction["d"]
        return None if int(bottom) == 0 else Fraction(int(top), int(bottom)) * (-1 if fraction["sign"] else 1)
    number = CANONICAL.fullmatch(text)
    if not number or len(text) > 60:
        return None
    return Fraction(number["number"].replace(",", "")) * (-1 if text[0] in "-−" else 1)


def _part(match: re.Match[str]) -> Fraction:
    """Return the value of "two-thirds" or "a fifth of"."""
    count = CARDINALS.index(match["count"]) + 1 if match["count"] else 1
    return Fraction(count, PARTS[match["of"] or match["single"]])


def _plain_digits(text: str) -> str:
    spread = re.sub(r"(?<=\d)(?=[¼-¾⅐-⅞])", " ", text)
    digits = unicodedata.normalize("NFKC", spread).replace("\u2044", "/").replace("{,}", ",")
    # "3 million" is glued, or the number-word reader would see 3 and 1,000,000.
    return SCALED.sub("", SPACED_MONEY.sub(r"\1", SPACED_MONEY.sub(r"\1", digits)))


def _value(match: re.Match[str]) -> Fraction | None:
    sign = -1 if match["sign"] else 1
    scale = SCALES[match["scale"].lower()] if match["scale"] else 1
    if match["under"] is not None:
        return (
            None
            if int(match["under"]) == 0
            else sign * (int(match["whole"]) + Fraction(int(match["over"]), int(match["under"])))
        )
    if match["bottom"] is not None:
        return None if int(match["bottom"]) == 0 else sign * Fraction(int(match["top"]), int(match["bottom"])) * scale
    return sign * Fraction((match["grouped"] or match["plain"]).replace(",", "")) * scale
