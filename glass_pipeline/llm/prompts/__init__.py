"""Holds the versioned prompts as text files, and their rendering to chat messages.

A file that was ever used is never edited: a change is a new version under a new name. Never holds a problem, and
never interprets the text of one: braces, markers and the like in it stay as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.records import Question
from glass_pipeline.llm.asks import Message

HEADING = re.compile(r"^=== (?P<answer_type>numeric|math|choice|exact): (?P<role>system|user|assistant) ===$")
"""Line that opens a turn for one answer type."""
PLACE = "{problem}"
"""Where the problem goes, in the last user turn."""


class PromptError(BadInput):
    """There is no such prompt, or it has nothing for this answer type."""


def render(prompt_version: str, question: Question) -> tuple[Message, ...]:
    """Return the chat messages that ask a question.

    Args:
        prompt_version: Name of a file in this package, e.g. ``zero-shot-v1``.
        question: Its text takes the place of ``{problem}``, unchanged.

    Raises:
        PromptError: no such prompt, or none for this answer type.
    """
    turns = _turns(prompt_version)
    if question.answer_type not in turns:
        raise PromptError(
            f"prompt {prompt_version!r} has no section for {question.answer_type} answers (item {question.item_id!r}); "
            f"it has {', '.join(turns)}: name another prompt for this solver in glass.toml."
        )
    return tuple(
        Message(role, text.replace(PLACE, question.text) if role == "user" else text)
        for role, text in turns[question.answer_type]
    )


def written(prompt_version: str, answer_type: str) -> str:
    """Return what a solver is told about one answer type, turn by turn, with ``{problem}`` where the problem goes.

    Returns:
        The turns, each under its role; empty where the prompt has none for this answer type.
    """
    turns = _turns(prompt_version).get(answer_type, ())
    return "\n".join(f"[{turn.role}] {turn.content}" for turn in turns)


def prompt_versions() -> tuple[str, ...]:
    """Return the names of all prompts."""
    names = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".txt") for name in names if name.endswith(".txt")))


@lru_cache
def _turns(prompt_version: str) -> dict[str, tuple[Message, ...]]:
    if prompt_version not in prompt_versions():
        raise PromptError(f"no prompt {prompt_version!r}; there are {', '.join(prompt_versions())}.")
    text = (files(__name__) / f"{prompt_version}.txt").read_text(encoding="utf-8")
    turns: dict[str, tuple[Message, ...]] = {}
    heading: re.Match[str] | None = None
    lines: list[str] = []
    for line in [*text.splitlines(), "=== exact: user ==="]:
        opened = HEADING.match(line)
        if not opened:
            lines.append(line)
            continue
        if heading:
            turn = Message(heading["role"], "\n".join(lines).strip())
            turns[heading["answer_type"]] = (*turns.get(heading["answer_type"], ()), turn)
        heading, lines = opened, []
    return turns
