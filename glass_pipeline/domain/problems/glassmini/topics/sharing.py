"""Holds problems about things in boxes: filled, given away, added to, shared out equally.

Never gives away more than there is, and never cuts anything in pieces.
"""

from __future__ import annotations

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_divisor, draw_removal
from glass_pipeline.domain.problems.glassmini.words import CHILD, CONTAINERS, CONTENTS, Noun
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet

MULTIPLICATION_SHARE = 0.7
MOST_KINDS, MOST_CHANGES = 3, 4


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps about things in boxes."""
    rng, steps = sheet.rng, sheet.steps
    noun = rng.choice(CONTENTS)
    if steps == 1 and rng.random() > MULTIPLICATION_SHARE:
        SINGLE_STEPS[rng.randrange(len(SINGLE_STEPS))](sheet, noun)
        return
    plans = [
        (kinds, changes, shared)
        for kinds in range(1, MOST_KINDS + 1)
        for changes in range(MOST_CHANGES + 1)
        for shared in (0, 1)
        # A sum of several kinds may be prime: only a change can then make it divide evenly.
        if kinds + (kinds > 1) + changes + shared == steps and (changes or kinds == 1 or not shared)
    ]
    kinds, changes, shared = rng.choice(plans)
    held = _fill(sheet, noun, kinds)
    groups = (draw_divisor(rng, held, 2, 8) if changes == 0 else rng.randint(2, 6)) if shared else None
    for person in range(1, changes + 1):
        held = _change(sheet, noun, held, person, groups if person == changes else None)
    if groups:
        _share_out(sheet, noun, held, groups)
    else:
        question = f"How many {noun.many} does {sheet.lead.name} have"
        sheet.ask(held, f"{question} now?" if changes else f"{question} in all?")


def _fill(sheet: Worksheet, noun: Noun, kinds: int) -> int:
    rng = sheet.rng
    counts = []
    for container in rng.sample(CONTAINERS, kinds):
        boxes, each = rng.randint(2, 9), rng.randint(3, 12)
        goods = sheet.many(boxes, container)
        sheet.tell_one_of(
            f"{sheet.who()} has {goods} with {sheet.many(each, noun)} in each {container.one}.",
            (
                f"{sheet.who()} has {goods} of {noun.many}.",
                f"Each {container.one} holds {sheet.many(each, noun)}.",
            ),
        )
        counts.append(sheet.times(boxes, each, f"The {container.many} hold {{}} {noun.many}."))
    return int(counts[0] if kinds == 1 else sheet.total(counts, f"Altogether there are {{}} {noun.many}."))


def _change(sheet: Worksheet, noun: Noun, held: int, person: int, groups: int | None) -> int:
    """Take from what is held, or add to it; with groups, take so that the rest can be shared equally."""
    rng, other = sheet.rng, sheet.people[person].name
    if held < 12 or (groups is None and rng.random() < 0.4):
        gained = rng.randint(2, 15)
        if groups:
            gained = groups * rng.randint(2, 4) - held % groups
        sheet.tell_one_of(
            f"{other} brings {sheet.lead.name} {sheet.many(gained, noun)} more.",
            f"{sheet.lead.name} receives another {sheet.many(gained, noun)} from {other}.",
        )
        return int(sheet.total([held, gained], f"With {other}'s gift there are {{}} {noun.many}."))
    given = draw_removal(rng, held, groups or 1, most=held // 3)
    sheet.tell_one_of(
        f"{sheet.lead.name} gives {sheet.many(given, noun)} to {other}.",
        f"{other} takes {sheet.many(given, noun)} from {sheet.lead.name}.",
    )
    return int(sheet.minus(held, given, f"Without {other}'s part there are {{}} {noun.many}."))


def _share_out(sheet: Worksheet, noun: Noun, held: int, groups: int) -> None:
    lead = sheet.lead
    sheet.tell(f"{lead.name} shares all that {lead.subject} has now equally among {sheet.many(groups, CHILD)}.")
    each = sheet.over(held, groups, f"Each child gets {{}} {noun.many}.")
    sheet.ask(each, f"How many {noun.many} does each child get?")


def _write_gift(sheet: Worksheet, noun: Noun) -> None:
    rng, other = sheet.rng, sheet.people[1].name
    held, given = rng.randint(3, 20), rng.randint(2, 12)
    sheet.tell(
        f"{sheet.who()} has {sheet.many(held, noun)}.",
        f"{other} gives {sheet.lead.name} {sheet.many(given, noun)}.",
    )
    now = sheet.total([held, given], f"{sheet.lead.name} has {{}} {noun.many}.")
    sheet.ask(now, f"How many {noun.many} does {sheet.lead.name} have now?")


def _write_loss(sheet: Worksheet, noun: Noun) -> None:
    rng, other = sheet.rng, sheet.people[1].name
    held = rng.randint(6, 20)
    given = rng.randint(2, held - 2)
    sheet.tell(
        f"{sheet.who()} has {sheet.many(held, noun)}.",
        f"{sheet.who()} gives {sheet.many(given, noun)} to {other}.",
    )
    left = sheet.minus(held, given, f"{sheet.lead.name} has {{}} {noun.many} left.")
    sheet.ask(left, f"How many {noun.many} does {sheet.lead.name} have left?")


def _write_share(sheet: Worksheet, noun: Noun) -> None:
    groups, each = sheet.rng.randint(2, 9), sheet.rng.randint(2, 9)
    sheet.tell(
        f"{sheet.who()} has {sheet.many(groups * each, noun)}.",
        f"{sheet.who()} shares them equally among {sheet.many(groups, CHILD)}.",
    )
    share = sheet.over(groups * each, groups, f"Each child gets {{}} {noun.many}.")
    sheet.ask(share, f"How many {noun.many} does each child get?")


SINGLE_STEPS = (_write_gift, _write_loss, _write_share)
