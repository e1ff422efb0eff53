"""Holds the lab's prompt: the question, every choice, and the cue for the answer.

Never knows which choice is right.
"""

from __future__ import annotations

from glass_pipeline.domain.arc_lab.items import ChoiceItem


def prompt_for(item: ChoiceItem) -> str:
    r"""Return ``Question: {question}\n{label}) {text}\n…\nAnswer:``.

    Source: methods §10.1 (the published listing lost its backslashes).
    """
    options = "\n".join(f"{label}) {text}" for label, text in zip(item.labels, item.choices, strict=True))
    return f"Question: {item.question}\n{options}\nAnswer:"


def answer_text(choice: str) -> str:
    """Return what follows the prompt where a choice is given: a blank and the choice."""
    return f" {choice}"
