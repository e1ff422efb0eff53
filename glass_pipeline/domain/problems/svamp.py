"""Holds the reading of SVAMP rows: a body that may lack its closing period, a question, and an equation.

Never evaluates the equation; it only counts its operators.
"""

from __future__ import annotations

import re

from glass_pipeline.domain.problems.item import Row, SourceItem, required_answer, required_text

OPERATOR = re.compile(r"(?<=[0-9.)])\s*[-+*/]")
SENTENCE_BREAK = re.compile(r"(?<=[.!?])\s+")
CONDITION = re.compile(r"(?:If|When|Since|Because|Given)\b")
QUESTION_WORDS = frozenset(("How", "What", "Which", "Who", "Whose", "When", "Where", "Is", "Are", "Did", "Does", "Do"))


def read_row(row: Row, position: int, split: str) -> SourceItem:
    """Turn one row of SVAMP into an item.

    Args:
        row: ``body``, ``question``, ``equation``, ``answer``, ``type`` and ``id``, or the hub's capitalised
            spellings.
        position: Unused: SVAMP numbers its own problems.
        split: Unused: SVAMP's ids do not depend on how it is split.

    Raises:
        SourceError: a field is missing.

    Source: arkilpatel/SVAMP; gold steps are the operators of the equation.
    """
    return SourceItem(
        base_id=f"svamp-{required_text(row, 'id', 'ID')}",
        text=join_question(required_text(row, "body", "Body"), required_text(row, "question", "Question")),
        answer=required_answer(row, "answer", "Answer"),
        gold_solution=required_text(row, "equation", "Equation"),
        category=required_text(row, "type", "Type"),
        gold_steps=count_operators(required_text(row, "equation", "Equation")),
    )


def join_question(body: str, question: str) -> str:
    """Join body and question into sentences, even where the body has no closing period.

    An open conditional takes a comma ("If a pen costs $ 2" + "How much …" is "If a pen costs $ 2, how much
    …"), any other open sentence a period.
    """
    body, question = body.strip(), question.strip()
    if body.endswith((".", "!", "?")):
        return f"{body} {question}"
    body = body.rstrip(" ,;:")
    if CONDITION.match(SENTENCE_BREAK.split(body)[-1]):
        first, _, rest = question.partition(" ")
        return f"{body}, {first.lower() if first in QUESTION_WORDS else first} {rest}"
    return f"{body}. {question}"


def count_operators(equation: str) -> int:
    """Count the binary operators of an equation such as ``( ( 8.0 + 3.0 ) - 2.0 )``: 2."""
    return len(OPERATOR.findall(equation))
