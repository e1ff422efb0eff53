"""Holds problems about collections: who has how many more, fewer, or times as many.

Never gives anybody half a stamp.
"""

from __future__ import annotations

from glass_pipeline.domain.problems.glassmini.topics.comparison import Wording, tell_chain
from glass_pipeline.domain.problems.glassmini.topics.plan import draw_removal
from glass_pipeline.domain.problems.glassmini.words import COLLECTIBLES, Noun
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet

MOST_LINKS = 5


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps about collections."""
    rng, steps = sheet.rng, sheet.steps
    noun = rng.choice(COLLECTIBLES)
    start = rng.randint(4, 12) if steps == 1 else rng.randint(6, 40)
    sheet.tell(f"{sheet.lead.name} has {sheet.many(start, noun)}.")
    pooled = rng.choice([count for count in range(4) if 0 < steps - count <= MOST_LINKS])
    links = steps - pooled
    numbers = tell_chain(sheet, _wording(sheet, noun), start, links, free=pooled > 0)
    if not pooled:
        last = sheet.people[links].name
        sheet.ask(numbers[-1], f"How many {noun.many} does {last} have?")
        return
    _pool(sheet, noun, numbers, pooled)


def _pool(sheet: Worksheet, noun: Noun, numbers: list[int], pooled: int) -> None:
    rng = sheet.rng
    everyone = int(sheet.total(numbers, f"Together they have {{}} {noun.many}."))
    if pooled == 1:
        sheet.ask(
            everyone,
            f"How many {noun.many} do they have altogether?",
            f"What is the total number of {noun.many} they have?",
        )
        return
    pages = rng.randint(2, 6)
    given = draw_removal(rng, everyone, pages, most=everyone // 3) if pooled == 3 else rng.randint(1, everyone // 3)
    sheet.tell(f"Together they give {sheet.many(given, noun)} to the school museum.")
    kept = sheet.minus(everyone, given, f"They keep {{}} {noun.many}.")
    if pooled == 2:
        sheet.ask(kept, f"How many {noun.many} do they keep altogether?")
        return
    sheet.tell(f"They arrange all the {noun.many} they keep in {sheet.say(pages)} equal displays.")
    each = sheet.over(kept, pages, f"Each display has {{}} {noun.many}.")
    sheet.ask(each, f"How many {noun.many} are in each display?")


def _wording(sheet: Worksheet, noun: Noun) -> Wording:
    return Wording(
        more=lambda a, b, gap: f"{a} has {sheet.say(gap)} more {noun.of(gap)} than {b}.",
        fewer=lambda a, b, gap: f"{a} has {sheet.say(gap)} fewer {noun.of(gap)} than {b}.",
        multiple=lambda a, b, ratio: f"{a} has {ratio} as many {noun.many} as {b}.",
        line=lambda a: f"{a} has {{}} {noun.many}.",
        highest=48 if sheet.steps == 1 else 120,
    )
