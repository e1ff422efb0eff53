"""Holds the way from LaTeX, markdown and typographic characters to plain text with the same numbers in it.

Never reads a value and never joins two numbers into one, except across a thousands separator.
"""

from __future__ import annotations

import re
import unicodedata

VULGAR_FRACTIONS = {
    character: unicodedata.normalize("NFKC", character).replace("\u2044", "/") for character in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
DASHES = str.maketrans(dict.fromkeys("\u2212\u2013\u2012\u2010\u2011\ufe63\uff0d", "-"))

_TYPOGRAPHY = str.maketrans(
    {
        "\u2014": "; ",
        "\u2044": "/",
        "⋅": "×",
        "·": "×",
        "∙": "×",
        "∼": "~",
        "≅": "≈",
        "⩽": "≤",
        "⩾": "≥",
    }
)
_SUPERSCRIPT_RUN = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_NARROW_GROUP = re.compile(r"(?<=\d)[\u00a0\u2009\u202f\u2007](?=\d{3}(?!\d))")
_LATEX_GROUP = re.compile(r"(?<=\d)(?:\\[,;: ]|~)(?=\d{3}(?!\d))")
_FRACTION = re.compile(r"\\[dtc]?frac\s*(?:\{\s*(-?\d+)\s*\}|(\d))\s*(?:\{\s*(\d+)\s*\}|(\d))")
_COMMAND = re.compile(r"\\([a-zA-Z]+|.)", re.DOTALL)
_BRACED_POWER = re.compile(r"\^\s*\{\s*([-+]?\w*)\s*\}")
_CURRENCY = "$€£¥₹₩₪฿¢"
_CURRENCY_GROUPS = re.compile(rf"[{_CURRENCY}]\s?\d{{1,3}}(?: \d{{3}})+(?![\d/,])")
_SIGNED_CURRENCY = re.compile(rf"([-+])\s?[{_CURRENCY}]\s?(?=[\d.])")
_CURRENCY_SIGN = re.compile(rf"[{_CURRENCY}]\s?")
_ASCII_RELATION = re.compile(r"<=|>=|==")
_RELATIONS = {"<=": "≤", ">=": "≥", "==": "="}
_ARROW = re.compile(r"(?:=>|->|[→⇒⟹])(?P<leads_on>(?=\s*[-+]?\.?\d))?")
_MARKDOWN = re.compile(r"\*\*+|__+|`+|(?<!\w)_|_(?!\w)|(?<![\s\d)])\*|\*(?![\s\d(])|(?:(?<=\s)|^)\*(?=\d)")
_LATEX_WORDS = {
    "$": "$",
    "%": "%",
    "!": "",
    "times": "×",
    "cdot": "×",
    "div": "÷",
    "approx": "≈",
    "simeq": "≈",
    "sim": "~",
    "le": "≤",
    "leq": "≤",
    "leqslant": "≤",
    "lt": "<",
    "ge": "≥",
    "geq": "≥",
    "geqslant": "≥",
    "gt": ">",
    "ne": "≠",
    "neq": "≠",
    "pm": "±",
    "to": "→",
    "rightarrow": "→",
    "Rightarrow": "→",
    "implies": "→",
    "sqrt": "√",
    "pi": "π",
    "left": "",
    "right": "",
}


def plain_text(span: str) -> str:
    """Return a span as plain text: no markup, one kind of minus sign, no currency sign, its numbers untouched.

    Args:
        span: A short piece of model text (the caller bounds its length).

    Returns:
        Text in which ``-`` is the only minus, ``a/b`` the only fraction, ``^`` the only power, and ``=`` stands for
        every sign of an equation chain.
    """
    if not span.isascii():
        span = _from_typography(span)
    if "\\" in span or "{" in span:
        span = _from_latex(span)
    if not span.isalnum():
        span = _ASCII_RELATION.sub(lambda match: _RELATIONS[match[0]], span)
        span = _CURRENCY_GROUPS.sub(lambda match: re.sub(r"(?<=\d) ", ",", match[0]), span)
        span = _CURRENCY_SIGN.sub(" ", _SIGNED_CURRENCY.sub(r"\1", span))
        span = _MARKDOWN.sub(" ", _ARROW.sub(_plain_arrow, span))
    return " ".join(span.split())


def unify_typography(span: str) -> str:
    """Return a span with vulgar fractions as ``a/b``, superscripts as powers, one minus sign, and NFKC elsewhere."""
    if span.isascii():
        return span
    span = _NARROW_GROUP.sub(",", span)
    span = "".join(f" {VULGAR_FRACTIONS[c]}" if c in VULGAR_FRACTIONS else c for c in span)
    span = _SUPERSCRIPT_RUN.sub(lambda match: "^" + match[0].translate(SUPERSCRIPTS), span)
    return unicodedata.normalize("NFKC", span.translate(DASHES))


def _from_typography(span: str) -> str:
    # The sign of "-½" must stay at its number.
    return re.sub(r"(?<![\d\w])([-+]) (?=\d)", r"\1", unify_typography(span).translate(_TYPOGRAPHY))


def _from_latex(span: str) -> str:
    span = _LATEX_GROUP.sub(",", span.replace("{,}", ",").replace("{.}", "."))
    span = span.replace("\\!", "")
    span = _FRACTION.sub(_plain_fraction, span)
    span = _COMMAND.sub(lambda match: _LATEX_WORDS.get(match[1], " "), span)
    return _BRACED_POWER.sub(r"^\1", span).translate({ord("{"): " ", ord("}"): " "})


def _plain_arrow(match: re.Match[str]) -> str:
    """An arrow that leads on to a number is a step of a chain."""
    return " " if match["leads_on"] is None else "="


def _plain_fraction(match: re.Match[str]) -> str:
    before = match.string[match.start() - 1] if match.start() else " "
    gap = " " if before.isdigit() else ""
    return f"{gap}{match[1] or match[2]}/{match[3] or match[4]} "
