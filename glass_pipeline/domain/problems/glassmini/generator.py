"""Holds the generator: which topic a problem has, how many steps, and that no two texts are the same.

Never lets a problem depend on how many are asked for: problem k is drawn from its own generator.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from glass_pipeline.domain.problems.complexity import Complexity, declare_complexity
from glass_pipeline.domain.problems.glassmini.topics import (
    ages,
    baking,
    collections,
    gardening,
    percent,
    sharing,
    shopping,
    time,
    travel,
    work,
)
from glass_pipeline.domain.problems.glassmini.words import WEEKDAYS, plain
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet
from glass_pipeline.domain.problems.item import SourceError, SourceItem
from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.seeding import child_rng

VERSION = 1
"""Raised whenever the same seed gives another text, so that everything downstream is made anew."""
SPLITS = ("test", "train")
MOST_PROBLEMS = 100_000
MOST_STEPS = 8


class Topic(NamedTuple):
    """What writes a problem, and for which numbers of steps."""

    write: Callable[[Worksheet], None]
    fewest_steps: int
    most_steps: int


def generate(
    size: int, *, seed: int, split: str, max_steps: int = 8, complexity: Complexity = "gold_steps"
) -> list[Problem]:
    """Write word problems whose gold answers are known by construction.

    Problem k takes 1 + k mod ``max_steps`` steps and has its own generator,
    ``child_rng(seed, "glassmini", split, k)``; a text that an earlier problem has is drawn again from it. So
    problem k is the same however many are asked for, and no two problems share a text.

    Args:
        size: How many, 1 to 100,000.
        seed: The study's seed.
        split: ``test`` or ``train``; nobody in one has a name of the other.
        max_steps: Steps of the hardest problem, 1 to 8.
        complexity: Declared complexity C (``level`` is not available).

    Raises:
        SourceError: an unknown split, or a number out of range.
    """
    _check_request(size, split, max_steps)
    revision = f"glassmini-{VERSION}-seed-{seed}"
    seen: set[str] = set()
    problems = []
    for number in range(size):
        rng = child_rng(seed, "glassmini", split, number)
        steps = 1 + number % max_steps
        item = _write_item(rng, split, number, steps)
        while item.text in seen:
            item = _write_item(rng, split, number, steps)
        seen.add(item.text)
        problems.append(_problem(item, complexity, revision))
    return problems


def _check_request(size: int, split: str, max_steps: int) -> None:
    if split not in SPLITS:
        raise SourceError(f"glassmini has no split {split!r}; choose {' or '.join(SPLITS)}.")
    if not 1 <= size <= MOST_PROBLEMS:
        raise SourceError(f"glassmini cannot write {size} problems; ask for 1 to {MOST_PROBLEMS:,}.")
    if not 1 <= max_steps <= MOST_STEPS:
        raise SourceError(f"glassmini cannot write problems of {max_steps} steps; set max_steps to 1 to {MOST_STEPS}.")


def _write_item(rng: random.Random, split: str, number: int, steps: int) -> SourceItem:
    category = rng.choice([name for name, topic in TOPICS.items() if topic.fewest_steps <= steps <= topic.most_steps])
    sheet = Worksheet(rng, split, steps)
    sheet.set_scene(rng.choice(WEEKDAYS))
    TOPICS[category].write(sheet)
    return SourceItem(
        base_id=f"glassmini-{split}-{number}",
        text=sheet.text,
        answer=plain(sheet.answer),
        gold_solution=sheet.solution,
        category=category,
        gold_steps=steps,
    )


def _problem(item: SourceItem, complexity: Complexity, revision: str) -> Problem:
    declared = declare_complexity(item, complexity)
    return Problem(
        base_id=item.base_id,
        text=item.text,
        gold=item.answer,
        answer_type="numeric",
        gold_solution=item.gold_solution,
        category=item.category,
        gold_steps=item.gold_steps,
        declared_complexity=declared.value,
        complexity_score=declared.score,
        revision=revision,
        licence="MIT",
    )


TOPICS: Mapping[str, Topic] = {
    "shopping": Topic(shopping.write, 1, 8),
    "collections": Topic(collections.write, 1, 8),
    "ages": Topic(ages.write, 1, 8),
    "travel": Topic(travel.write, 1, 8),
    "work": Topic(work.write, 1, 8),
    "time": Topic(time.write, 1, 8),
    "sharing": Topic(sharing.write, 1, 8),
    "percent": Topic(percent.write, 2, 7),
    "gardening": Topic(gardening.write, 1, 8),
    "baking": Topic(baking.write, 1, 8),
}
