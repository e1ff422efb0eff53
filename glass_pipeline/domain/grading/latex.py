"""Holds the normal form of a MATH answer: LaTeX text in, one spelling of the same LaTeX out.

Never does algebra: what needs a computer algebra system is for the second opinion (see ``second_opinion``).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from glass_pipeline.domain.grading.plain_text import unify_typography

MAX_SPAN = 2_000
"""Characters of a span that are read; no answer is longer."""

_UNICODE = str.maketrans(
    {
        "π": "\\pi ",
        "∞": "\\infty ",
        "√": "\\sqrt ",
        "×": "\\times ",
        "·": "\\cdot ",
        "⋅": "\\cdot ",
        "÷": "/",
        "≤": "\\leq ",
        "≥": "\\geq ",
        "≠": "\\neq ",
        "±": "\\pm ",
        "∪": "\\cup ",
        "∩": "\\cap ",
        "∈": "\\in ",
        "θ": "\\theta ",
        "°": "",
        "º": "",
        "\u2044": "/",
    }
)
_GROUP = re.compile(r"(?<=\d)(?:,\\!\s*|\{,\}|\\,)(?=\d{3}(?!\d))")
_SPACING = re.compile(
    r"(\\\\)|\\[,;:!> ]|~|&nbsp;"
    r"|\\(?:q?quad|left|right|[bB]igg?[lr]?|displaystyle|textstyle|limits|nolimits)(?![a-zA-Z])"
)
_DELIMITER = re.compile(r"(?<!\\)\\[()\[\]]|\$\$?|\*\*")
_SYNONYMS = {
    "dfrac": "frac",
    "tfrac": "frac",
    "cfrac": "frac",
    "le": "leq",
    "leqslant": "leq",
    "ge": "geq",
    "geqslant": "geq",
    "ne": "neq",
    "lt": "lt",
    "gt": "gt",
    "dots": "ldots",
    "cdots": "ldots",
    "degree": "",
}
_COMMAND = re.compile(r"\\([a-zA-Z]+)[ \t]*")
_RELATIONS = {">=": "\\geq ", "<=": "\\leq ", "!=": "\\neq "}
_ASCII_RELATION = re.compile(r">=|<=|!=")
_DEGREE = re.compile(r"\^\s*(?:\{\s*)?\\circ\s*\}?")
_STYLED = re.compile(
    r"\\(?:mathrm|mathbf|mathit|mathsf|mathbb|boldsymbol|operatorname|emph|textbf|textit|textrm)\s*\{([^{}]*)\}"
)
_TEXT = re.compile(r"\\(?:text|mbox|textnormal)\s*\{([^{}]*)\}(\s*\^\s*(?:\{\s*\d\s*\}|\d))?")
_CONJUNCTION = re.compile(r"[\s,;]*(?:and|or|,|;)[\s,;]*", re.IGNORECASE)
_BARE_CONJUNCTION = re.compile(r"(?<=[\d})\]\s])\s*,?\s+(?:and|or)\s+(?=[-\d\\(\[{]|[a-z]\s*=)", re.IGNORECASE)
_UNIT_WORDS = (
    "degrees?|dollars?|cents?|units?|square|cubic|inch(?:es)?|in|feet|foot|ft|yards?|miles?|mph|cm|mm|km|gm|kg|meters?"
    "|metres?|centimeters?|kilometers?|grams?|pounds?|ounces?|seconds?|minutes?|min|hours?|days?|weeks?|months?|years?"
    "|ways?|points?|percent|students?|people|children|tickets?"
)
_TRAILING_UNIT = re.compile(rf"(?<=[\d}}])(?:\s+(?:{_UNIT_WORDS})\b\.?(?:\s*\^\s*\{{?\d\}}?)?)+\s*$", re.IGNORECASE)
_WITH_ARGUMENTS = re.compile(r"\\(?:(?P<frac>frac)|sqrt)(?![a-zA-Z])\s*(?P<index>\[[^\[\]]*\])?")
_COMMAND_NAME = re.compile(r"\\[a-zA-Z]+\s*")
_SLASH = re.compile(r"(?<![\w}/.)])(\d+)/(\d+)(?![\w/.({])")
_GROUPED = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SPACE = re.compile(r"\s+")
_BRACED_SUBSCRIPT = re.compile(r"([_^])\{([^{}\\])\}|_\{(\d+)\}")
_BRACED_WORD = re.compile(r"(?<![a-zA-Z}\]_^])\{([^{},\\]*)\}")


def normal_form(span: str) -> str:
    """Return the one spelling of a LaTeX answer, with no space but after a command that a letter follows.

    Args:
        span: Content of a box or of an answer line.

    Returns:
        Text that is still LaTeX; empty if nothing is left.

    Source: the idea of ``is_equiv`` (Hendrycks et al. 2021), written anew; grading specification §2.1.
    """
    text = unify_typography(span[:MAX_SPAN]).translate(_UNICODE).replace("\n", " ")
    text = _without_layout(text)
    text = _with_text_resolved(text).strip().rstrip(".,;").strip()
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    text = _with_full_braces(text)
    return _without_spaces(text)


def _without_layout(text: str) -> str:
    text = text.replace("\\$", "").replace("\\%", "").replace("%", "")
    text = _GROUP.sub("", text)
    text = _DELIMITER.sub(" ", text)
    text = _SPACING.sub(lambda match: match[1] or " ", text)
    text = _ASCII_RELATION.sub(lambda match: _RELATIONS[match[0]], text)
    return _DEGREE.sub("", _COMMAND.sub(_synonym, text))


def _synonym(match: re.Match[str]) -> str:
    name = _SYNONYMS.get(match[1], match[1])
    return {"": "", "lt": "<", "gt": ">"}.get(name, f"\\{name} ")


def _with_text_resolved(text: str) -> str:
    text = _STYLED.sub(r"\1", text)
    text = _TEXT.sub(_resolve_text, text)
    text = _BARE_CONJUNCTION.sub(",", text)
    text = re.sub(r"\s*,(?:\s*,)+", ",", text)
    return _TRAILING_UNIT.sub("", text.strip())


def _resolve_text(match: re.Match[str]) -> str:
    """A conjunction is a comma, a unit after a quantity is nothing, anything else stands for itself."""
    if _CONJUNCTION.fullmatch(match[1]):
        return ","
    before = match.string[: match.start()].rstrip()
    follows_quantity = before[-1:].isdigit() or before[-1:] in {"}", ")"} or before.endswith("\\pi")
    return "" if follows_quantity else f" {match[1].strip()} "


def _with_full_braces(text: str) -> str:
    r"""Write ``\frac12``, ``\frac{a}2``, ``\sqrt3`` and ``1/2`` with braces, innermost commands first."""
    for match in reversed(list(_WITH_ARGUMENTS.finditer(text))):
        end, written = match.end(), match[0].strip()
        for _ in range(2 if match["frac"] else 1):
            argument = _argument(text, end)
            end, written = argument.end, f"{written}{{{argument.text}}}"
        text = text[: match.start()] + written + text[end:]
    return _SLASH.sub(r"\\frac{\1}{\2}", text)


class _Argument(NamedTuple):
    text: str
    end: int


def _argument(text: str, start: int) -> _Argument:
    """Return the argument of a command: a group, a round bracket, a command with its own groups, or one character."""
    start += len(text[start:]) - len(text[start:].lstrip())
    opener = text[start : start + 1]
    if opener in {"{", "("}:
        end = _group_end(text, start)
        return _Argument(text[start + 1 : end].strip(), end + 1)
    if opener != "\\":
        return _Argument(opener, start + 1)
    name = _COMMAND_NAME.match(text, start)
    end = name.end() if name else start + 2
    while text[end : end + 1] == "{":
        end = _group_end(text, end) + 1
    return _Argument(text[start:end].strip(), end)


def _group_end(text: str, start: int) -> int:
    closer = {"{": "}", "(": ")"}[text[start]]
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == text[start]) - (text[end] == closer)
        if depth == 0:
            return end
    return len(text)


def _without_spaces(text: str) -> str:
    text = re.sub(r"(\\[a-zA-Z]+)\s+(?=[a-zA-Z])", "\\1\x00", text.strip())
    text = _SPACE.sub("", text).replace("\x00", " ")
    text = _BRACED_SUBSCRIPT.sub(lambda match: f"_{match[3]}" if match[3] else f"{match[1]}{match[2]}", text)
    return _BRACED_WORD.sub(r"\1", text)
