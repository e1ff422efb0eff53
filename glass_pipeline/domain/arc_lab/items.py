"""Holds the multiple-choice items of the lab, and the step from rows of a file or of the hub to them.

Never reads a file, and never repairs a row: what is wrong is named with its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.seeding import seed_of

FEWEST_CHOICES = 2
MOST_CHOICES = 64
LONGEST_TEXT = 100_000
"""Characters; a longer question or choice is no exam item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceItem:
    """One multiple-choice question."""

    id: str
    question: str
    labels: tuple[str, ...]
    """What the prompt calls the choices, e.g. A to D or 1 to 4."""
    choices: tuple[str, ...]
    answer_index: int
    """Place of the right choice, from 0."""
    category: str | None = None
    """What the source calls its kind; None where it has none."""


def parse_items(rows: Iterable[Mapping[str, Any]], origin: str, *, may_repeat: bool = False) -> tuple[ChoiceItem, ...]:
    """Turn rows into items.

    A row has id, question, its choices and its answer. Choices are a list of texts with an optional list ``labels``
    (letters where there is none), or the hub's ``{"label": [...], "text": [...]}``. The answer is a label under
    ``answerKey`` or ``answer``, or a place under ``answer_index``. ``category`` is optional.

    Args:
        rows: One an item.
        origin: File or data set, for messages.
        may_repeat: Let ids recur, as they do in real training splits; results are paired by id, so no test split may.

    Returns:
        The items in the order of the rows.

    Raises:
        LabError: there is no row, an id occurs twice, or a row is not such an item.
    """
    items: list[ChoiceItem] = []
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        item = _parse(row, f"{origin}, row {number}")
        if item.id in seen and not may_repeat:
            raise LabError(f"{origin}, row {number}: the id {item.id!r} occurs twice; give every item its own.")
        seen.add(item.id)
        items.append(item)
    if not items:
        raise LabError(f"{origin} is empty; give it one multiple-choice item a line.")
    return tuple(items)


def sample_items(items: Sequence[ChoiceItem], limit: int | None) -> tuple[ChoiceItem, ...]:
    """Return at most ``limit`` items, drawn by the hash of their ids, in the order of the source."""
    if limit is None or limit >= len(items):
        return tuple(items)
    drawn = sorted(range(len(items)), key=lambda place: (seed_of("arc_lab", "sample", items[place].id), place))
    return tuple(items[place] for place in sorted(drawn[:limit]))


def shared_items(items: Sequence[ChoiceItem], others: Sequence[ChoiceItem]) -> tuple[str, ...]:
    """Return the ids of the items whose question and choices occur among others, whatever their white space."""
    known = {_text_of(item) for item in others}
    return tuple(item.id for item in items if _text_of(item) in known)


def item_row(item: ChoiceItem) -> dict[str, Any]:
    """Return the row that stands for an item in the lab's own files."""
    row: dict[str, Any] = {
        "id": item.id,
        "question": item.question,
        "labels": list(item.labels),
        "choices": list(item.choices),
        "answer_index": item.answer_index,
    }
    return row if item.category is None else {**row, "category": item.category}


def letters(count: int) -> tuple[str, ...]:
    """Return the labels of choices that have none of their own: A, B, C and so on, numbers beyond Z."""
    return tuple(chr(65 + place) if count <= 26 else str(place + 1) for place in range(count))


def _text_of(item: ChoiceItem) -> str:
    return text_hash("\n".join((item.question, *sorted(item.choices))))


def _parse(row: Mapping[str, Any], place: str) -> ChoiceItem:
    identity = _text(row.get("id"), "the id", place)
    place = f"{place}, id {identity!r}"
    choices, labels = _choices(row, place)
    category = row.get("category")
    return ChoiceItem(
        id=identity,
        question=_text(row.get("question"), "question", place),
        labels=labels,
        choices=choices,
        answer_index=_answer_index(row, labels, place),
        category=None if category is None else _text(category, "category", place),
    )


def _choices(row: Mapping[str, Any], place: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found: Any = row.get("choices")
    labels: Any = row.get("labels")
    if isinstance(found, Mapping):
        found, labels = found.get("text"), found.get("label")
    if not isinstance(found, list | tuple) or not FEWEST_CHOICES <= len(found) <= MOST_CHOICES:
        raise LabError(f"{place}: choices is {_shown(found)}; give a list of {FEWEST_CHOICES} to {MOST_CHOICES} texts.")
    choices = tuple(_text(each, "a choice", place) for each in found)
    if labels is None:
        return choices, letters(len(choices))
    if not isinstance(labels, list | tuple) or len(labels) != len(choices):
        raise LabError(f"{place}: labels is {_shown(labels)}; give one label for each of the {len(choices)} choices.")
    named = tuple(_text(each, "a label", place) for each in labels)
    if len(set(named)) < len(named):
        raise LabError(f"{place}: labels is {_shown(labels)}; every choice needs a label of its own.")
    return choices, named


def _answer_index(row: Mapping[str, Any], labels: tuple[str, ...], place: str) -> int:
    index = row.get("answer_index")
    if index is not None:
        if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(labels):
            return index
        raise LabError(f"{place}: answer_index is {_shown(index)}; give a place from 0 to {len(labels) - 1}.")
    name = "answerKey" if "answerKey" in row else "answer"
    key = row.get(name)
    if str(key) in labels:
        return labels.index(str(key))
    raise LabError(f"{place}: {name}={_shown(key)} is not among the labels {', '.join(labels)}; correct the row.")


def _text(found: Any, what: str, place: str) -> str:
    if isinstance(found, int) and not isinstance(found, bool):
        found = str(found)
    if not isinstance(found, str) or not found.strip():
        raise LabError(f"{place}: {what} is {_shown(found)}; give it a text.")
    if len(found) > LONGEST_TEXT:
        raise LabError(f"{place}: {what} has {len(found):,} characters; at most {LONGEST_TEXT:,} are taken.")
    if any("\ud800" <= each <= "\udfff" for each in found):
        raise LabError(f"{place}: {what} holds half of a character (a lone surrogate), so it is no text; correct it.")
    return found


def _shown(found: Any) -> str:
    return "missing" if found is None else repr(found)[:60]
