"""Holds problems about a bakery: batches, boxes, prices, costs, a goal.

Never sells what was burnt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_removal
from glass_pipeline.domain.problems.glassmini.words import BAKES, WEEK, Noun, dollars
from glass_pipeline.domain.problems.glassmini.worksheet import Worksheet

LONGEST_SINGLE, SHORTEST_DOUBLE = 7, 3
BOX_SIZES = (4, 5, 6, 8)
GOALS = ("a new oven", "a bigger mixer", "a delivery bike", "a new shop sign")


class Bakery(NamedTuple):
    """How far the week has come: a quantity, and the question that would end here."""

    quantity: int
    question: str


def write(sheet: Worksheet) -> None:
    """Write a problem of 1 to 8 steps that follows a bakery through the week."""
    rng = sheet.rng
    bake = rng.choice(BAKES)
    single = sheet.steps < SHORTEST_DOUBLE or (sheet.steps <= LONGEST_SINGLE and rng.random() < 0.6)
    bakery = _bake_once(sheet, bake) if single else _bake_twice(sheet, bake)
    for stage in STAGES:
        if len(sheet.lines) == sheet.steps:
            break
        bakery = stage(sheet, bake, bakery.quantity)
    sheet.ask(bakery.quantity, bakery.question)


def _bake_once(sheet: Worksheet, bake: Noun) -> Bakery:
    batches, each = sheet.rng.randint(3, 9), sheet.rng.randint(6, 12)
    lead = sheet.lead.name
    sheet.tell_one_of(
        f"Every week, {lead} bakes {sheet.say(batches)} batches of {sheet.say(each)} {bake.many} each.",
        (
            f"Every week, {lead} bakes {sheet.say(batches)} batches of {bake.many}.",
            f"Each batch makes {sheet.many(each, bake)}.",
        ),
    )
    baked = sheet.times(batches, each, f"{sheet.lead.name} bakes {{}} {bake.many} a week.")
    return Bakery(int(baked), f"How many {bake.many} does {sheet.lead.name} bake in a week?")


def _bake_twice(sheet: Worksheet, bake: Noun) -> Bakery:
    rng = sheet.rng
    counts = []
    for size in ("small", "large"):
        trays, each = rng.randint(3, 9), rng.randint(4, 8) + (4 if size == "large" else 0)
        sheet.tell(
            f"Every week, {sheet.lead.name} fills {sheet.say(trays)} {size} trays.",
            f"Each {size} tray holds {sheet.many(each, bake)}.",
        )
        counts.append(sheet.times(trays, each, f"The {size} trays hold {{}} {bake.many}."))
    baked = sheet.total(counts, f"{sheet.lead.name} bakes {{}} {bake.many} a week.")
    return Bakery(int(baked), f"How many {bake.many} does {sheet.lead.name} bake in a week?")


def _burn_some(sheet: Worksheet, bake: Noun, baked: int) -> Bakery:
    burnt = draw_removal(sheet.rng, baked, sheet.rng.choice(BOX_SIZES), most=12)
    sheet.tell_one_of(
        f"Every week, the oven spoils {sheet.many(burnt, bake)}.",
        f"The family eats {sheet.many(burnt, bake)} each week.",
    )
    rest = sheet.minus(baked, burnt, f"There are {{}} {bake.many} left to sell.")
    return Bakery(int(rest), f"How many {bake.many} are left to sell each week?")


def _fill_boxes(sheet: Worksheet, bake: Noun, rest: int) -> Bakery:
    size = sheet.rng.choice([size for size in BOX_SIZES if rest % size == 0])
    sheet.tell(f"All the {bake.many} for sale are packed in boxes of {sheet.say(size)}.")
    boxes = sheet.over(rest, size, "That fills {} boxes.")
    return Bakery(int(boxes), f"How many boxes does {sheet.lead.name} fill each week?")


def _sell(sheet: Worksheet, bake: Noun, boxes: int) -> Bakery:
    price = sheet.rng.randint(6, 15)
    sheet.tell(f"A full box sells for {dollars(price)}.")
    income = sheet.times(boxes, price, "The boxes bring in ${} a week.")
    return Bakery(int(income), f"How many dollars do the boxes bring {sheet.lead.name} each week?")


def _pay_ingredients(sheet: Worksheet, bake: Noun, income: int) -> Bakery:
    cost = sheet.rng.randint(2, max(2, income // 2))
    sheet.tell(f"The ingredients cost {dollars(cost)} a week.")
    profit = sheet.minus(income, cost, "The profit is ${} a week.")
    return Bakery(int(profit), f"How much profit does {sheet.lead.name} make each week?")


def _repeat(sheet: Worksheet, bake: Noun, profit: int) -> Bakery:
    weeks = sheet.rng.randint(2, 8)
    sheet.tell(f"{sheet.who()} saves the whole profit for {sheet.many(weeks, WEEK)}.")
    saved = sheet.times(profit, weeks, "The savings come to ${}.")
    return Bakery(int(saved), f"How many dollars does {sheet.lead.name} save?")


def _reach_goal(sheet: Worksheet, bake: Noun, saved: int) -> Bakery:
    price = (saved // 10 + sheet.rng.randint(1, 30)) * 10
    sheet.tell(f"{sheet.who()} wants to buy {sheet.rng.choice(GOALS)} that costs {dollars(price)}.")
    missing = sheet.minus(price, saved, "There are ${} missing.")
    return Bakery(int(missing), f"How many more dollars does {sheet.lead.name} need?")


STAGES: tuple[Callable[[Worksheet, Noun, int], Bakery], ...] = (
    _burn_some,
    _fill_boxes,
    _sell,
    _pay_ingredients,
    _repeat,
    _reach_goal,
)
