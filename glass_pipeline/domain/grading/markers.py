"""Holds the finders of answer spans in a reply: boxes, ``####``, answer lines, tags, last lines.

Never reads a span (see ``canonical``). Every finder takes time linear in the length of the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_LINE = 2_000
"""Characters kept of a line or span."""


class Span(NamedTuple):
    """A candidate for the answer, and where it stands."""

    text: str
    ends_reply: bool
    """Nothing but white space comes after its line."""
    opens_line: bool
    """Its marker is the first thing on the line."""


_BOX_TOKEN = re.compile(r"\\(?:boxed|fbox)\s*(?P<brace>\{)?|\\.|[{}]", re.DOTALL)
_BARE_BOX = re.compile(r"[^\s{}$\\]+")
_HASHES = re.compile(r"(?<!#)####(?!#)")
_ANSWER = re.compile(
    r"\b(?:answer|ans)\b[*_`\"']{0,4}[ \t]*(?:to [^.:\n]{1,80}? )?"
    r"(?::|=|\bis\b(?: that)?|\bwould be\b|\bare\b)[:=*_`\s]{0,8}",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[^\s.])[.!?][*_`\"')]*(?=\s+\S)")
_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_ABBREVIATION = re.compile(r"\b(?:[ap]\.?m|approx|no|mr|mrs|dr|st|vs|[a-z])$", re.IGNORECASE)
_CONTENT = re.compile(r"[^\s*_#`]")
_FORMULA = re.compile(r"(?<!\\)\$((?:[^$\s\\]|\\.)(?:[^$\\]|\\.){0,300}?(?<![\s\\]))(?<!\\)\$(?!\d)")
_BULLET = re.compile(r"^\s{0,20}[-*+•]\s+")
_MAX_OPENING = 40
_OPENING_WORD = re.compile(r"\b(?:so|the|my|thus|final|correct|hence|therefore)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")
_CLOSING_MATH = re.compile(r"(?:\$\$?|\\\)|\\\])[\s.*_]*$")


class Boxes(NamedTuple):
    """The boxes of a reply."""

    last: str | None
    """Content of the last complete box that is not empty."""
    is_open: bool
    """A box was opened and never closed."""


def find_boxes(text: str) -> Boxes:
    r"""Find the last complete ``\boxed{…}`` or ``\fbox{…}`` by one scan with a stack of braces."""
    if "\\boxed" not in text and "\\fbox" not in text:
        return Boxes(None, is_open=False)
    last: str | None = None
    stack: list[int] = []
    for match in _BOX_TOKEN.finditer(text):
        if match["brace"]:
            stack.append(match.end())
        elif match[0] == "{":
            stack.append(-1)
        elif match[0] == "}" and stack:
            start = stack.pop()
            if start >= 0 and text[start : match.start()].strip():
                last = text[start : match.start()]
        elif match[0].startswith(("\\boxed", "\\fbox")):
            bare = _BARE_BOX.match(text, match.end())
            last = bare[0].rstrip(".,;") if bare else last
    return Boxes(last, is_open=any(start >= 0 for start in stack))


def find_hashes(text: str) -> Iterator[Span]:
    """Yield what follows each ``####``, last first; an empty line gives the next line that is not."""
    content_end = len(text.rstrip())
    for match in reversed(list(_HASHES.finditer(text))):
        line = _line_from(text, match.end())
        yield Span(line.text.strip().rstrip("#").strip(), line.end >= content_end, opens_line=True)


def find_answer_lines(text: str) -> Iterator[Span]:
    """Yield the first sentence after each ``Answer:``, ``final answer is``, ``ans =``, last first."""
    content_end = len(text.rstrip())
    for match in reversed(list(_ANSWER.finditer(text))):
        line = _line_from(text, match.end())
        stated = _BULLET.sub("", line.text) if text[line.start - 1 : line.start] == "\n" else line.text
        yield Span(_first_sentence(stated.strip()), line.end >= content_end, _opens_line(text, match.start()))


def find_tag(text: str) -> str | None:
    """Return the content of the last complete ``<answer>`` element."""
    last, start = None, -1
    for match in _TAG.finditer(text):
        if not match[1]:
            start = match.end()
        elif start >= 0:
            last, start = text[start : match.start()].strip(), -1
    return last


def last_lines(text: str) -> Iterator[str]:
    """Yield the non-empty lines without their bullets, last first."""
    for line in reversed(text.splitlines()):
        if line.strip():
            yield _BULLET.sub("", line[-MAX_LINE:]).strip()


def closing_math(line: str) -> str | None:
    r"""Return the formula that ends a line, ``so it is $\frac{3}{4}$.``, or None."""
    end = _CLOSING_MATH.search(line[-MAX_LINE:])
    if end is None:
        return None
    head = line[-MAX_LINE:][: end.start()]
    closer = end[0].strip(" .*_\t")
    opener = {"\\)": "\\(", "\\]": "\\["}.get(closer, closer)
    start = head.rfind(opener)
    return head[start + len(opener) :].strip() or None if start >= 0 else None


class _Line(NamedTuple):
    text: str
    start: int
    end: int


def first_formula(line: str) -> str | None:
    r"""Return the first formula of a line, ``is $x=5$ as shown`` or ``\(…\)``; dollars of money enclose none."""
    opened = line.find("\\(")
    closed = line.find("\\)", opened)
    if 0 <= opened < closed:
        return line[opened + 2 : closed].strip() or None
    formula = _FORMULA.search(line)
    return formula[1] if formula else None


def _line_from(text: str, start: int) -> _Line:
    """Return the rest of a line, or the next line that holds more than markup."""
    content = _CONTENT.search(text, start)
    if content is None:
        return _Line("", len(text), len(text))
    start = max(start, text.rfind("\n", start, content.start()) + 1)
    end = text.find("\n", content.start())
    end = len(text) if end < 0 else end
    return _Line(text[start : min(end, start + MAX_LINE)], start, end)


def _opens_line(text: str, start: int) -> bool:
    before = text[text.rfind("\n", 0, start) + 1 : start] if start else ""
    return len(before) < _MAX_OPENING and not _WORD.search(_OPENING_WORD.sub("", before))


def _first_sentence(line: str) -> str:
    for match in _SENTENCE_END.finditer(line):
        if not _ABBREVIATION.search(line[max(0, match.start() - 8) : match.start()]):
            return line[: match.start()]
    return line
